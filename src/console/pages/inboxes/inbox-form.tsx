import type { ComponentChildren } from 'preact';
import type { Action } from '../../api/use-action.ts';
import { Banner } from '../../components/banner.tsx';
import { CheckField } from '../../components/forms/check-field.tsx';
import { Field } from '../../components/forms/field.tsx';
import { SelectField } from '../../components/forms/select-field.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { Section } from '../../components/page.tsx';
import { ConnectionForm } from '../connections/connection-form.tsx';
import { assignError, type ConnectionField, type FieldErrors } from '../connections/field-errors.ts';
import { RecurrencePicker } from '../schedules/recurrence-picker.tsx';
import { SearchFields } from '../../components/search/search-fields.tsx';
import { ExampleFile } from './example-file.tsx';
import type { InboxDraft } from './inbox-draft.ts';
import { afterLabels } from './inbox-labels.ts';

const afterPolicies = ['keep', 'move', 'delete'] as const;

interface FormProps {
  readonly draft: InboxDraft;
  readonly onChange: (draft: InboxDraft) => void;
}

/** Form of an inbox, with a submit button. */
export function InboxForm({
  action,
  button,
  busy,
  children,
  ...props
}: FormProps & {
  readonly action: Action<[]>;
  /** Label of the button: the action. */
  readonly button: string;
  /** Label of the button while the action runs. */
  readonly busy: string;
  /** First fields of the form. */
  readonly children: ComponentChildren;
}) {
  const { draft, onChange } = props;
  const { fields } = assignError(action.error);
  return (
    <ConnectionForm {...props} action={action} button={button} busy={busy} first={children}>
      {draft.place.kind !== 'https' && <Arrival {...props} errors={fields} />}
      <Section title="Columns" lead="The same columns are used for all files.">
        <div class="card">
          <ExampleFile example={draft.example} onChange={(example) => onChange({ ...draft, example })} />
        </div>
      </Section>
      <Section title="Times">
        <div class="card">
          <RecurrencePicker
            recurrence={draft.recurrence}
            zone={draft.zone}
            next="Next looks:"
            onChange={(recurrence) => onChange({ ...draft, recurrence })}
            onZone={(zone) => onChange({ ...draft, zone })}
          />
          {fields.cron !== undefined && (
            <Banner kind="error">
              <p>{fields.cron}</p>
            </Banner>
          )}
        </div>
      </Section>
      <Limits {...props} errors={fields} />
    </ConnectionForm>
  );
}

interface PartProps extends FormProps {
  readonly errors: FieldErrors<ConnectionField>;
}

/** Fields of the files or rows that arrive. */
function Arrival({ draft, onChange, errors }: PartProps) {
  const { kind } = draft.place;
  if (kind === 'postgres')
    return (
      <Section title="Query">
        <div class="card">
          <TextField
            label="SQL"
            hint="One SELECT. Each look runs it."
            error={errors.query}
            isCode
            isRequired
            rows={5}
            charsMax={50_000}
            value={draft.query}
            onText={(query) => onChange({ ...draft, query })}
          />
          <TextField
            label="Column for newer rows"
            hint="Greater values mark newer rows, such as created_at. Leave empty to take all rows at each look."
            charsMax={63}
            value={draft.newerBy}
            onText={(newerBy) => onChange({ ...draft, newerBy })}
          />
        </div>
      </Section>
    );
  return (
    <Section title="Files">
      <div class="card mapping">
        <TextField
          label="File names"
          hint="A pattern, such as *.csv. Leave empty for all files."
          error={errors.pattern}
          charsMax={200}
          value={draft.pattern}
          onText={(pattern) => onChange({ ...draft, pattern })}
        />
        <SelectField
          label="After its batch was created"
          values={afterPolicies}
          nameOf={(each) => afterLabels[each]}
          value={draft.after}
          onSelect={(after) => onChange({ ...draft, after })}
        />
        {kind !== 's3' && (
          <TextField
            label="Complete after"
            hint="Time without a change, such as 10s or 2m."
            error={errors.settle}
            charsMax={10}
            value={draft.settle}
            onText={(settle) => onChange({ ...draft, settle })}
          />
        )}
      </div>
    </Section>
  );
}

/** Budget and search options. */
function Limits({ draft, onChange, errors }: PartProps) {
  return (
    <>
      <Section title="Budget" lead="In credits. Leave empty for no limit.">
        <div class="card mapping">
          <Field label="Per file">
            <input
              type="number"
              min="0"
              step="any"
              value={draft.budget}
              onInput={({ currentTarget }) => onChange({ ...draft, budget: currentTarget.value })}
            />
          </Field>
        </div>
      </Section>
      <details class="more-terms" open={errors.sources !== undefined}>
        <summary>Search options and repeated files</summary>
        <div class="card mapping">
          <SearchFields
            texts={draft.search}
            error={errors.sources}
            onChange={(part) => onChange({ ...draft, search: { ...draft.search, ...part } })}
          />
          <CheckField
            label="Run a file again that has the content of an earlier one"
            isChecked={draft.again}
            onCheck={(again) => onChange({ ...draft, again })}
          />
        </div>
      </details>
    </>
  );
}
