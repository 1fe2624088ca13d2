import { useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Figures } from '../../components/figures.tsx';
import { WhenThere } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { formatCount, formatCounted, formatCredits, Moment } from '../../components/values.tsx';
import { GrantForm } from './grant-form.tsx';
import { LimitsForm } from './limits-form.tsx';

type Account = Body<'OperatorAccount'>;

/** One account: what it has and does, credits for it, and its limits. */
export function OneAccount() {
  const { params } = useRoute();
  const name = params['name'] ?? '';
  return <Shown key={name} name={name} />;
}

function Shown({ name }: { readonly name: string }) {
  const loaded = useLoad(`account ${name}`, (signal) =>
    read(api.GET('/v1/operator/accounts/{name}', { params: { path: { name } }, signal })),
  );
  return (
    <Page
      kind="Account"
      title={name}
      lead={
        loaded.data && (
          <>
            There since <Moment at={loaded.data.created_at} />
          </>
        )
      }
      actions={
        <a class="button" href="/operator/accounts">
          All accounts
        </a>
      }
    >
      <WhenThere loaded={loaded}>
        {(account) => (
          <>
            <Figures figures={figuresOf(account)} />
            <div class="columns">
              <Section
                title="Grant credits"
                lead="They can be spent at once. Nothing takes a grant back: it stands in the ledger, with its reason."
              >
                <GrantForm account={account} onGranted={loaded.replace} />
              </Section>
              <Section
                title="Limits"
                lead="They count from the next request on, in every process. An empty field goes by the settings."
              >
                <LimitsForm account={account} onChanged={loaded.replace} />
              </Section>
            </div>
            <Section title="Users">
              <p>
                People are let in on the machine of the service:{' '}
                <code>nightshift users add LOGIN --account {quoted(name)}</code> prints a link to sign in
                with.
              </p>
            </Section>
          </>
        )}
      </WhenThere>
    </Page>
  );
}

function figuresOf(account: Account) {
  return [
    { name: 'Can be spent', value: formatCredits(account.balance), note: 'credits' },
    { name: 'Held', value: formatCredits(account.held), note: 'for lookups that are open' },
    { name: 'Open lookups', value: formatCount(account.open_lookups) },
    {
      name: 'Who uses it',
      value: formatCounted(account.users, 'user'),
      note: `${formatCounted(account.keys, 'API key')}${account.has_sql_login ? ', a login to the database' : ''}`,
    },
  ];
}

/** As a shell takes it. */
function quoted(name: string): string {
  return /^[\w.@-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
