import { useLocation } from 'preact-iso';
import { session } from '../../api/session.ts';
import { Page } from '../../components/page.tsx';
import { PasswordForm } from '../account/password-form.tsx';

/** Page after a sign-in by link: asks a user without a password to set one, now or later. */
export function FirstPassword() {
  const { route } = useLocation();
  const provider = session.value?.provider ?? null;
  return (
    <Page title="Set a password" lead="You signed in with a link, which does not work again.">
      <div class="columns">
        <div class="card">
          <PasswordForm onSet={() => route('/')} />
          <p class="hint">
            Without a password, your session ends after 7 days without use, and you need a new link from an
            admin of your account{provider === null ? '' : `, or sign in with ${provider}`}. You can set a
            password later under Settings, Profile.
          </p>
          <a class="button" href="/">
            Not now
          </a>
        </div>
      </div>
    </Page>
  );
}
