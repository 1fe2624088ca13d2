import type { Actor } from './key-store.ts';
import { isPassword } from './password.ts';
import type { SessionOrigin, SessionStore } from './session-store.ts';
import { createToken, digestToken } from './token.ts';
import type { UserStore } from './user-store.ts';

/** The stores and limits that signing in needs. */
export interface SignInService {
  readonly users: UserStore;
  readonly sessions: SessionStore;
  /** Limits how many passwords are hashed at a time and how many attempts wait: each hash takes much memory and time. */
  readonly withLimit: <T>(work: () => Promise<T>) => Promise<T>;
}

type Origin = Omit<SessionOrigin, 'method'>;

/** Credentials presented to sign in. */
export interface PasswordTry {
  readonly login: string;
  readonly password: string;
}

/**
 * Starts a session for a login and its password, and returns the session token, which is stored nowhere. Null for a wrong
 * password, a user without a password and an unknown login; all three take the same time.
 */
export async function signInByPassword(
  { users, sessions, withLimit }: SignInService,
  { login, password }: PasswordTry,
  origin: Origin,
): Promise<string | null> {
  const known = await users.findForSignIn(login);
  const isRight = await withLimit(() => isPassword(password, known?.hash ?? null));
  if (known === null || !isRight) {
    await sessions.noteRefusal(login, origin.address);
    return null;
  }
  return beginSession(sessions, known.userId, { ...origin, method: 'password' });
}

/** Starts a session with a link, which is then used up. Null when the link is not valid. */
export async function signInByLink(
  { sessions }: Pick<SignInService, 'sessions'>,
  link: string,
  origin: Origin,
): Promise<string | null> {
  const token = createToken();
  const user = await sessions.useLink(digestToken(link), digestToken(token), { ...origin, method: 'link' });
  return user === null ? null : token;
}

/** Starts a session and returns its token. @throws NotFound for a user who may not sign in. */
export async function beginSession(
  sessions: SessionStore,
  userId: string,
  origin: SessionOrigin,
): Promise<string> {
  const token = createToken();
  await sessions.begin(userId, digestToken(token), origin);
  return token;
}

/**
 * Creates a link that starts one session, once, and returns the token that follows its `#`. Earlier links of the user become
 * invalid.
 *
 * @throws NotFound for a user who may not sign in.
 */
export async function createSignInLink(
  sessions: SessionStore,
  login: string,
  link: { readonly minutes: number; readonly by: Actor },
): Promise<string> {
  const token = createToken();
  await sessions.createLink(login, digestToken(token), link);
  return token;
}
