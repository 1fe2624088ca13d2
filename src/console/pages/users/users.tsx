import { useState } from 'preact/hooks';
import { Page } from '../../components/page.tsx';
import { UserList } from './user-list.tsx';

/** Page of the account's users, for admins. */
export function Users() {
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title="Users"
      lead="People who sign in to this account, and what they may do."
      actions={
        <button type="button" class="primary" onClick={() => setInviting(true)}>
          Invite user
        </button>
      }
    >
      <UserList account={null} isInviting={isInviting} onInvited={() => setInviting(false)} />
    </Page>
  );
}
