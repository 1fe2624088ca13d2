import { beginSession } from '../../../src/core/accounts/sign-in.ts';
import type { Role } from '../../../src/core/accounts/roles.ts';
import type { Answer, TestApi, Call } from './test-api.ts';

/** Sends a request with a session, like the console. */
export type SessionCall = (method: string, path: string, call?: Call) => Promise<Answer>;

/** Creates a user with a role and signs in. */
export async function signInAs(api: TestApi, role: Role, account = 'default'): Promise<SessionCall> {
  const own = await sessionHeaders(api, role, account);
  return (method, path, call = {}) =>
    api.call(method, path, { ...call, headers: { ...own, ...call.headers } });
}

/** Headers of a request from the console in the session of a user with a role. */
export async function sessionHeaders(
  api: TestApi,
  role: Role,
  account: string,
): Promise<{ readonly Cookie: string; readonly 'Sec-Fetch-Site': string }> {
  const {
    accounts: { users, sessions, store: accounts },
  } = api.app;
  const login = `${role}-of-${account}@example.com`;
  const known = (await users.list()).find((user) => user.login === login);
  const accountId = await accounts.find(account);
  const user = known ?? (await users.add({ login, role, accountId }, { actor: 'test', address: null }));
  const token = await beginSession(sessions, user.userId, {
    method: 'link',
    address: '127.0.0.1',
    agent: 'test',
  });
  return { Cookie: `nightshift_session=${token}`, 'Sec-Fetch-Site': 'same-origin' };
}
