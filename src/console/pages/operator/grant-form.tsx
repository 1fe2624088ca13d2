import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { useAction } from '../../api/use-action.ts';
import { Confirm } from '../../components/dialog.tsx';
import { Field } from '../../components/forms/field.tsx';
import { formText } from '../../components/forms/form-text.ts';
import { say } from '../../components/toast.tsx';
import { formatCounted, formatCredits } from '../../components/values.tsx';

type Account = Body<'OperatorAccount'>;

interface Grant {
  readonly credits: number;
  readonly reason: string;
  /** Names it: sent twice, it is one grant. */
  readonly key: string;
}

/** Asks how many credits an account is to have more, and why; and then whether that is meant. */
export function GrantForm({
  account,
  onGranted,
}: {
  readonly account: Account;
  readonly onGranted: (account: Account) => void;
}) {
  const [asking, setAsking] = useState<Grant | null>(null);
  // A form that was sent is another one, empty.
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
          setAsking({ credits, reason: formText(form, 'reason').trim(), key: newRequestKey() });
        }}
      >
        <Field label="Credits">
          <input name="credits" type="number" required min="0.000001" max="1000000000" step="any" />
        </Field>
        <Field label="Reason" hint="For the ledger and the audit log: an order, an invoice.">
          <input name="reason" required maxLength={500} autocomplete="off" pattern=".*\S.*" />
        </Field>
        <button type="submit" class="primary">
          Grant …
        </button>
      </form>
      {asking !== null && (
        <ConfirmGrant
          account={account}
          grant={asking}
          onGranted={(granted) => {
            setAsking(null);
            setRound(round + 1);
            onGranted(granted);
          }}
          onClose={() => setAsking(null)}
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
    say(`“${name}” has ${amount} more.`);
  });
  return (
    <Confirm
      title={`Grant ${amount} to “${name}”?`}
      confirm="Grant them"
      isRunning={action.isRunning}
      failure={action.failure}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>
        {formatCredits(balance)} can be spent now, {formatCredits(balance + credits)} then. Reason: {reason}.
      </p>
      <p>Nothing takes a grant back.</p>
    </Confirm>
  );
}
