import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { useAction } from '../../api/use-action.ts';
import { usePages } from '../../api/use-pages.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/forms/field.tsx';
import { formText } from '../../components/forms/form-text.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import { toast } from '../../components/toast.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { formatCount, formatCredits, Moment } from '../../components/values.tsx';

type Account = Body<'OperatorAccount'>;

/** Page of all accounts of the installation, for operators. */
export function Accounts() {
  const pages = usePages<Account>('accounts', async (after, signal) => {
    const query = after === undefined ? {} : { after };
    const { accounts, next } = await read(api.GET('/v1/operator/accounts', { params: { query }, signal }));
    return { items: accounts, next };
  });
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Accounts"
      lead="All accounts of this installation, with their credits and usage."
      actions={
        <>
          <a class="button" href="/operator/queues">
            Queues
          </a>
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            Create account
          </button>
        </>
      }
    >
      <PagedTable
        pages={pages}
        caption="Accounts by name"
        view="accounts"
        count={{ noun: ['account', 'accounts'] }}
        columns={columns}
        keyOf={({ name }) => name}
        empty={<p>No accounts yet. Create one to add users.</p>}
      />
      {isCreating && <CreateAccount onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** Returns the path of an account's page. */
function hrefOf(name: string): string {
  return `/operator/accounts/${encodeURIComponent(name)}`;
}

const columns: readonly Column<Account>[] = [
  {
    head: 'Account',
    value: ({ name }) => name,
    isHeading: true,
    cell: ({ name }) => <a href={hrefOf(name)}>{name}</a>,
  },
  {
    head: 'Available',
    value: ({ balance }) => balance,
    kind: 'number',
    cell: ({ balance }) => formatCredits(balance),
  },
  { head: 'Reserved', value: ({ held }) => held, kind: 'number', cell: ({ held }) => formatCredits(held) },
  {
    head: 'Open lookups',
    value: ({ open_lookups: open }) => open,
    kind: 'number',
    cell: ({ open_lookups: open }) => formatCount(open),
  },
  { head: 'Users', value: ({ users }) => users, kind: 'number', cell: ({ users }) => formatCount(users) },
  { head: 'Keys', value: ({ keys }) => keys, kind: 'number', cell: ({ keys }) => formatCount(keys) },
  {
    head: 'Created',
    value: ({ created_at: at }) => at,
    kind: 'day',
    cell: ({ created_at: at }) => <Moment at={at} />,
  },
];

function CreateAccount({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const [requestKey, setRequestKey] = useState(newRequestKey);
  const action = useAction(async (form: HTMLFormElement) => {
    const body = { name: formText(form, 'name').trim() };
    const params = { header: { 'Idempotency-Key': requestKey } };
    const { name } = await read(api.POST('/v1/operator/accounts', { params, body }));
    toast(`Account “${name}” created. Grant credits and add users.`);
    route(hrefOf(name));
  });
  return (
    <Dialog title="Create account" onClose={onClose}>
      <form
        onInput={() => setRequestKey(newRequestKey())}
        onSubmit={(event) => {
          event.preventDefault();
          action.run(event.currentTarget);
        }}
      >
        <Field label="Name" hint="You cannot rename or delete an account later.">
          <input name="name" required maxLength={200} autocomplete="off" />
        </Field>
        <ErrorBanner error={action.error} />
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={action.isRunning}>
            Create account
          </button>
        </div>
      </form>
    </Dialog>
  );
}
