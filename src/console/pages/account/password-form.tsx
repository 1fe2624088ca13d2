import { useState } from 'preact/hooks';
import { send } from '../../api/send.ts';
import { readSession, session } from '../../api/session.ts';
import { Failure, errorOf } from '../../api/request-error.ts';
import { useAction } from '../../api/use-action.ts';
import { Field } from '../../components/forms/field.tsx';
import { formText } from '../../components/forms/form-text.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { say } from '../../components/toast.tsx';

/** Sets the password of who is signed in. */
export function PasswordForm() {
  const user = session.value?.user;
  const [mustMatch, setMustMatch] = useState(false);
  const action = useAction(async (form: HTMLFormElement) => {
    const password = formText(form, 'password');
    if (password !== formText(form, 'again')) {
      setMustMatch(true);
      return;
    }
    setMustMatch(false);
    await setPassword(password, formText(form, 'current'));
    form.reset();
    say('Your password is set. Your other sessions have ended.');
    await readSession();
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
          label="Password so far"
          {...(user.signed_in_by === 'link'
            ? { hint: 'Not needed within 15 minutes of signing in by a link.' }
            : {})}
        >
          <input name="current" type="password" autocomplete="current-password" maxLength={200} />
        </Field>
      )}
      <Field label="New password" hint="12 characters or more; several words are a good one.">
        <input
          name="password"
          type="password"
          autocomplete="new-password"
          required
          minLength={12}
          maxLength={200}
        />
      </Field>
      <Field label="New password again" error={mustMatch ? 'This is not the same password.' : undefined}>
        <input name="again" type="password" autocomplete="new-password" required maxLength={200} />
      </Field>
      <ErrorBanner failure={action.failure} />
      <div class="actions">
        <button type="submit" class="primary" disabled={action.isRunning}>
          Set the password
        </button>
      </div>
    </form>
  );
}

/** @throws Trouble */
async function setPassword(password: string, current: string): Promise<void> {
  const response = await send('/v1/session/password', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password, ...(current === '' ? {} : { current }) }),
  });
  if (response.ok) return;
  const failure = await errorOf(response);
  throw failure.code === 'sign_in_refused'
    ? new Failure('This is not your password so far.', failure)
    : failure;
}
