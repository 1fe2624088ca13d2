import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { Moment } from '../../components/values.tsx';
import { CreateKey } from './create-key.tsx';
import { NewKey } from './new-key.tsx';
import { scopeLabels } from './labels.ts';

type Key = Body<'ApiKey'>;
type OpenDialog = { readonly what: 'regenerate' | 'revoke'; readonly key: Key };

/** Page of API keys: create, regenerate and revoke them. New keys are shown once. */
export function Keys() {
  const loaded = useLoad('keys', () => read(api.GET('/v1/account/api-keys')));
  const [isCreating, setCreating] = useState(false);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [shown, setShown] = useState<{
    readonly created: Body<'CreatedApiKey'>;
    readonly old: Key | null;
  } | null>(null);

  function show(created: Body<'CreatedApiKey'>, old: Key | null): void {
    setCreating(false);
    setDialog(null);
    setShown({ created, old });
    loaded.reload();
  }

  return (
    <Page
      title="API keys"
      lead="For scripts and integrations. Keep keys on your servers, never in web pages or apps."
      actions={
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          Create API key
        </button>
      }
    >
      <WhenLoaded loaded={loaded}>
        {({ keys }) =>
          keys.length === 0 ? (
            <div class="empty">
              <p>No API keys yet. Create one for each program that uses this account.</p>
            </div>
          ) : (
            <Table
              caption="API keys of the account"
              columns={columns(setDialog)}
              rows={[...keys].reverse()}
              keyOf={({ id }) => id}
            />
          )
        }
      </WhenLoaded>
      {isCreating && (
        <CreateKey onCreated={(created) => show(created, null)} onClose={() => setCreating(false)} />
      )}
      {dialog?.what === 'regenerate' && (
        <Regenerate
          old={dialog.key}
          onCreated={(created) => show(created, dialog.key)}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.what === 'revoke' && (
        <Revoke
          old={dialog.key}
          onRevoked={() => {
            setDialog(null);
            loaded.reload();
          }}
          onClose={() => setDialog(null)}
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
  const [requestKey] = useState(newRequestKey);
  const action = useAction(async () =>
    onCreated(
      await read(
        api.POST('/v1/account/api-keys/{id}/regenerate', {
          params: { path: { id: old.id }, header: { 'Idempotency-Key': requestKey } },
        }),
      ),
    ),
  );
  return (
    <Confirm
      title={`Regenerate “${old.name}”?`}
      confirm="Regenerate key"
      isDangerous
      isRunning={action.isRunning}
      error={action.error}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>
        You get a new key with the same name and permissions.{' '}
        <strong>The old key, {old.hint}, stops working at once.</strong> Programs that still use it get an
        error.
      </p>
      <p>Running batches continue.</p>
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
    toast(`Key ${old.hint} revoked.`);
    onRevoked();
  });
  return (
    <Confirm
      title={`Revoke “${old.name}”?`}
      confirm="Revoke key"
      isDangerous
      isRunning={action.isRunning}
      error={action.error}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>The key {old.hint} stops working at once. This cannot be undone. Running batches continue.</p>
    </Confirm>
  );
}

function columns(open: (dialog: OpenDialog) => void): readonly Column<Key>[] {
  return [
    { head: 'Name', cell: ({ name }) => name, isHeading: true },
    { head: 'Key', cell: ({ hint }) => <code>{hint}</code> },
    { head: 'State', cell: (key) => <State of={key} /> },
    {
      head: 'Permissions',
      cell: ({ scopes }) => <span class="small">{scopes.map((scope) => scopeLabels[scope]).join(', ')}</span>,
    },
    { head: 'Created', cell: ({ created_at: at }) => <Moment at={at} />, kind: 'day' },
    { head: 'Expires', cell: ({ expires_at: at }) => <Moment at={at} none="Never" />, kind: 'day' },
    { head: 'Last used', cell: ({ last_used_at: at }) => <Moment at={at} none="Never" />, kind: 'day' },
    {
      head: 'Actions',
      cell: (key) =>
        key.revoked_at === null && (
          <span class="actions">
            <button type="button" onClick={() => open({ what: 'regenerate', key })}>
              Regenerate<span class="hidden"> {key.name}</span>
            </button>
            <button type="button" class="danger" onClick={() => open({ what: 'revoke', key })}>
              Revoke<span class="hidden"> {key.name}</span>
            </button>
          </span>
        ),
    },
  ];
}

function State({ of: { revoked_at: revokedAt, expires_at: expiresAt } }: { readonly of: Key }) {
  if (revokedAt !== null) return <Badge tone="bad">Revoked</Badge>;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return <Badge tone="warm">Expired</Badge>;
  return <Badge tone="good">Active</Badge>;
}
