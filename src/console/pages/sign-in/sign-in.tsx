import { signIn } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Notice, ErrorBanner } from '../../components/banner.tsx';
import { Page } from '../../components/page.tsx';
import { SignInForm } from './sign-in-form.tsx';

/**
 * Page to sign in. A link has its secret behind the `#`, which the browser sends to no server; a click uses it, opening the page does not.
 */
export function SignIn() {
  const link = linkOf(location);
  const byLink = useAction(async () => signIn({ link: link ?? '' }));
  return (
    <main id="main" class="sign-in">
      <div class="card">
        <p class="brand">
          <img src="/icon.svg" alt="" width="28" height="28" />
          Nightshift
        </p>
        <Page title="Sign in">
          <ProviderError why={new URLSearchParams(location.search).get('provider')} />
          {link === null ? (
            <SignInForm />
          ) : (
            <>
              <p>This link signs you in, once. After that it is worth nothing.</p>
              <ErrorBanner failure={byLink.failure} />
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
              {byLink.failure !== undefined && <SignInForm />}
            </>
          )}
        </Page>
      </div>
    </main>
  );
}

const providerLabels: Readonly<Record<string, string>> = {
  unreachable: 'The identity provider cannot be reached at the moment. Try again, or sign in another way.',
  unknown:
    'You are not a user of this Nightshift yet. Whoever runs it adds you by the e-mail address that you signed in with.',
  refused: 'The identity provider did not sign you in. Try again, or sign in another way.',
};

function ProviderError({ why }: { readonly why: string | null }) {
  const words = providerLabels[why ?? ''];
  return words === undefined ? null : (
    <Notice kind="error">
      <p>{words}</p>
    </Notice>
  );
}

function linkOf({ pathname, hash }: Location): string | null {
  return pathname === '/sign-in' && hash.length > 1 ? hash.slice(1) : null;
}
