import type { App } from '../../../app/app.ts';
import type { User } from '../../../core/accounts/user-store.ts';
import { createSignInLink } from '../../../core/accounts/sign-in.ts';

/** Author of the command line's changes in the audit log. */
export const fromHere = { actor: 'cli', address: null };

/** First user of a private server. */
const firstLogin = 'operator';

const firstLinkMinutes = 24 * 60;

/**
 * The address at which somebody signs in, once. What proves it stands behind the `#`: browsers send that to nobody, and no program that
 * looks at links in messages uses it up.
 */
export function signInAddress(consoleUrl: string, link: string): string {
  return `${consoleUrl}/sign-in#${link}`;
}

/**
 * On a private server, where nobody has set a password yet: its operator, made at the first time. There is no default password anywhere.
 * Null: people are there who sign in by themselves, or the database is not a private one.
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

/** The address at which this user signs in, once, within a day. Links that were made before are worth nothing any more. */
export async function createFirstLink(
  { accounts: { sessions } }: App,
  { login }: User,
  consoleUrl: string,
): Promise<string> {
  const link = await createSignInLink(sessions, login, { minutes: firstLinkMinutes, by: fromHere });
  return signInAddress(consoleUrl, link);
}
