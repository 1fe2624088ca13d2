import { beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../../src/core/accounts/roles.ts';
import { signInAs, type SessionCall } from '../../support/api/session-calls.ts';
import { codesOf, openTestApi, useTestApi, type Answer, type TestApi } from '../../support/api/test-api.ts';
import { openMailServer } from '../../support/events/mail-server.ts';

const path = '/v1/account/users';
const ofOperator = (account: string) => `/v1/operator/accounts/${account}/users`;
const own = { 'Sec-Fetch-Site': 'same-origin' };
const api = useTestApi();
let admin: SessionCall;
let operator: SessionCall;

beforeAll(async () => {
  admin = await signInAs(api(), 'admin');
  operator = await signInAs(api(), 'operator');
});

interface Invitation {
  readonly id: string;
  readonly login: string;
  readonly link: string;
  readonly mail: string;
}

async function invite(call: SessionCall, login: string, role: Role = 'member', at = path) {
  const answer = await call('POST', at, { json: { login, role } });
  expect(answer.status, answer.text).toBe(201);
  return answer.json() as Invitation;
}

function useLink(link: string, at: TestApi = api()): Promise<Answer> {
  return at.call('POST', '/v1/session', { json: { link: link.split('#')[1] ?? '' }, headers: own });
}

function cookieIn(answer: Answer): Readonly<Record<string, string>> {
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  return { ...own, Cookie: cookie };
}

/** Account with an admin who is signed in. */
async function accountWithAdmin(name: string): Promise<SessionCall> {
  await api().createAccount(name, 5n);
  return signInAs(api(), 'admin', name);
}

async function auditOf(account: string): Promise<readonly string[]> {
  const accountId = await api().app.accounts.store.find(account);
  const lines = await api().app.accounts.audits.list(accountId, { limit: 100, before: null });
  return lines.map(({ event, login }) => `${event} ${login ?? ''}`).reverse();
}

describe('invitation', () => {
  test('adds a user whose link works once, to this account only, with entries in the audit log', async () => {
    const ida = await accountWithAdmin('inviting');
    const invited = await invite(ida, 'Jane@Example.com', 'viewer');
    expect(invited).toMatchObject({
      login: 'jane@example.com',
      role: 'viewer',
      state: 'invited',
      has_password: false,
      last_sign_in_at: null,
      mail: 'not_requested',
    });
    expect(invited.link).toMatch(/^http.*\/sign-in#[\w-]{43}$/);
    const signedIn = await useLink(invited.link);
    expect(signedIn.json()).toMatchObject({
      user: { account: 'inviting', role: 'viewer', has_password: false },
    });
    expect(codesOf(await useLink(invited.link))).toEqual(['sign_in_refused']);
    const listed = (await ida('GET', path)).json() as { users: object[] };
    expect(listed).toMatchObject({
      users: [
        { login: 'admin-of-inviting@example.com', role: 'admin' },
        { login: 'jane@example.com', state: 'active' },
      ],
      mail_from: null,
      provider: null,
    });
    expect((await auditOf('inviting')).slice(-3)).toEqual([
      'user_added admin-of-inviting@example.com',
      'sign_in_link_made admin-of-inviting@example.com',
      'signed_in jane@example.com',
    ]);
    expect((await admin('GET', path)).text).not.toContain('jane@example.com');
  });

  test('expires after three days', async () => {
    const { id, link } = await invite(admin, 'late@example.com');
    const { rows } = await api().database.owner.pool.query<{ hours: string }>(
      `UPDATE nightshift.sign_in_links l SET expires_at = now() FROM nightshift.users u
        WHERE u.id = l.user_id AND u.public_id = $1
        RETURNING round(extract(epoch FROM (SELECT expires_at FROM nightshift.sign_in_links o WHERE o.digest = l.digest) - l.created_at) / 3600) AS hours`,
      [id],
    );
    expect(rows.map(({ hours }) => Number(hours))).toEqual([72]);
    expect(codesOf(await useLink(link))).toEqual(['sign_in_refused']);
  });

  test('repeated with its Idempotency-Key returns the same link, and the secret is not stored in plain text', async () => {
    const call = { json: { login: 'twice@example.com' }, headers: { 'Idempotency-Key': 'invite-1' } };
    const [first, second] = [await admin('POST', path, call), await admin('POST', path, call)];
    expect([first.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([
      ...[201, first.text],
      'true',
    ]);
    const token = (first.json() as Invitation).link.split('#')[1] ?? '';
    const { rows } = await api().database.owner.pool.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM nightshift.idempotency_keys WHERE position($1::bytea IN body) > 0`,
      [Buffer.from(token)],
    );
    expect(rows).toEqual([{ n: 0 }]);
    const other = await admin('POST', path, { json: call.json });
    expect([other.status, codesOf(other)]).toEqual([409, ['conflict']]);
  });

  test.each([
    {},
    { login: '' },
    { login: 'two words' },
    { login: 'x', role: 'boss' },
    { login: 'x', more: 1 },
  ])('rejects %j', async (json) => {
    expect((await admin('POST', path, { json })).status).toBe(400);
  });

  test('by mail reaches a real mail server; without one or without an address the error says what to do', async () => {
    const server = await openMailServer();
    const settings = { NIGHTSHIFT_SMTP_URL: server.url, NIGHTSHIFT_MAIL_FROM: 'ns@example.com' };
    const mailing = await openTestApi({ settings });
    try {
      const ada = await signInAs(mailing, 'admin');
      const json = { login: 'ruth@example.com', role: 'member', send_mail: true };
      const call = { json, headers: { 'Idempotency-Key': 'mail-1' } };
      const sent = await ada('POST', path, call);
      expect([sent.status, sent.json()]).toMatchObject([201, { mail: 'sent' }]);
      expect((await ada('POST', path, call)).text).toBe(sent.text);
      expect(server.mails).toHaveLength(1);
      expect(server.mails[0]).toMatchObject({ from: 'ns@example.com', to: ['ruth@example.com'] });
      const body = (server.mails[0]?.source ?? '').replaceAll('=\r\n', '');
      const link = /http\S+\/sign-in#[\w-]{43}/.exec(body)?.[0] ?? '';
      expect((await useLink(link, mailing)).status).toBe(200);

      server.next(550);
      const failed = await ada('POST', path, { json: { ...json, login: 'gone@example.com' } });
      expect([failed.status, failed.json()]).toMatchObject([201, { mail: 'failed' }]);
      const unnamed = await ada('POST', path, { json: { ...json, login: 'name' } });
      expect([unnamed.status, unnamed.text]).toEqual([
        400,
        expect.stringContaining('Send the link yourself'),
      ]);
    } finally {
      await mailing.close();
    }
    const without = await admin('POST', path, { json: { login: 'no@example.com', send_mail: true } });
    expect([without.status, without.text]).toEqual([400, expect.stringContaining('NIGHTSHIFT_SMTP_URL')]);
  });
});

describe('roles', () => {
  test('an admin gives roles up to admin; an operator gives every role in every account', async () => {
    await accountWithAdmin('ruled');
    const beyond = await admin('POST', path, { json: { login: 'op@example.com', role: 'operator' } });
    expect([beyond.status, codesOf(beyond)]).toEqual([403, ['insufficient_scope']]);
    expect(beyond.text).toContain('Ask an operator');
    await invite(operator, 'op@example.com', 'operator', ofOperator('ruled'));
    const { users } = (await operator('GET', ofOperator('ruled'))).json() as { users: Invitation[] };
    expect(users.map(({ login }) => login)).toEqual(['admin-of-ruled@example.com', 'op@example.com']);
    expect((await operator('GET', ofOperator('unknown'))).status).toBe(404);
  });

  test('an admin can neither change an operator nor create a link for one', async () => {
    const { id } = await invite(operator, 'boss@example.com', 'operator', ofOperator('default'));
    for (const json of [{ role: 'viewer' }, { disabled: true }]) {
      const answer = await admin('PATCH', `${path}/${id}`, { json });
      expect([answer.status, codesOf(answer)]).toEqual([403, ['insufficient_scope']]);
    }
    expect((await admin('POST', `${path}/${id}/link`, { json: {} })).status).toBe(403);
    expect(
      (await operator('PATCH', `${ofOperator('default')}/${id}`, { json: { disabled: true } })).status,
    ).toBe(200);
  });

  test('a key gives no role whose permissions it lacks', async () => {
    const key = await api().createKey({ scopes: ['admin'] });
    const answer = await api().call('POST', path, { key, json: { login: 'k@example.com', role: 'viewer' } });
    expect([answer.status, codesOf(answer)]).toEqual([403, ['insufficient_scope']]);
  });

  test('a link from before a user became an operator does not work', async () => {
    const { id, link } = await invite(admin, 'rising@example.com', 'member');
    await operator('PATCH', `${ofOperator('default')}/${id}`, { json: { role: 'operator' } });
    expect(codesOf(await useLink(link))).toEqual(['sign_in_refused']);
  });

  test('users of another account are not found', async () => {
    const other = await accountWithAdmin('foreign');
    const { id } = await invite(admin, 'ours@example.com');
    for (const [method, at] of [
      ['PATCH', `${path}/${id}`],
      ['POST', `${path}/${id}/link`],
    ] as const) {
      const answer = await other(method, at, { json: {} });
      expect([method, answer.status]).toEqual([method, 404]);
    }
    const elsewhere = await operator('PATCH', `${ofOperator('foreign')}/${id}`, { json: { disabled: true } });
    expect(elsewhere.status).toBe(404);
  });
});

describe('change of a user', () => {
  test('signs out a user who is disabled or gets a lower role, and keeps the session of one who gets a higher role', async () => {
    const { id, link } = await invite(admin, 'moving@example.com', 'member');
    const headers = cookieIn(await useLink(link));
    const isSignedIn = async () => (await api().call('GET', '/v1/credits', { headers })).status === 200;
    const change = (json: object) => admin('PATCH', `${path}/${id}`, { json });
    expect((await change({ role: 'admin' })).json()).toMatchObject({ role: 'admin' });
    expect(await isSignedIn()).toBe(true);
    await change({ role: 'viewer' });
    expect(await isSignedIn()).toBe(false);
    expect((await change({ disabled: true })).json()).toMatchObject({ state: 'disabled' });
    const rejected = await admin('POST', `${path}/${id}/link`, { json: {} });
    expect([rejected.status, rejected.text]).toEqual([409, expect.stringContaining('Enable the user')]);
    await change({ disabled: false });
    const again = (await admin('POST', `${path}/${id}/link`, { json: {} })).json() as Invitation;
    expect((await useLink(again.link)).status).toBe(200);
    expect((await auditOf('default')).map((line) => line.split(' ')[0]).slice(-6)).toEqual([
      ...['user_role_changed', 'user_role_changed', 'user_disabled', 'user_enabled'],
      ...['sign_in_link_made', 'signed_in'],
    ]);
  });

  test('a new link ends the earlier one', async () => {
    const { id, link } = await invite(admin, 'lost@example.com');
    const second = (await admin('POST', `${path}/${id}/link`)).json() as Invitation;
    expect(codesOf(await useLink(link))).toEqual(['sign_in_refused']);
    expect((await useLink(second.link)).status).toBe(200);
  });

  test('leaves the account an admin, also when two disable each other at once, and no admin lowers their own role', async () => {
    const ida = await accountWithAdmin('pair');
    const { users } = (await ida('GET', path)).json() as { users: Invitation[] };
    const idaId = users[0]?.id ?? '';
    for (const json of [{ disabled: true }, { role: 'member' }]) {
      const self = await ida('PATCH', `${path}/${idaId}`, { json });
      expect([self.status, self.text]).toEqual([409, expect.stringContaining('Another admin')]);
      const last = await operator('PATCH', `${ofOperator('pair')}/${idaId}`, { json });
      expect([last.status, last.text]).toEqual([409, expect.stringContaining('last admin')]);
    }
    const { id, link } = await invite(ida, 'second@example.com', 'admin');
    const headers = cookieIn(await useLink(link));
    const answers = await Promise.all([
      ida('PATCH', `${path}/${id}`, { json: { disabled: true } }),
      api().call('PATCH', `${path}/${idaId}`, { headers, json: { disabled: true } }),
    ]);
    // The other one is too late: the account has one admin left, or the session has ended.
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect([401, 409]).toContain(statuses[1]);
  });
});
