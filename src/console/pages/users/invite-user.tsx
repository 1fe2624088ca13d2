import type { Body } from '../../api/client.ts';
import { Banner } from '../../components/banner.tsx';
import { Field } from '../../components/forms/field.tsx';
import { formText } from '../../components/forms/form-text.ts';
import { RoleChoice } from './role-choice.tsx';
import { SendMail, UserForm, wantsMail, type UserDialog } from './user-form.tsx';
import { inviteUser } from './user-requests.ts';

/** Dialog that invites a user with a role, and creates the link for the first sign-in. */
export function InviteUser({ account, mail_from: from, provider, onDone, onClose }: UserDialog) {
  return (
    <UserForm
      title="Invite user"
      submit="Create invitation"
      work={async (form, requestKey) => {
        const login = formText(form, 'login').trim();
        const role = formText(form, 'role') as Body<'User'>['role'];
        onDone(await inviteUser(account, { login, role, send_mail: wantsMail(form) }, requestKey));
      }}
      onClose={onClose}
    >
      <Field label="E-mail address or user name">
        <input name="login" required maxLength={254} autocomplete="off" />
      </Field>
      <RoleChoice role="member" />
      <SendMail from={from} />
      {provider !== null && (
        <Banner>
          <p>
            With the e-mail address that {provider} knows, the user can also sign in with {provider}, without
            the link.
          </p>
        </Banner>
      )}
    </UserForm>
  );
}
