import type { Body } from '../api/client.ts';
import { session } from '../api/session.ts';
import { Banner } from '../components/banner.tsx';
import { Page } from '../components/page.tsx';

const audiences = { admin: 'admins', operator: 'operators' } as const;

/** Page that a role cannot see: says whose it is, and whom to ask. */
export function NoPermission({
  subject,
  needs,
}: {
  readonly subject: string;
  readonly needs: keyof typeof audiences;
}) {
  const user = session.value?.user;
  if (user == null) return null;
  return (
    <Page title={subject}>
      <Banner kind="warning" title={`${subject} are for ${audiences[needs]}`}>
        <p>
          You are signed in as {user.login} with the role {user.role}. {remedyOf(user, needs)}
        </p>
      </Banner>
      <a class="button" href="/">
        Go to the start page
      </a>
    </Page>
  );
}

function remedyOf(
  { account, viewed_account: viewed }: NonNullable<Body<'Session'>['user']>,
  needs: keyof typeof audiences,
): string {
  if (viewed !== null) return 'A view of an account shows what its viewers see.';
  return needs === 'admin'
    ? `Ask an admin of the account ${account} to do this for you, or to give you the role admin.`
    : 'Only operators of this installation see all accounts.';
}
