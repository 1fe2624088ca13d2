import { randomBytes, scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Role } from '../../../src/core/accounts/roles.ts';
import { beginSession, createSignInLink } from '../../../src/core/accounts/sign-in.ts';
import {
  codesOf,
  openTestApi,
  useTestApi,
  type Answer,
  type TestApi,
  type Call,
} from '../../support/api/test-api.ts';
import { listOperations, nameOf, type Document } from '../../support/openapi/document.ts';

const api = useTestApi();
const by = { actor: 'test', address: null };
const own = { 'Sec-Fetch-Site': 'same-origin' };
const password = 'correct horse battery';
/** Stored hash of the password with the lowest cost: 0.3 s less per sign-in. */
const cheapHash = hashCheaply();

async function addUser(
  login: string,
  { role = 'member', account = 'default' }: { role?: Role; account?: string } = {},
  at = api(),
) {
  const accountId = await at.app.accounts.store.find(account);
  return at.app.accounts.users.add({ login, role, accountId }, by);
}

function hashCheaply(): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 });
  return `$scrypt$ln=4,r=8,p=1$${salt.toString('base64')}$${hash.toString('base64')}`;
}

async function addUserWithPassword(login: string, at?: TestApi) {
  const { app } = at ?? api();
  const user = await addUser(login, {}, at);
  await app.accounts.users.setPassword(user.userId, cheapHash, by);
  return user;
}

async function sessionOf(login: string): Promise<string> {
  const { userId } = await api().app.accounts.users.find(login);
  return beginSession(api().app.accounts.sessions, userId, {
    method: 'link',
    address: '127.0.0.1',
    agent: 'test',
  });
}

function cookieOf(token: string) {
  return { Cookie: `nightshift_session=${token}` };
}

function as(token: string, call: Call = {}): Call {
  return { ...call, headers: { ...own, ...cookieOf(token), ...call.headers } };
}

/** Session token of a response. */
function tokenIn(answer: Answer): string {
  return /nightshift_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '';
}

function signIn(json: object, headers: Readonly<Record<string, string>> = own, at = api()): Promise<Answer> {
  return at.call('POST', '/v1/session', { json, headers });
}

describe('sign-in', () => {
  test('by password ignores the case of the login, and sets an HttpOnly, SameSite=Strict cookie', async () => {
    await addUserWithPassword('Ann@Example.com');
    const answer = await signIn({ login: 'ann@EXAMPLE.com', password });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      user: {
        login: 'ann@example.com',
        account: 'default',
        role: 'member',
        has_password: true,
        signed_in_by: 'password',
      },
      provider: null,
    });
    expect(answer.text).not.toContain(tokenIn(answer));
    expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/i);
    const credits = await api().call('GET', '/v1/credits', as(tokenIn(answer)));
    expect(credits.status).toBe(200);
    expect(credits.headers.get('ratelimit-limit')).not.toBeNull();
  });

  test('gives the same error for a wrong password, an unknown login, a login without a password and a disabled user', async () => {
    await addUserWithPassword('bob@example.com');
    await addUser('nopass@example.com');
    await addUserWithPassword('gone@example.com');
    await api().app.accounts.users.setDisabled('gone@example.com', true, by);
    const bodies = await Promise.all(
      [
        { login: 'bob@example.com', password: 'wrong horse battery' },
        { login: 'nobody@example.com', password },
        { login: 'nopass@example.com', password },
        { login: 'gone@example.com', password },
      ].map(async (given) => {
        const answer = await signIn(given);
        expect([answer.status, codesOf(answer), tokenIn(answer)]).toEqual([401, ['sign_in_refused'], '']);
        return (answer.json() as { errors: unknown }).errors;
      }),
    );
    expect(new Set(bodies.map((errors) => JSON.stringify(errors))).size).toBe(1);
    const audits = await api().app.accounts.audits.list(api().app.accounts.defaultId, {
      limit: 100,
      before: null,
    });
    expect(audits.map(({ event, login }) => `${event} ${login}`)).toContain(
      'sign_in_refused bob@example.com',
    );
  });

  test('by link works once, also under concurrent use, and not after expiry or for a disabled user', async () => {
    const {
      accounts: { sessions, users },
    } = api().app;
    await addUser('link@example.com');
    const link = await createSignInLink(sessions, 'link@example.com', { minutes: 5, by });
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn({ link })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(401)]);
    const over = await createSignInLink(sessions, 'link@example.com', { minutes: 0, by });
    expect(codesOf(await signIn({ link: over }))).toEqual(['sign_in_refused']);
    const last = await createSignInLink(sessions, 'link@example.com', { minutes: 5, by });
    await users.setDisabled('link@example.com', true, by);
    expect(codesOf(await signIn({ link: last }))).toEqual(['sign_in_refused']);
  });

  test('by a new link invalidates the earlier links of the same user only', async () => {
    const {
      accounts: { sessions },
    } = api().app;
    for (const login of ['two@example.com', 'third@example.com']) await addUser(login);
    const makeLink = (login: string) => createSignInLink(sessions, login, { minutes: 5, by });
    const others = await makeLink('third@example.com');
    const links = [await makeLink('two@example.com'), await makeLink('two@example.com'), others];
    const answers = [];
    for (const link of links) answers.push((await signIn({ link })).status);
    expect(answers).toEqual([401, 200, 200]);
  });

  test('is limited to ten attempts per user and address in ten minutes; other addresses and users are not affected', async () => {
    const limited = await openTestApi({ settings: { NIGHTSHIFT_TRUST_PROXY: 'true' } });
    try {
      await addUserWithPassword('eve@example.com', limited);
      await addUserWithPassword('adam@example.com', limited);
      const tries = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          signIn(
            { login: 'eve@example.com', password: `guess number ${i}` },
            { ...own, 'X-Forwarded-For': `2001:db8:0:1::${i}` },
            limited,
          ),
        ),
      );
      expect(tries.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(401), 429, 429]);
      const there = { ...own, 'X-Forwarded-For': '2001:db8:0:1::ffff' };
      const right = await signIn({ login: 'eve@example.com', password }, there, limited);
      expect([right.status, Number(right.headers.get('retry-after')) > 60]).toEqual([429, true]);
      expect((await signIn({ login: 'adam@example.com', password }, there, limited)).status).toBe(200);
      expect((await signIn({ login: 'eve@example.com', password }, own, limited)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  test('rejects a flood from one address before it checks any password', async () => {
    const limited = await openTestApi({});
    try {
      await addUserWithPassword('ivy@example.com', limited);
      const flood = Array.from({ length: 60 }, (_, i) =>
        signIn({ login: `nobody-${i}@example.com`, password }, own, limited),
      );
      const statuses = (await Promise.all(flood)).map(({ status }) => status);
      // Of twenty requests, two run, eight wait, and the others are rejected.
      expect(statuses.filter((status) => status === 429)).toHaveLength(40);
      expect(new Set(statuses)).toEqual(new Set([401, 429, 503]));
      const right = await signIn({ login: 'ivy@example.com', password }, own, limited);
      expect([right.status, Number(right.headers.get('retry-after')) <= 60]).toEqual([429, true]);
    } finally {
      await limited.close();
    }
  });

  test('by link is limited per address, for all users together', async () => {
    const limited = await openTestApi({ settings: { NIGHTSHIFT_BAD_KEYS_PER_MINUTE: '3' } });
    try {
      const answers: number[] = [];
      for (let i = 0; i < 5; i += 1)
        answers.push((await signIn({ link: `guess-${i}` }, own, limited)).status);
      expect(answers).toEqual([401, 401, 401, 429, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe('session', () => {
  test('authorises every operation with the role and account of its user', async () => {
    await api().createAccount('there', 5n);
    await addUser('there@example.com', { account: 'there', role: 'viewer' });
    const token = await sessionOf('there@example.com');
    expect((await api().call('GET', '/v1/credits', as(token))).json()).toMatchObject({ credits: 5 });
    const written = await api().call(
      'POST',
      '/v1/batches',
      as(token, { json: { rows: [{ domain: 'nike.com' }] } }),
    );
    expect([written.status, codesOf(written)]).toEqual([403, ['insufficient_scope']]);
    expect(written.text).toContain('viewer');
    const keys = await api().call('GET', '/v1/account/api-keys', as(token));
    expect(keys.status).toBe(403);
  });

  test('applies the current role and state of its user', async () => {
    await addUser('role@example.com', { role: 'member' });
    const token = await sessionOf('role@example.com');
    expect((await api().call('GET', '/v1/account/api-keys', as(token))).status).toBe(403);
    await api().app.accounts.users.setRole('role@example.com', 'admin', by);
    expect((await api().call('GET', '/v1/account/api-keys', as(token))).status).toBe(200);
    await api().app.accounts.users.setDisabled('role@example.com', true, by);
    const after = await api().call('GET', '/v1/account/api-keys', as(token));
    expect([after.status, codesOf(after)]).toEqual([401, ['session_ended']]);
  });

  test.each([
    ['an unknown token', 'unknown'],
    ['an empty token', ''],
  ])('does not exist for %s', async (_what, token) => {
    const answer = await api().call('GET', '/v1/credits', as(token));
    expect(answer.status).toBe(401);
    expect((await api().call('GET', '/v1/session', as(token))).json()).toEqual({
      user: null,
      provider: null,
    });
  });

  test('is ignored beside a bad key', async () => {
    await addUser('both@example.com');
    const token = await sessionOf('both@example.com');
    const answer = await api().call('GET', '/v1/credits', { ...as(token), key: 'bad' });
    expect([answer.status, codesOf(answer)]).toEqual([401, ['invalid_api_key']]);
  });

  test('ends on sign-out, here or everywhere, and on all other devices after a new password', async () => {
    await addUser('end@example.com');
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => sessionOf('end@example.com')));
    const isGood = async (token = '') => (await api().call('GET', '/v1/sessions', as(token))).status === 200;
    expect((await api().call('DELETE', '/v1/session', as(first ?? ''))).status).toBe(204);
    expect(await Promise.all([first, second, third].map(isGood))).toEqual([false, true, true]);
    const set = await api().call('POST', '/v1/session/password', as(second ?? '', { json: { password } }));
    expect(set.status).toBe(204);
    expect(await Promise.all([second, third].map(isGood))).toEqual([true, false]);
    const fourth = await sessionOf('end@example.com');
    expect((await api().call('DELETE', '/v1/sessions', as(second ?? ''))).status).toBe(204);
    expect(await Promise.all([second, fourth].map(isGood))).toEqual([false, false]);
  });

  test('can be ended from the list of own sessions, and sessions of others cannot', async () => {
    await addUser('mine@example.com');
    await addUser('other@example.com');
    const [mine, more, other] = [
      await sessionOf('mine@example.com'),
      await sessionOf('mine@example.com'),
      await sessionOf('other@example.com'),
    ];
    const listed = async (token: string) =>
      (
        (await api().call('GET', '/v1/sessions', as(token))).json() as {
          sessions: { id: string; current: boolean }[];
        }
      ).sessions;
    expect((await listed(mine)).map(({ current }) => current)).toEqual([false, true]);
    const [theirs] = await listed(other);
    const foreign = await api().call('DELETE', `/v1/sessions/${theirs?.id}`, as(mine));
    expect([foreign.status, codesOf(foreign)]).toEqual([404, ['not_found']]);
    const [newest] = await listed(mine);
    expect((await api().call('DELETE', `/v1/sessions/${newest?.id}`, as(mine))).status).toBe(204);
    expect((await api().call('GET', '/v1/sessions', as(more))).status).toBe(401);
    expect(await listed(other)).toHaveLength(1);
  });

  test('allows a password change with the current password, and rejects a new one that is too short', async () => {
    await addUserWithPassword('change@example.com');
    const token = tokenIn(await signIn({ login: 'change@example.com', password }));
    const change = (json: object) => api().call('POST', '/v1/session/password', as(token, { json }));
    expect(codesOf(await change({ password: 'another horse battery' }))).toEqual(['sign_in_refused']);
    expect(codesOf(await change({ current: 'wrong', password: 'another horse battery' }))).toEqual([
      'sign_in_refused',
    ]);
    expect(codesOf(await change({ current: password, password: 'short' }))).toEqual(['validation_error']);
    expect((await change({ current: password, password: 'another horse battery' })).status).toBe(204);
    expect((await signIn({ login: 'change@example.com', password })).status).toBe(401);
    expect((await signIn({ login: 'change@example.com', password: 'another horse battery' })).status).toBe(
      200,
    );
  });

  test('token is not stored', async () => {
    await addUser('digest@example.com');
    const token = await sessionOf('digest@example.com');
    const { rows } = await api().database.owner.pool.query<{ line: string }>(
      "SELECT s::text || encode(digest, 'escape') AS line FROM nightshift.sessions s",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ line }) => line.includes(token))).toEqual([]);
  });
});

describe('cross-site request', () => {
  const foreign: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['has Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['has Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }],
    ['has another origin', { Origin: 'https://evil.example' }],
    ['has the origin null', { Origin: 'null' }],
    ['has neither header', {}],
  ];

  test.each(foreign)('that %s changes nothing, in any operation', async (_what, headers) => {
    await addUser(`csrf-${JSON.stringify(headers).length}@example.com`, { role: 'admin' });
    const token = await sessionOf(`csrf-${JSON.stringify(headers).length}@example.com`);
    const operations = listOperations((await api().call('GET', '/openapi.json')).json() as Document);
    const changing = operations.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1/'));
    expect(changing.length).toBeGreaterThan(15);
    const before = await api().countRows();
    for (const operation of changing) {
      const path = operation.path.replace('{id}', 'x').replace('{name}', 'default');
      const answer = await api().call(operation.method, path, {
        headers: { ...cookieOf(token), ...headers },
        ...(operation.method === 'DELETE' ? {} : { json: {} }),
      });
      expect(answer.status, nameOf(operation)).toBe(403);
    }
    expect(await api().countRows()).toEqual(before);
  });

  test('cannot read if Sec-Fetch-Site is cross-site, and can if it is none', async () => {
    await addUser('read@example.com');
    const token = await sessionOf('read@example.com');
    const read = (headers: Readonly<Record<string, string>>) =>
      api().call('GET', '/v1/credits', { headers: { ...cookieOf(token), ...headers } });
    expect(codesOf(await read({ 'Sec-Fetch-Site': 'cross-site' }))).toEqual(['foreign_origin']);
    expect((await read({ 'Sec-Fetch-Site': 'none' })).status).toBe(200);
  });

  test('cannot sign a user in', async () => {
    await addUserWithPassword('login-csrf@example.com');
    const answer = await signIn(
      { login: 'login-csrf@example.com', password },
      { Origin: 'https://evil.example' },
    );
    expect([answer.status, codesOf(answer)]).toEqual([403, ['foreign_origin']]);
  });
});

test('session cookie behind TLS has the prefix __Host- and the attribute Secure', async () => {
  const secure = await openTestApi({ settings: { NIGHTSHIFT_BASE_URL: 'https://nightshift.example' } });
  try {
    await addUserWithPassword('tls@example.com', secure);
    const answer = await signIn({ login: 'tls@example.com', password }, own, secure);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-nightshift_session=.*; Secure; SameSite=Strict$/i,
    );
    const token = tokenIn(answer);
    const read = (cookie: string) =>
      secure.call('GET', '/v1/sessions', { headers: { ...own, Cookie: cookie } });
    expect((await read(`__Host-nightshift_session=${token}`)).status).toBe(200);
    expect((await read(`nightshift_session=${token}`)).status).toBe(401);
  } finally {
    await secure.close();
  }
});
