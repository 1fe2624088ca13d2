import { signal } from '@preact/signals';
import type { Body } from './client.ts';
import { reach } from './send.ts';
import { goOn } from './session-ended.ts';
import { errorOf } from './request-error.ts';

/** Current session; undefined while unknown. */
export const session = signal<Body<'Session'> | undefined>(undefined);

/** Asks who is signed in. */
export async function readSession(): Promise<void> {
  session.value = await call('GET');
}

/** Signs in with a password or with a link; requests that waited for it go on. @throws Trouble */
export async function signIn(given: Body<'SignIn'>): Promise<void> {
  const before = session.value?.user?.id;
  const found = await call('POST', given);
  // Somebody else now: what the page holds is not theirs.
  if (before !== undefined && found.user?.id !== before) location.assign('/');
  session.value = found;
  goOn();
}

/** After a session has ended: whether the person has signed in again meanwhile, in another tab. Then what waited goes on. */
export async function checkAgain(): Promise<void> {
  const found = await call('GET').catch(() => null);
  if (found === null || found.user === null) return;
  if (found.user.id !== session.value?.user?.id) location.assign('/');
  goOn();
}

/** Ends this session, or all of this user. @throws Trouble */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  const response = await reach(everywhere ? '/v1/sessions' : '/v1/session', { method: 'DELETE' });
  if (!response.ok) throw await errorOf(response);
  // A new page: nothing of this one stays in memory.
  location.assign('/sign-in');
}

/** True when who is signed in may do something: a scope, or `operator`. */
export function may(permission: string): boolean {
  return session.value?.user?.permissions.includes(permission) ?? false;
}

async function call(method: 'GET' | 'POST', body?: object): Promise<Body<'Session'>> {
  const response = await reach('/v1/session', {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Body<'Session'>;
}
