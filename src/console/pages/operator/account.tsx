import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { viewAccount } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Figures } from '../../components/figures.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { formatCount, formatCounted, formatCredits, Moment } from '../../components/values.tsx';
import { UserList } from '../users/user-list.tsx';
import { GrantForm } from './grant-form.tsx';
import { LimitsForm } from './limits-form.tsx';

type Account = Body<'OperatorAccount'>;

/** Page of an account for operators: its balance, limits and access. */
export function AccountPage() {
  const { params } = useRoute();
  const name = params['name'] ?? '';
  return <AccountDetails key={name} name={name} />;
}

function AccountDetails({ name }: { readonly name: string }) {
  const loaded = useLoad(`account ${name}`, (signal) =>
    read(api.GET('/v1/operator/accounts/{name}', { params: { path: { name } }, signal })),
  );
  const viewing = useAction(() => viewAccount(name));
  return (
    <Page
      kind="Account"
      title={name}
      lead={
        loaded.data && (
          <>
            Created <Moment at={loaded.data.created_at} />
          </>
        )
      }
      actions={
        <>
          <a class="button" href="/operator/accounts">
            All accounts
          </a>
          <button type="button" disabled={viewing.isRunning} onClick={viewing.run}>
            View as account {name}
          </button>
        </>
      }
    >
      <ErrorBanner error={viewing.error} />
      <WhenLoaded loaded={loaded}>
        {(account) => (
          <>
            <Figures figures={figuresOf(account)} />
            <div class="columns">
              <Section
                title="Grant credits"
                lead="Available at once. A grant cannot be undone. The ledger shows it with its reason."
              >
                <GrantForm account={account} onGranted={loaded.replace} />
              </Section>
              <Section
                title="Limits"
                lead="Apply from the next request. Leave a field empty for the default."
              >
                <LimitsForm account={account} onChanged={loaded.replace} />
              </Section>
            </div>
            <AccountUsers name={name} />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function AccountUsers({ name }: { readonly name: string }) {
  const [isInviting, setInviting] = useState(false);
  return (
    <Section
      title="Users"
      actions={
        <button type="button" onClick={() => setInviting(true)}>
          Invite user
        </button>
      }
    >
      <UserList account={name} isInviting={isInviting} onInvited={() => setInviting(false)} />
    </Section>
  );
}

function figuresOf(account: Account) {
  return [
    { name: 'Available', value: formatCredits(account.balance), note: 'credits' },
    { name: 'Reserved', value: formatCredits(account.held), note: 'for open lookups' },
    { name: 'Open lookups', value: formatCount(account.open_lookups) },
    {
      name: 'Access',
      value: formatCounted(account.users, 'user'),
      note: `${formatCounted(account.keys, 'API key')}${account.has_sql_login ? ', database login' : ''}`,
    },
  ];
}
