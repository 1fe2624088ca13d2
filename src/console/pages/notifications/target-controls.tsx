import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { ConfirmRemoval } from '../../components/confirm-removal.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { toast } from '../../components/toast.tsx';
import { SigningSecret } from './signing-secret.tsx';

type Target = Body<'Webhook'>;
type OpenDialog = 'rotate' | 'remove';

/** Actions on a target: test, disable or enable, edit, replace its secret, remove. */
export function TargetControls({
  target,
  onChanged,
}: {
  readonly target: Target;
  readonly onChanged: (target: Target) => void;
}) {
  const { id, name, kind, state } = target;
  const path = { params: { path: { id } } };
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [tested, setTested] = useState<Body<'TestedWebhook'> | null>(null);
  const testing = useAction(async () => {
    setTested(null);
    setTested(await read(api.POST('/v1/webhooks/{id}/test', path)));
  });
  const switching = useAction(async () => {
    const body = { state: state === 'active' ? ('disabled' as const) : ('active' as const) };
    onChanged(await read(api.PATCH('/v1/webhooks/{id}', { ...path, body })));
    toast(state === 'active' ? 'Target disabled.' : 'Target enabled.');
  });
  const test = state === 'unconfirmed' ? 'Send link again' : 'Send test';
  return (
    <>
      <div class="actions controls">
        <button type="button" class="primary" disabled={testing.isRunning} onClick={testing.run}>
          {testing.isRunning ? 'Sending …' : test}
        </button>
        {state !== 'unconfirmed' && (
          <button type="button" disabled={switching.isRunning} onClick={switching.run}>
            {state === 'active' ? 'Disable' : 'Enable'}
          </button>
        )}
        <a class="button" href={`/account/notifications/${id}/edit`}>
          Edit
        </a>
        {kind === 'webhook' && (
          <button type="button" onClick={() => setDialog('rotate')}>
            Replace secret …
          </button>
        )}
        <button type="button" class="danger" onClick={() => setDialog('remove')}>
          Remove …
        </button>
      </div>
      <ErrorBanner error={testing.error ?? switching.error} />
      {tested !== null && <TestResult target={target} tested={tested} />}
      {dialog === 'rotate' && (
        <ReplaceSecret target={target} onReplaced={onChanged} onClose={() => setDialog(null)} />
      )}
      {dialog === 'remove' && (
        <ConfirmRemoval
          verb="Remove"
          noun="target"
          name={name}
          backTo="/account/notifications"
          remove={() => read(api.DELETE('/v1/webhooks/{id}', path))}
          onClose={() => setDialog(null)}
        >
          <p>It receives no more events, and pending ones are not sent. This cannot be undone.</p>
        </ConfirmRemoval>
      )}
    </>
  );
}

function TestResult({
  target: { kind, state, target },
  tested: { delivered, status, error },
}: {
  readonly target: Target;
  readonly tested: Body<'TestedWebhook'>;
}) {
  if (!delivered)
    return (
      <Banner kind="error" title="The test was not delivered">
        <p>{error}</p>
      </Banner>
    );
  const what = state === 'unconfirmed' ? 'The link' : 'A test message';
  return (
    <Banner kind="good">
      <p>
        {kind === 'email'
          ? `${what} was sent to ${target}.`
          : `The test was delivered. The target answered ${status ?? 'without a status'}.`}
      </p>
    </Banner>
  );
}

/** Confirms a new signing secret, and shows it once. */
function ReplaceSecret({
  target: { id, name },
  onReplaced,
  onClose,
}: {
  readonly target: Target;
  readonly onReplaced: (target: Target) => void;
  readonly onClose: () => void;
}) {
  const [created, setCreated] = useState<Body<'CreatedWebhook'> | null>(null);
  const action = useAction(async () =>
    setCreated(await read(api.POST('/v1/webhooks/{id}/rotate', { params: { path: { id } } }))),
  );
  if (created?.secret != null) {
    const { secret, ...target } = created;
    return (
      <SigningSecret
        secret={secret}
        note="For one day, Nightshift also signs with the previous secret."
        onClose={() => {
          onReplaced(target);
          onClose();
        }}
      />
    );
  }
  return (
    <Confirm
      title={`Replace the secret of “${name}”?`}
      confirm="Replace secret"
      isRunning={action.isRunning}
      error={action.error}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>For one day, Nightshift signs with both secrets, so that no event is lost while you switch.</p>
    </Confirm>
  );
}
