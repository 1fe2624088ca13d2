import type { ComponentChildren } from 'preact';
import type { Action } from '../../api/use-action.ts';
import { Field } from '../../components/forms/field.tsx';
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
  const { draft, onChange } = props;
  const { fields, rest } = assignError(action.error);
  return (
    <ConnectionForm action={action} rest={rest} button={button} busy="Saving …">
      {children}
      <Section title="Name">
        <div class="card">
          <TextField
            label="Name"
            hint="Must be unique."
            error={fields.name}
            isRequired
            charsMax={100}
            value={draft.name}
            onText={(name) => onChange({ ...draft, name })}
          />
        </div>
      </Section>
      <Section title="What lands">
        <div class="card">
          {draft.place.kind === 'postgres' ? (
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
      <Choice
        label="Shape"
        values={shapeChoices}
        names={shapeNames}
        value={draft.shapes[0] ?? 'rows'}
        onChoose={(shape) => onChange({ ...draft, shapes: [shape] })}
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
        <Choice
          label="Format"
          values={fileFormats}
          names={formatNames}
          value={format === 'table' ? 'parquet' : format}
          onChoose={(next) => onChange(withFormat(draft, next))}
        />
        <Choice
          label="Folders"
          values={layouts}
          names={layoutNames}
          value={draft.layout}
          onChoose={(layout) => onChange({ ...draft, layout })}
        />
      </div>
      <fieldset>
        <legend>Shapes</legend>
        {shapeChoices.map((shape) => (
          <Check
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
        <Check
          label="Compress files (gzip)"
          isChecked={draft.gzip}
          onCheck={(gzip) => onChange({ ...draft, gzip })}
        />
      )}
      {format === 'csv' && (
        <Check
          label="Keep formulas unchanged. Only for programs: a spreadsheet would run them"
          isChecked={draft.raw}
          onCheck={(raw) => onChange({ ...draft, raw })}
        />
      )}
    </>
  );
}

function Check({
  label,
  isChecked,
  isDisabled = false,
  onCheck,
}: {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
  readonly onCheck: (isOn: boolean) => void;
}) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

function Choice<Value extends string>({
  label,
  values,
  names,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly values: readonly Value[];
  readonly names: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}) {
  return (
    <Field label={label}>
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}>
        {values.map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
    </Field>
  );
}
