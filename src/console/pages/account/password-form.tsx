import { useState } from 'preact/hooks';
import { send } from '../../api/send.ts';
import { readSession, session } from '../../api/session.ts';
import { RequestError, errorOf } from '../../api/request-error.ts';
import { useAction } from '../../api/use-action.ts';
import { Field } from '../../components/forms/field.tsx';
import { formText } from '../../components/forms/form-text.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { toast } from '../../components/toast.tsx';

/** Form to set the password of the signed-in user. */
export function PasswordForm({ onSet }: { readonly onSet?: () => void }) {
  const user = session.value?.user;
  const [differs, setDiffers] = useState(false);
  const action = useAction(async (form: HTMLFormElement) => {
    const password = formText(form, 'password');
    if (password !== formText(form, 'again')) {
      setDiffers(true);
      return;
    }
    setDiffers(false);
    await setPassword(password, formText(form, 'current'));
    form.reset();
    toast('Password set. Your other sessions have ended.');
    await readSession();
    onSet?.();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.run(event.currentTarget);
      }}
    >
      {user?.has_password === true && (
        <Field
          label="Current password"
          {...(user.signed_in_by === 'link'
            ? { hint: 'Optional within 15 minutes after you sign in with a link.' }
            : {})}
        >
          <input name="current" type="password" autocomplete="current-password" maxLength={200} />
        </Field>
      )}
      <Field label="New password" hint="At least 12 characters. Several words work well.">
        <input
          name="password"
          type="password"
          autocomplete="new-password"
          required
          minLength={12}
          maxLength={200}
        />
      </Field>
      <Field label="Confirm new password" error={differs ? 'The passwords do not match.' : undefined}>
        <input name="again" type="password" autocomplete="new-password" required maxLength={200} />
      </Field>
      <ErrorBanner error={action.error} />
      <div class="actions">
        <button type="submit" class="primary" disabled={action.isRunning}>
          Set password
        </button>
      </div>
    </form>
  );
}

/** Sends the new password. @throws RequestError */
async function setPassword(password: string, current: string): Promise<void> {
  const response = await send('/v1/session/password', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password, ...(current === '' ? {} : { current }) }),
  });
  if (response.ok) return;
  const error = await errorOf(response);
  throw error.code === 'sign_in_refused' ? new RequestError('The current password is wrong.', error) : error;
}
