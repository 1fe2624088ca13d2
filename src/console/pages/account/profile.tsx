import { useState } from 'preact/hooks';
import { read, api, type Body } from '../../api/client.ts';
import { session, signOut } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { Confirm } from '../../components/dialog.tsx';
import { DateChoice } from '../../components/dates/date-choice.tsx';
import { Figures } from '../../components/figures.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { ThemeChoice } from '../../components/theme.tsx';
import { Moment } from '../../components/values.tsx';
import { PasswordForm } from './password-form.tsx';
import { OwnSubscriptions } from './subscriptions.tsx';
import { roleLabels, signInLabels } from './labels.ts';

/** Page of the signed-in user: account, sessions, password, and signing out everywhere. */
export function Profile() {
  const user = session.value?.user;
  if (user == null) return null;
  return (
    <Page title="Profile">
      <Figures
        figures={[
          { name: 'Signed in as', value: user.login, note: signInLabels[user.signed_in_by] },
          { name: 'Account', value: user.account },
          { name: 'Role', value: user.role, note: roleLabels[user.role] },
        ]}
      />
      <div class="columns">
        <Appearance />
        <Section title={user.has_password ? 'Change password' : 'Set password'}>
          <div class="card">
            <PasswordForm />
          </div>
        </Section>
      </div>
      <OwnSubscriptions />
      <Sessions />
    </Page>
  );
}

/** Choices for this browser. */
function Appearance() {
  return (
    <Section title="Appearance" lead="For this browser.">
      <div class="card">
        <ThemeChoice />
        <DateChoice />
      </div>
    </Section>
  );
}

type OwnSession = Body<'SessionList'>['sessions'][number];

function Sessions() {
  const loaded = useLoad('sessions', () => read(api.GET('/v1/sessions')));
  const [isConfirming, setConfirming] = useState(false);
  const signingOut = useAction(() => signOut({ everywhere: true }));
  return (
    <Section
      title="Sessions"
      actions={
        <button type="button" onClick={() => setConfirming(true)}>
          Sign out everywhere
        </button>
      }
    >
      <WhenLoaded loaded={loaded}>
        {({ sessions }) => (
          <Table caption="Your sessions" columns={columns} rows={sessions} keyOf={({ id }) => id} />
        )}
      </WhenLoaded>
      {isConfirming && (
        <Confirm
          title="Sign out everywhere?"
          confirm="Sign out everywhere"
          isRunning={signingOut.isRunning}
          error={signingOut.error}
          onConfirm={signingOut.run}
          onClose={() => setConfirming(false)}
        >
          <p>All your sessions end, including this one. Unused sign-in links stop working.</p>
        </Confirm>
      )}
    </Section>
  );
}

const columns: readonly Column<OwnSession>[] = [
  {
    head: 'Browser',
    cell: ({ agent, current }) => `${agent === '' ? 'Unknown' : agent}${current ? ' (this session)' : ''}`,
    isHeading: true,
  },
  { head: 'IP address', cell: ({ address }) => address },
  { head: 'Signed in', cell: ({ began_at: at }) => <Moment at={at} />, kind: 'day' },
  { head: 'Last used', cell: ({ seen_at: at }) => <Moment at={at} />, kind: 'day' },
];
