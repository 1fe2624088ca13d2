import { session, signIn } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { formText } from '../../components/forms/form-text.ts';
import { Field } from '../../components/forms/field.tsx';
import { ErrorBanner } from '../../components/banner.tsx';

/** Name and password, and the way through the identity provider where there is one. */
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
      <Field label="E-mail address or name">
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
      <ErrorBanner failure={action.failure} />
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
      <p class="hint">
        No password yet, or forgotten? Whoever runs this Nightshift makes you a link:{' '}
        <code>nightshift users link</code>
      </p>
    </form>
  );
}
