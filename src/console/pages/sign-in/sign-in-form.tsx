import { session, signIn } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { formText } from '../../components/forms/form-text.ts';
import { Field } from '../../components/forms/field.tsx';
import { ErrorBanner } from '../../components/banner.tsx';

/** Sign-in form: user name and password, and the identity provider if one is set up. */
export function SignInForm() {
  const provider = session.value?.provider ?? null;
  const action = useAction((form: HTMLFormElement) =>
    signIn({ login: formText(form, 'login'), password: formText(form, 'password') }),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.run(event.currentTarget);
      }}
    >
      <Field label="E-mail address or user name">
        <input
          name="login"
          autocomplete="username"
          required
          maxLength={254}
          defaultValue={session.value?.user?.login ?? ''}
        />
      </Field>
      <Field label="Password">
        <input name="password" type="password" autocomplete="current-password" required maxLength={200} />
      </Field>
      <ErrorBanner error={action.error} />
      <div class="actions">
        <button type="submit" class="primary" disabled={action.isRunning}>
          {action.isRunning ? 'Signing in …' : 'Sign in'}
        </button>
        {provider !== null && (
          <a class="button" href="/v1/session/provider">
            Sign in with {provider}
          </a>
        )}
      </div>
      <p class="hint">No password? An admin of your account creates a sign-in link under Settings, Users.</p>
    </form>
  );
}
