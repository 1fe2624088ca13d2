import { signIn } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Page } from '../../components/page.tsx';
import { SignInForm } from './sign-in-form.tsx';

/**
 * Sign-in page. The secret of a link follows the `#`, which browsers do not send; a click uses the link, opening the page does not.
 */
export function SignIn() {
  const link = readLink(location);
  const byLink = useAction(async () => signIn({ link: link ?? '' }));
  return (
    <main id="main" class="sign-in">
      <div class="card">
        <p class="brand">
          <img src="/icon.svg" alt="" width="28" height="28" />
          Nightshift
        </p>
        <Page title="Sign in">
          <ProviderError reason={new URLSearchParams(location.search).get('provider')} />
          {link === null ? (
            <SignInForm />
          ) : (
            <>
              <p>This link works once.</p>
              <ErrorBanner error={byLink.error} />
              <div class="actions">
                <button
                  type="button"
                  class="primary"
                  disabled={byLink.isRunning}
                  onClick={() => byLink.run()}
                >
                  Sign in
                </button>
              </div>
              {byLink.error !== undefined && <SignInForm />}
            </>
          )}
        </Page>
      </div>
    </main>
  );
}

const providerErrors: Readonly<Record<string, string>> = {
  unreachable: 'The identity provider cannot be reached. Try again, or sign in another way.',
  unknown:
    'You are not a user of this installation. Ask your operator to add the e-mail address of your identity provider.',
  refused: 'The identity provider rejected the sign-in. Try again, or sign in another way.',
};

function ProviderError({ reason }: { readonly reason: string | null }) {
  const message = providerErrors[reason ?? ''];
  return message === undefined ? null : (
    <Banner kind="error">
      <p>{message}</p>
    </Banner>
  );
}

function readLink({ pathname, hash }: Location): string | null {
  return pathname === '/sign-in' && hash.length > 1 ? hash.slice(1) : null;
}
