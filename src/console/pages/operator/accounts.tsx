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
import { PagedTable } from '../../components/paged-table.tsx';
import { say } from '../../components/toast.tsx';
import type { Column } from '../../components/table.tsx';
import { formatCount, formatCredits, Moment } from '../../components/values.tsx';

type Account = Body<'OperatorAccount'>;

/** All accounts of the installation, for who looks after it. */
export function Accounts() {
  const pages = usePages<Account>('accounts', async (after, signal) => {
    const query = after === undefined ? {} : { after };
    const { accounts, next } = await read(api.GET('/v1/operator/accounts', { params: { query }, signal }));
    return { items: accounts, next };
  });
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title="Accounts"
      lead="All accounts of this installation: what they have, and what they may use."
      actions={
        <>
          <a class="button" href="/operator/queues">
            Queues
          </a>
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            Add an account
          </button>
        </>
      }
    >
      <PagedTable
        pages={pages}
        caption="Accounts by name"
        columns={columns}
        keyOf={({ name }) => name}
        empty={<p>There is no account.</p>}
      />
      {isAdding && <AddAccount onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** Address of an account's page. */
function hrefOf(name: string): string {
  return `/operator/accounts/${encodeURIComponent(name)}`;
}

const columns: readonly Column<Account>[] = [
  { head: 'Account', isHeading: true, cell: ({ name }) => <a href={hrefOf(name)}>{name}</a> },
  { head: 'Can be spent', kind: 'number', cell: ({ balance }) => formatCredits(balance) },
  { head: 'Held', kind: 'number', cell: ({ held }) => formatCredits(held) },
  { head: 'Open lookups', kind: 'number', cell: ({ open_lookups: open }) => formatCount(open) },
  { head: 'Users', kind: 'number', cell: ({ users }) => formatCount(users) },
  { head: 'Keys', kind: 'number', cell: ({ keys }) => formatCount(keys) },
  { head: 'Since', kind: 'day', cell: ({ created_at: at }) => <Moment at={at} /> },
];

function AddAccount({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const [once, setOnce] = useState(newRequestKey);
  const action = useAction(async (form: HTMLFormElement) => {
    const body = { name: formText(form, 'name').trim() };
    const params = { header: { 'Idempotency-Key': once } };
    const { name } = await read(api.POST('/v1/operator/accounts', { params, body }));
    say(`The account “${name}” is there. It has no credits and no users yet.`);
    route(hrefOf(name));
  });
  return (
    <Dialog title="Add an account" onClose={onClose}>
      <form
        onInput={() => setOnce(newRequestKey())}
        onSubmit={(event) => {
          event.preventDefault();
          action.run(event.currentTarget);
        }}
      >
        <Field label="Name" hint="It stays; nothing removes an account, because its ledger stays.">
          <input name="name" required maxLength={200} autocomplete="off" />
        </Field>
        <ErrorBanner failure={action.failure} />
        <div class="actions">
          <button type="button" onClick={onClose}>
            Back
          </button>
          <button type="submit" class="primary" disabled={action.isRunning}>
            Add the account
          </button>
        </div>
      </form>
    </Dialog>
  );
}
