import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { useAction } from '../../api/use-action.ts';
import { Confirm } from '../../components/dialog.tsx';
import { Field } from '../../components/forms/field.tsx';
import { formText } from '../../components/forms/form-text.ts';
import { toast } from '../../components/toast.tsx';
import { formatCounted, formatCredits } from '../../components/values.tsx';

type Account = Body<'OperatorAccount'>;

interface Grant {
  readonly credits: number;
  readonly reason: string;
  /** Idempotency key of the grant. */
  readonly key: string;
}

/** Form to grant credits with a reason, and its confirmation. */
export function GrantForm({
  account,
  onGranted,
}: {
  readonly account: Account;
  readonly onGranted: (account: Account) => void;
}) {
  const [grant, setGrant] = useState<Grant | null>(null);
  // The key empties the form after a grant.
  const [round, setRound] = useState(0);
  return (
    <>
      <form
        key={round}
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const credits = Number(formText(form, 'credits'));
          setGrant({ credits, reason: formText(form, 'reason').trim(), key: newRequestKey() });
        }}
      >
        <Field label="Credits">
          <input name="credits" type="number" required min="0.000001" max="1000000000" step="any" />
        </Field>
        <Field label="Reason" hint="For the ledger and the audit log, such as an order number.">
          <input name="reason" required maxLength={500} autocomplete="off" pattern=".*\S.*" />
        </Field>
        <button type="submit" class="primary">
          Grant credits …
        </button>
      </form>
      {grant !== null && (
        <ConfirmGrant
          account={account}
          grant={grant}
          onGranted={(granted) => {
            setGrant(null);
            setRound(round + 1);
            onGranted(granted);
          }}
          onClose={() => setGrant(null)}
        />
      )}
    </>
  );
}

function ConfirmGrant({
  account: { name, balance },
  grant: { credits, reason, key },
  onGranted,
  onClose,
}: {
  readonly account: Account;
  readonly grant: Grant;
  readonly onGranted: (account: Account) => void;
  readonly onClose: () => void;
}) {
  const amount = formatCounted(credits, 'credit').replace(/^\S+/, formatCredits(credits));
  const action = useAction(async () => {
    const params = { path: { name }, header: { 'Idempotency-Key': key } };
    onGranted(
      await read(api.POST('/v1/operator/accounts/{name}/grants', { params, body: { credits, reason } })),
    );
    toast(`Granted ${amount} to “${name}”.`);
  });
  return (
    <Confirm
      title={`Grant ${amount} to “${name}”?`}
      confirm="Grant credits"
      isRunning={action.isRunning}
      error={action.error}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>
        Available now: {formatCredits(balance)}. After the grant: {formatCredits(balance + credits)}. Reason:{' '}
        {reason}.
      </p>
      <p>A grant cannot be undone.</p>
    </Confirm>
  );
}
