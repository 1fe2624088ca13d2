import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { WhenThere } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { say } from '../../components/toast.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Moment } from '../../components/values.tsx';
import { AccountTabs } from './account-tabs.tsx';
import { CreateKey } from './create-key.tsx';
import { NewKey } from './new-key.tsx';
import { scopeLabels } from './labels.ts';

type Key = Body<'ApiKey'>;
type Asking = { readonly what: 'regenerate' | 'revoke'; readonly key: Key };

/** The keys of the account: made, made anew and refused here, and shown once. */
export function Keys() {
  const loaded = useLoad('keys', () => read(api.GET('/v1/account/api-keys')));
  const [isCreating, setCreating] = useState(false);
  const [asking, setAsking] = useState<Asking | null>(null);
  const [shown, setShown] = useState<{
    readonly created: Body<'CreatedApiKey'>;
    readonly old: Key | null;
  } | null>(null);

  function show(created: Body<'CreatedApiKey'>, old: Key | null): void {
    setCreating(false);
    setAsking(null);
    setShown({ created, old });
    loaded.reload();
  }

  return (
    <Page
      title="API keys"
      lead="Programs use them. A key is a secret of your servers: it never belongs into a web page or an app."
      actions={
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          Create a key
        </button>
      }
    >
      <AccountTabs />
      <WhenThere loaded={loaded}>
        {({ keys }) =>
          keys.length === 0 ? (
            <div class="empty">
              <p>There is no key yet. Create one when a program is to use this account.</p>
            </div>
          ) : (
            <Table
              caption="API keys of the account"
              columns={columns(setAsking)}
              rows={[...keys].reverse()}
              keyOf={({ id }) => id}
            />
          )
        }
      </WhenThere>
      {isCreating && (
        <CreateKey onCreated={(created) => show(created, null)} onClose={() => setCreating(false)} />
      )}
      {asking?.what === 'regenerate' && (
        <Regenerate
          old={asking.key}
          onCreated={(created) => show(created, asking.key)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.what === 'revoke' && (
        <Revoke
          old={asking.key}
          onRevoked={() => {
            setAsking(null);
            loaded.reload();
          }}
          onClose={() => setAsking(null)}
        />
      )}
      {shown !== null && <NewKey {...shown} onClose={() => setShown(null)} />}
    </Page>
  );
}

function Regenerate({
  old,
  onCreated,
  onClose,
}: {
  readonly old: Key;
  readonly onCreated: (created: Body<'CreatedApiKey'>) => void;
  readonly onClose: () => void;
}) {
  const [once] = useState(newRequestKey);
  const action = useAction(async () =>
    onCreated(
      await read(
        api.POST('/v1/account/api-keys/{id}/regenerate', {
          params: { path: { id: old.id }, header: { 'Idempotency-Key': once } },
        }),
      ),
    ),
  );
  return (
    <Confirm
      title={`Regenerate “${old.name}”?`}
      confirm="Regenerate the key"
      isDangerous
      isRunning={action.isRunning}
      failure={action.failure}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>
        You get a new key with the same name and scopes.{' '}
        <strong>The old one, {old.hint}, stops working at once</strong>: every program that still sends it is
        refused from that moment on.
      </p>
      <p>What programs have set going with it goes on.</p>
    </Confirm>
  );
}

function Revoke({
  old,
  onRevoked,
  onClose,
}: {
  readonly old: Key;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}) {
  const action = useAction(async () => {
    await read(api.POST('/v1/account/api-keys/{id}/revoke', { params: { path: { id: old.id } } }));
    say(`The key ${old.hint} is refused from now on.`);
    onRevoked();
  });
  return (
    <Confirm
      title={`Revoke “${old.name}”?`}
      confirm="Revoke the key"
      isDangerous
      isRunning={action.isRunning}
      failure={action.failure}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>
        The key {old.hint} stops working at once, and for good. What programs have set going with it goes on.
      </p>
    </Confirm>
  );
}

function columns(ask: (asking: Asking) => void): readonly Column<Key>[] {
  return [
    { head: 'Name', cell: ({ name }) => name, isHeading: true },
    { head: 'Key', cell: ({ hint }) => <code>{hint}</code> },
    { head: 'State', cell: (key) => <State of={key} /> },
    {
      head: 'May',
      cell: ({ scopes }) => <span class="small">{scopes.map((scope) => scopeLabels[scope]).join(', ')}</span>,
    },
    { head: 'Created', cell: ({ created_at: at }) => <Moment at={at} />, kind: 'day' },
    { head: 'Expires', cell: ({ expires_at: at }) => <Moment at={at} none="never" />, kind: 'day' },
    { head: 'Last used', cell: ({ last_used_at: at }) => <Moment at={at} none="never" />, kind: 'day' },
    {
      head: 'Change',
      cell: (key) =>
        key.revoked_at === null && (
          <span class="actions">
            <button type="button" onClick={() => ask({ what: 'regenerate', key })}>
              Regenerate<span class="hidden"> {key.name}</span>
            </button>
            <button type="button" class="danger" onClick={() => ask({ what: 'revoke', key })}>
              Revoke<span class="hidden"> {key.name}</span>
            </button>
          </span>
        ),
    },
  ];
}

function State({ of: { revoked_at: revokedAt, expires_at: expiresAt } }: { readonly of: Key }) {
  if (revokedAt !== null) return <Badge tone="bad">revoked</Badge>;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return <Badge tone="warm">expired</Badge>;
  return <Badge tone="good">works</Badge>;
}
