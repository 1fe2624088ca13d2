import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { Field } from '../../components/forms/field.tsx';
import { formText } from '../../components/forms/form-text.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCount } from '../../components/values.tsx';

type Account = Body<'OperatorAccount'>;
type Limit = keyof Account['limits'];

const limits: readonly (readonly [name: Limit, label: string, description: string])[] = [
  ['requests_per_minute', 'Requests per minute', 'For all keys and sessions together.'],
  ['open_lookups', 'Open lookups', 'Companies and addresses that are open at the same time.'],
  ['rows_per_batch', 'Rows per batch', 'Also applies to files of schedules.'],
  ['weight', 'Weight', 'Share of the work of batches beside other accounts, 1 to 100.'],
];

/** Form of an account's limits. An empty field applies the default of the settings. */
export function LimitsForm({
  account,
  onChanged,
}: {
  readonly account: Account;
  readonly onChanged: (account: Account) => void;
}) {
  const action = useAction(async (form: HTMLFormElement) => {
    const { name } = account;
    const body = Object.fromEntries(limits.map(([limit]) => [limit, numberOf(formText(form, limit))]));
    onChanged(
      await read(api.PATCH('/v1/operator/accounts/{name}/limits', { params: { path: { name } }, body })),
    );
    toast(`Limits of “${name}” saved.`);
  });
  return (
    <form
      key={JSON.stringify(account.limits)}
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        action.run(event.currentTarget);
      }}
    >
      {limits.map(([limit, label, description]) => (
        <Field
          key={limit}
          label={label}
          hint={`${description} Default: ${formatCount(account.default_limits[limit])}${limit === 'open_lookups' ? ' for all accounts together' : ''}.`}
        >
          <input name={limit} type="number" min={1} step={1} defaultValue={account.limits[limit] ?? ''} />
        </Field>
      ))}
      <ErrorBanner error={action.error} />
      <button type="submit" disabled={action.isRunning}>
        Save limits
      </button>
    </form>
  );
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
