import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { Field } from '../../components/forms/field.tsx';
import { formText } from '../../components/forms/form-text.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { say } from '../../components/toast.tsx';
import { formatCount } from '../../components/values.tsx';

type Account = Body<'OperatorAccount'>;
type Limit = keyof Account['limits'];

const limits: readonly (readonly [name: Limit, label: string, what: string])[] = [
  ['requests_per_minute', 'Requests a minute', 'With all its keys and sessions together.'],
  ['open_lookups', 'Open lookups', 'Companies and addresses that may be in line at a time.'],
  ['rows_per_batch', 'Rows per batch', 'Data rows of one batch or schedule.'],
];

/** Form of an account's limits; an empty field: the settings apply. */
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
      await read(
        api.PATCH('/v1/operator/accounts/{name}/limits', { params: { path: { name } }, body: body }),
      ),
    );
    say(`The limits of “${name}” count from now on.`);
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
      {limits.map(([limit, label, what]) => (
        <Field
          key={limit}
          label={label}
          hint={`${what} By the settings: ${formatCount(account.default_limits[limit])}${limit === 'open_lookups' ? ' of all accounts together' : ''}.`}
        >
          <input name={limit} type="number" min={1} step={1} defaultValue={account.limits[limit] ?? ''} />
        </Field>
      ))}
      <ErrorBanner failure={action.failure} />
      <button type="submit" disabled={action.isRunning}>
        Set the limits
      </button>
    </form>
  );
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
