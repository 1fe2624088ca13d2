import { useState } from 'preact/hooks';
import type { Body } from '../../api/client.ts';
import { can, session } from '../../api/session.ts';
import { usePages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { Moment } from '../../components/values.tsx';
import { ChangeRole, EnableOrDisable, NewLink } from './change-user.tsx';
import { InviteUser } from './invite-user.tsx';
import { SignInLink } from './sign-in-link.tsx';
import { listUsers } from './user-requests.ts';

type User = Body<'User'>;
type OpenDialog = { readonly what: 'role' | 'link' | 'state'; readonly user: User };

/** Users of an account with their roles, and the dialogs that change them. */
export function UserList({
  account,
  isInviting,
  onInvited,
}: {
  /** Name of an account, for operators; null: the own one. */
  readonly account: string | null;
  readonly isInviting: boolean;
  /** Closes the invitation. */
  readonly onInvited: () => void;
}) {
  const [ways, setWays] = useState<Omit<Body<'UserList'>, 'users'>>({ mail_from: null, provider: null });
  const pages = usePages<User>(`users ${account}`, async (_after, signal) => {
    const { users, ...rest } = await listUsers(account, signal);
    setWays(rest);
    return { items: users, next: null };
  });
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [shown, setShown] = useState<Body<'Invitation'> | null>(null);

  function close(invitation?: Body<'Invitation'>): void {
    onInvited();
    setDialog(null);
    setShown(invitation ?? null);
    pages.reload();
  }

  const ofDialog = { account, ...ways, onDone: close, onClose: () => setDialog(null) };
  return (
    <>
      <PagedTable
        pages={pages}
        caption="Users of the account"
        count={{ noun: ['user', 'users'] }}
        columns={columns(setDialog)}
        keyOf={({ id }) => id}
        empty={<p>No users yet. Invite the first one, as an admin.</p>}
      />
      {isInviting && <InviteUser {...ofDialog} onClose={onInvited} />}
      {dialog?.what === 'role' && <ChangeRole {...ofDialog} user={dialog.user} />}
      {dialog?.what === 'link' && <NewLink {...ofDialog} user={dialog.user} />}
      {dialog?.what === 'state' && <EnableOrDisable {...ofDialog} user={dialog.user} />}
      {shown !== null && <SignInLink invitation={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function columns(open: (dialog: OpenDialog) => void): readonly Column<User>[] {
  return [
    {
      head: 'User',
      value: ({ login }) => login,
      cell: ({ id, login }) => `${login}${isSelf(id) ? ' (you)' : ''}`,
      isHeading: true,
    },
    { head: 'Role', value: ({ role }) => role, cell: ({ role }) => role },
    { head: 'State', value: ({ state }) => state, cell: ({ state }) => <State of={state} /> },
    {
      head: 'Last sign-in',
      value: ({ last_sign_in_at: at }) => at,
      cell: ({ last_sign_in_at: at }) => <Moment at={at} none="Never" />,
      kind: 'day',
    },
    { head: 'Actions', cell: (user) => <Actions of={user} open={open} /> },
  ];
}

/** Buttons for a user whom the signed-in user may change: not for oneself, and for operators only by operators. */
function Actions({ of: user, open }: { readonly of: User; readonly open: (dialog: OpenDialog) => void }) {
  if (isSelf(user.id) || (user.role === 'operator' && !can('operator'))) return null;
  const isDisabled = user.state === 'disabled';
  const named = <span class="hidden"> {user.login}</span>;
  return (
    <span class="actions">
      {!isDisabled && (
        <>
          <button type="button" onClick={() => open({ what: 'role', user })}>
            Change role{named}
          </button>
          <button type="button" onClick={() => open({ what: 'link', user })}>
            New link{named}
          </button>
        </>
      )}
      <button type="button" class={isDisabled ? '' : 'danger'} onClick={() => open({ what: 'state', user })}>
        {isDisabled ? 'Enable' : 'Disable'}
        {named}
      </button>
    </span>
  );
}

function isSelf(id: string): boolean {
  return id === session.value?.user?.id;
}

function State({ of: state }: { readonly of: User['state'] }) {
  if (state === 'disabled') return <Badge tone="bad">Disabled</Badge>;
  return state === 'invited' ? <Badge tone="warm">Invited</Badge> : <Badge tone="good">Active</Badge>;
}
