import { signal } from '@preact/signals';
import type { Body } from './client.ts';
import { sendOnce } from './send.ts';
import { resumeRequests } from './session-ended.ts';
import { errorOf } from './request-error.ts';

/** Current session; undefined while unknown. */
export const session = signal<Body<'Session'> | undefined>(undefined);

/** Reads the current session. */
export async function readSession(): Promise<void> {
  session.value = await call('GET');
}

/** Signs in with a password or a link, then sends the waiting requests. @throws RequestError */
export async function signIn(credentials: Body<'SignIn'>): Promise<void> {
  const before = session.value?.user?.id;
  const found = await call('POST', credentials);
  // Another user: the data on the page belongs to the previous one.
  if (before !== undefined && found.user?.id !== before) location.assign('/');
  session.value = found;
  resumeRequests();
}

/** Sends the waiting requests if the user has signed in again in another tab. */
export async function recheckSession(): Promise<void> {
  const found = await call('GET').catch(() => null);
  if (found === null || found.user === null) return;
  if (found.user.id !== session.value?.user?.id) location.assign('/');
  resumeRequests();
}

/** Ends this session, or all sessions of this user. @throws RequestError */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  const response = await sendOnce(everywhere ? '/v1/sessions' : '/v1/session', { method: 'DELETE' });
  if (!response.ok) throw await errorOf(response);
  // A page load clears the data in memory.
  location.assign('/sign-in');
}

/** Views an account, read-only. @throws RequestError */
export async function viewAccount(name: string): Promise<void> {
  await changeView(`/v1/operator/accounts/${encodeURIComponent(name)}/view`, 'POST');
  location.assign('/');
}

/** Stops viewing an account, and returns to its page. @throws RequestError */
export async function stopViewing(name: string): Promise<void> {
  await changeView('/v1/session/view', 'DELETE');
  location.assign(`/operator/accounts/${encodeURIComponent(name)}`);
}

async function changeView(path: string, method: 'POST' | 'DELETE'): Promise<void> {
  const response = await sendOnce(path, { method });
  if (!response.ok) throw await errorOf(response);
}

/** True when the signed-in user has a permission: a scope, or `operator`. */
export function can(permission: string): boolean {
  return session.value?.user?.permissions.includes(permission) ?? false;
}

async function call(method: 'GET' | 'POST', body?: object): Promise<Body<'Session'>> {
  const response = await sendOnce('/v1/session', {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Body<'Session'>;
}
