import type { ComponentChildren } from 'preact';
import type { Action } from '../../api/use-action.ts';
import { CheckField } from '../../components/forms/check-field.tsx';
import { SelectField } from '../../components/forms/select-field.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { Section } from '../../components/page.tsx';
import { ConnectionForm } from '../connections/connection-form.tsx';
import { assignError, type ConnectionField, type FieldErrors } from '../connections/field-errors.ts';
import { canGzip, withFormat, type DestinationDraft } from './destination-draft.ts';
import { formatNames, layoutNames, shapeNames } from './destination-labels.ts';

const fileFormats = ['parquet', 'csv', 'xlsx', 'ndjson', 'json'] as const;
const layouts = ['partitioned', 'flat'] as const;
const shapeChoices = ['rows', 'ads', 'variants'] as const;

interface FormProps {
  readonly draft: DestinationDraft;
  readonly onChange: (draft: DestinationDraft) => void;
}

/** Form of a destination, with a submit button. */
export function DestinationForm({
  action,
  button,
  children,
  ...props
}: FormProps & {
  readonly action: Action<[]>;
  /** Label of the button: the action. */
  readonly button: string;
  /** First fields of the form. */
  readonly children: ComponentChildren;
}) {
  const { fields } = assignError(action.error);
  return (
    <ConnectionForm {...props} action={action} button={button} busy="Saving …" first={children}>
      <Section title="What lands">
        <div class="card">
          {props.draft.place.kind === 'postgres' ? (
            <TableFields {...props} errors={fields} />
          ) : (
            <FileFields {...props} />
          )}
        </div>
      </Section>
    </ConnectionForm>
  );
}

/** Fields of a table in Postgres, which takes one shape. */
function TableFields({
  draft,
  onChange,
  errors,
}: FormProps & { readonly errors: FieldErrors<ConnectionField> }) {
  return (
    <div class="mapping">
      <TextField
        label="Table"
        hint="With its schema, such as sales.companies. It is created and widened as needed."
        error={errors.table}
        isRequired
        isCode
        charsMax={200}
        value={draft.table}
        onText={(table) => onChange({ ...draft, table })}
      />
      <TextField
        label="Key"
        hint="Columns that identify a row, separated by commas, such as company_domain. Leave empty to replace the rows of a batch."
        error={errors.key}
        isCode
        charsMax={2000}
        value={draft.key}
        onText={(key) => onChange({ ...draft, key })}
      />
      <SelectField
        label="Shape"
        values={shapeChoices}
        nameOf={(each) => shapeNames[each]}
        value={draft.shapes[0] ?? 'rows'}
        onSelect={(shape) => onChange({ ...draft, shapes: [shape] })}
      />
    </div>
  );
}

/** Fields of files. */
function FileFields({ draft, onChange }: FormProps) {
  const { format, shapes } = draft;
  return (
    <>
      <div class="mapping">
        <SelectField
          label="Format"
          values={fileFormats}
          nameOf={(each) => formatNames[each]}
          value={format === 'table' ? 'parquet' : format}
          onSelect={(next) => onChange(withFormat(draft, next))}
        />
        <SelectField
          label="Folders"
          values={layouts}
          nameOf={(each) => layoutNames[each]}
          value={draft.layout}
          onSelect={(layout) => onChange({ ...draft, layout })}
        />
      </div>
      <fieldset>
        <legend>Shapes</legend>
        {shapeChoices.map((shape) => (
          <CheckField
            key={shape}
            label={shapeNames[shape]}
            isChecked={shapes.includes(shape)}
            // The last one stays: something has to land.
            isDisabled={shapes.length === 1 && shapes.includes(shape)}
            onCheck={(isOn) =>
              onChange({
                ...draft,
                shapes: isOn ? [...shapes, shape] : shapes.filter((each) => each !== shape),
              })
            }
          />
        ))}
      </fieldset>
      {canGzip(format) && (
        <CheckField
          label="Compress files (gzip)"
          isChecked={draft.gzip}
          onCheck={(gzip) => onChange({ ...draft, gzip })}
        />
      )}
      {format === 'csv' && (
        <CheckField
          label="Keep formulas unchanged. Only for programs: a spreadsheet would run them"
          isChecked={draft.raw}
          onCheck={(raw) => onChange({ ...draft, raw })}
        />
      )}
    </>
  );
}
