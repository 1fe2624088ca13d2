import type { App } from '../../../app/app.ts';
import type { User } from '../../../core/accounts/user-store.ts';
import { createSignInLink } from '../../../core/accounts/sign-in.ts';

/** Actor of changes by the command line in the audit log. */
export const fromHere = { actor: 'cli', address: null };

/** First user of a private server. */
const firstLogin = 'operator';

const firstLinkMinutes = 24 * 60;

/**
 * Returns the URL of a one-time sign-in. The secret follows the `#`: browsers do not send it, so link scanners cannot use it up.
 */
export function signInAddress(consoleUrl: string, link: string): string {
  return `${consoleUrl}/sign-in#${link}`;
}

/**
 * Finds the operator of a private server who has no password yet, and creates that user at the first start. There is no default password.
 * Null when users can sign in already, or the database is not the private one.
 */
export async function findFirstUser({
  accounts: { users, defaultId: accountId },
  config,
}: App): Promise<User | null> {
  if (config.databaseUrl !== null) return null;
  const known = await users.list();
  if (known.length === 0) await users.add({ login: firstLogin, accountId, role: 'operator' }, fromHere);
  const user =
    known.length === 0 ? await users.find(firstLogin) : known.find(({ login }) => login === firstLogin);
  return user === undefined || user.hasPassword || user.disabledAt !== null ? null : user;
}

/** Creates the URL of a one-time sign-in for this user, valid for a day. Earlier links become invalid. */
export async function createFirstLink(
  { accounts: { sessions } }: App,
  { login }: User,
  consoleUrl: string,
): Promise<string> {
  const link = await createSignInLink(sessions, login, { minutes: firstLinkMinutes, by: fromHere });
  return signInAddress(consoleUrl, link);
}
