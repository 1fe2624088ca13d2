import { beforeAll, describe, expect, test } from 'vitest';
import { signInAs, type SessionCall } from '../../support/api/session-calls.ts';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';
import { listOperations, type Document } from '../../support/openapi/document.ts';

const view = (account: string) => `/v1/operator/accounts/${account}/view`;
const stop = '/v1/session/view';
const api = useTestApi();
let operator: SessionCall;

beforeAll(async () => {
  operator = await signInAs(api(), 'operator');
  await api().createAccount('seen', 7n);
  const key = await api().createKey({ account: 'seen' });
  await api().call('POST', '/v1/batches', {
    key,
    headers: { 'Content-Type': 'text/csv' },
    body: 'website\nseen-by-olga.com\n',
  });
});

async function viewEvents(account: string): Promise<readonly string[]> {
  const accountId = await api().app.accounts.store.find(account);
  const lines = await api().app.accounts.audits.list(accountId, { limit: 1000, before: null });
  return lines.flatMap(({ event, login }) => (/view/.test(event) ? [`${event} ${login}`] : [])).reverse();
}

describe('view of an account', () => {
  test('reads the data of the account until it stops, and the audit log of the account records who viewed it', async () => {
    const began = await operator('POST', view('seen'));
    expect([began.status, began.json()]).toMatchObject([
      200,
      { user: { account: 'default', viewed_account: 'seen', role: 'operator' } },
    ]);
    expect((await operator('GET', '/v1/credits')).json()).toMatchObject({ credits: 7 });
    const { batches } = (await operator('GET', '/v1/batches')).json() as { batches: { id: string }[] };
    expect(batches).toHaveLength(1);
    const query = { query: 'SELECT count(*)::integer AS n FROM lookups' };
    expect((await operator('POST', '/v1/sql', { json: query })).text).toContain('1');
    expect(await viewEvents('seen')).toEqual(['account_viewed operator-of-default@example.com']);

    const ended = await operator('DELETE', stop);
    expect([ended.status, ended.json()]).toMatchObject([200, { user: { viewed_account: null } }]);
    expect((await operator('DELETE', stop)).status).toBe(200);
    expect(((await operator('GET', '/v1/batches')).json() as { batches: object[] }).batches).toEqual([]);
    expect(await viewEvents('seen')).toEqual([
      'account_viewed operator-of-default@example.com',
      'account_view_ended operator-of-default@example.com',
    ]);
    expect(await viewEvents('default')).toEqual([]);
  });

  test('changes nothing, in any operation, and reads nothing that only admins read', async () => {
    const document = (await api().call('GET', '/openapi.json')).json() as Document;
    const { batches } = (await operator('GET', '/v1/batches')).json() as { batches: { id: string }[] };
    expect(batches).toEqual([]);
    await operator('POST', view('seen'));
    const [batch] = ((await operator('GET', '/v1/batches')).json() as { batches: { id: string }[] }).batches;
    const changing = listOperations(document).filter(
      ({ method, path }) =>
        (method !== 'GET' || /^\/v1\/(account|operator|webhooks|destinations)\b/.test(path)) &&
        !/^\/v1\/(sessions?\b|sql$)/.test(path),
    );
    expect(changing.length).toBeGreaterThan(40);
    const before = await api().countRows();
    for (const { method, path, isGuarded, isOfSession } of changing) {
      if (!isGuarded && !isOfSession) continue;
      const at = path.replace('{name}', 'seen').replaceAll(/\{\w+\}/g, batch?.id ?? '');
      const answer = await operator(method, at, method === 'GET' ? {} : { json: {} });
      expect([method, path, answer.status, codesOf(answer)]).toEqual([
        method,
        path,
        403,
        ['insufficient_scope'],
      ]);
      expect(answer.text).toContain('read-only');
    }
    expect(await api().countRows()).toEqual(before);
    await operator('DELETE', stop);
  });

  test('is for operators, in their session, and for accounts that exist', async () => {
    const admin = await signInAs(api(), 'admin');
    const key = await api().createKey({ scopes: ['admin'] });
    expect((await admin('POST', view('seen'))).status).toBe(403);
    expect((await api().call('POST', view('seen'), { key })).status).toBe(403);
    expect((await api().call('POST', view('seen'))).status).toBe(401);
    expect((await operator('POST', view('unknown'))).status).toBe(404);
    const other = await signInAs(api(), 'operator');
    await operator('POST', view('seen'));
    expect((await other('GET', '/v1/session')).json()).toMatchObject({ user: { viewed_account: null } });
    await operator('DELETE', stop);
  });

  test('ends when the operator gets another role', async () => {
    const olga = await signInAs(api(), 'operator', 'seen');
    await olga('POST', view('default'));
    await api().app.accounts.users.setRole('operator-of-seen@example.com', 'admin', {
      actor: 'test',
      address: null,
    });
    expect((await olga('GET', '/v1/credits')).status).toBe(401);
  });
});
