import type { Actor } from './key-store.ts';
import { isPassword } from './password.ts';
import type { SessionOrigin, SessionStore } from './session-store.ts';
import { createToken, digestToken } from './token.ts';
import type { UserStore } from './user-store.ts';

/** The stores and limits that signing in needs. */
export interface SignInService {
  readonly users: UserStore;
  readonly sessions: SessionStore;
  /** Bounds how many passwords are tried at a time, and how many wait: each takes much memory and time. */
  readonly withLimit: <T>(work: () => Promise<T>) => Promise<T>;
}

type Origin = Omit<SessionOrigin, 'method'>;

/** Credentials presented to sign in. */
export interface PasswordTry {
  readonly login: string;
  readonly password: string;
}

/**
 * Begins a session for who knows the password; its token is answered here and is nowhere else. Null for a wrong password, for a user
 * without one, and for a login that nobody has: all take the same time.
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

/** Begins a session with a link, which is worth nothing afterwards. Null: it is worth nothing already. */
export async function signInByLink(
  { sessions }: Pick<SignInService, 'sessions'>,
  link: string,
  origin: Origin,
): Promise<string | null> {
  const token = createToken();
  const user = await sessions.useLink(digestToken(link), digestToken(token), { ...origin, method: 'link' });
  return user === null ? null : token;
}

/** Begins a session; answers its token. @throws NotFound for a user who may not sign in. */
export async function beginSession(
  sessions: SessionStore,
  userId: string,
  origin: SessionOrigin,
): Promise<string> {
  const token = createToken();
  await sessions.begin(userId, digestToken(token), origin);
  return token;
}

/** Makes a link that begins a session once, and ends those made before for the same user; answers what stands behind its `#`. @throws NotFound for who may not sign in. */
export async function createSignInLink(
  sessions: SessionStore,
  login: string,
  link: { readonly minutes: number; readonly by: Actor },
): Promise<string> {
  const token = createToken();
  await sessions.createLink(login, digestToken(token), link);
  return token;
}
