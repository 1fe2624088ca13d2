import { useState } from 'preact/hooks';
import { read, api, type Body } from '../../api/client.ts';
import { session, signOut } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { Confirm } from '../../components/dialog.tsx';
import { Figures } from '../../components/figures.tsx';
import { WhenThere } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Moment } from '../../components/values.tsx';
import { AccountTabs } from './account-tabs.tsx';
import { PasswordForm } from './password-form.tsx';
import { roleLabels, wayLabels } from './labels.ts';

/** Page of the signed-in user: account, sessions, password, and signing out everywhere. */
export function Profile() {
  const user = session.value?.user;
  if (user == null) return null;
  return (
    <Page title="Account profile">
      <AccountTabs />
      <Figures
        figures={[
          { name: 'You are', value: user.login, note: wayLabels[user.signed_in_by] },
          { name: 'Account', value: user.account },
          { name: 'Your role', value: user.role, note: roleLabels[user.role] },
        ]}
      />
      <div class="columns">
        <Section title={user.has_password ? 'Change your password' : 'Set a password'}>
          <div class="card">
            <PasswordForm />
          </div>
        </Section>
        <Sessions />
      </div>
    </Page>
  );
}

type OwnSession = Body<'SessionList'>['sessions'][number];

function Sessions() {
  const loaded = useLoad('sessions', () => read(api.GET('/v1/sessions')));
  const [isAsking, setAsking] = useState(false);
  const leave = useAction(() => signOut({ everywhere: true }));
  return (
    <Section
      title="Where you are signed in"
      actions={
        <button type="button" onClick={() => setAsking(true)}>
          Sign out everywhere
        </button>
      }
    >
      <WhenThere loaded={loaded}>
        {({ sessions }) => (
          <Table caption="Your sessions" columns={columns} rows={sessions} keyOf={({ id }) => id} />
        )}
      </WhenThere>
      {isAsking && (
        <Confirm
          title="Sign out everywhere?"
          confirm="Sign out everywhere"
          isRunning={leave.isRunning}
          failure={leave.failure}
          onConfirm={leave.run}
          onClose={() => setAsking(false)}
        >
          <p>
            All your sessions end at once, this one too, and links that were not used are worth nothing any
            more.
          </p>
        </Confirm>
      )}
    </Section>
  );
}

const columns: readonly Column<OwnSession>[] = [
  {
    head: 'Browser',
    cell: ({ agent, current }) => `${agent === '' ? 'unknown' : agent}${current ? ' (this one)' : ''}`,
    isHeading: true,
  },
  { head: 'From', cell: ({ address }) => address },
  { head: 'Since', cell: ({ began_at: at }) => <Moment at={at} />, kind: 'day' },
  { head: 'Last used', cell: ({ seen_at: at }) => <Moment at={at} />, kind: 'day' },
];
