import type { Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { Confirm } from '../../components/dialog.tsx';
import { formText } from '../../components/forms/form-text.ts';
import { toast } from '../../components/toast.tsx';
import { RoleChoice } from './role-choice.tsx';
import { SendMail, UserForm, wantsMail, type UserDialog } from './user-form.tsx';
import { changeUser, createLink } from './user-requests.ts';

type ChangeDialog = UserDialog & { readonly user: Body<'User'> };

/** Dialog that changes the role of a user. */
export function ChangeRole({ account, user: { id, login, role: before }, onDone, onClose }: ChangeDialog) {
  return (
    <UserForm
      title={`Role of ${login}`}
      submit="Change role"
      work={async (form) => {
        const role = formText(form, 'role') as typeof before;
        await changeUser(account, id, { role });
        toast(`${login} now has the role ${role}.`);
        onDone();
      }}
      onClose={onClose}
    >
      <RoleChoice role={before} />
      <p class="hint">A role that permits less signs the user out. They sign in again to continue.</p>
    </UserForm>
  );
}

/** Dialog that creates a sign-in link for a user. */
export function NewLink({ account, mail_from: from, user: { id, login }, onDone, onClose }: ChangeDialog) {
  return (
    <UserForm
      title={`New sign-in link for ${login}`}
      submit="Create link"
      work={async (form, requestKey) =>
        onDone(await createLink(account, id, { send_mail: wantsMail(form) }, requestKey))
      }
      onClose={onClose}
    >
      <p>For a user who has no password or forgot it. Earlier links of the user stop working.</p>
      <SendMail from={from} />
    </UserForm>
  );
}

/** Confirmation before a user is disabled, or enabled again. */
export function EnableOrDisable({ account, user: { id, login, state }, onDone, onClose }: ChangeDialog) {
  const isDisabled = state === 'disabled';
  const verb = isDisabled ? 'Enable' : 'Disable';
  const action = useAction(async () => {
    await changeUser(account, id, { disabled: !isDisabled });
    toast(`${login} ${verb.toLowerCase()}d.`);
    onDone();
  });
  return (
    <Confirm
      title={`${verb} ${login}?`}
      confirm={`${verb} user`}
      isDangerous={!isDisabled}
      isRunning={action.isRunning}
      error={action.error}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>
        {isDisabled
          ? 'The user can sign in again. API keys that were revoked stay revoked.'
          : 'The user is signed out at once and cannot sign in. Their API keys are revoked. Batches and schedules continue.'}
      </p>
    </Confirm>
  );
}
