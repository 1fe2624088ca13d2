import { api, read } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Field } from '../../components/forms/field.tsx';
import { SelectField } from '../../components/forms/select-field.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import type { DestinationDraft } from './destination-draft.ts';

type Scope = DestinationDraft['scope'];

const scopes = ['all', 'schedule', 'batch'] as const;
const scopeNames = {
  all: 'All batches of the account',
  schedule: 'Batches of one schedule',
  batch: 'One batch',
} as const;

/** Choice of the batches that land. */
export function ScopeFields({
  scope,
  onChange,
}: {
  readonly scope: Scope;
  readonly onChange: (scope: Scope) => void;
}) {
  return (
    <>
      <SelectField
        label="What lands here"
        hint="Batches that finish from now on."
        values={scopes}
        nameOf={(kind) => scopeNames[kind]}
        value={scope.kind}
        onSelect={(kind) => onChange({ kind, id: '' })}
      />
      {scope.kind === 'schedule' && (
        <ScheduleField id={scope.id} onChange={(id) => onChange({ ...scope, id })} />
      )}
      {scope.kind === 'batch' && (
        <TextField
          label="Id of the batch"
          hint="As in the address of its page."
          isRequired
          isCode
          charsMax={100}
          value={scope.id}
          onText={(id) => onChange({ ...scope, id })}
        />
      )}
    </>
  );
}

function ScheduleField({ id, onChange }: { readonly id: string; readonly onChange: (id: string) => void }) {
  const query = { limit: 100 };
  const loaded = useLoad('schedules', (signal) =>
    read(api.GET('/v1/schedules', { params: { query }, signal })),
  );
  return (
    <>
      <Field label="Schedule">
        <select required value={id} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">Choose a schedule</option>
          {loaded.data?.schedules.map((schedule) => (
            <option key={schedule.id} value={schedule.id}>
              {schedule.name}
            </option>
          ))}
        </select>
      </Field>
      <ErrorBanner error={loaded.error} onRetry={loaded.reload} />
    </>
  );
}
