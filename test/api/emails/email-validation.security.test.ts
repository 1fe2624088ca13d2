import { describe, expect, test } from 'vitest';
import { createApiKey, scopes } from '../../../src/core/accounts/api-key.ts';
import { codesOf, useTestApi, type Call, type ProblemBody } from '../../support/api/test-api.ts';

const path = '/v1/people/email-validation';
const json = { email: 'jane@example.com' };

describe('access to email validation', () => {
  const api = useTestApi();

  test.each<readonly [string, () => Promise<Call> | Call]>([
    ['no key', () => ({})],
    ['an empty key', () => ({ key: '' })],
    ['a malformed key', () => ({ key: 'let me in' })],
    ['an unknown key', () => ({ key: createApiKey() })],
    [
      'an expired key',
      async () => ({ key: await api().createKey({ expiresAt: new Date(Date.now() - 60_000) }) }),
    ],
    ['a revoked key', async () => ({ key: await revokedKey() })],
    ['a valid key twice', async () => twice(await api().createKey())],
    [
      'a valid key as bearer token',
      async () => ({ headers: { Authorization: `Bearer ${await api().createKey()}` } }),
    ],
    ['a valid key in the body', async () => ({ json: { ...json, api_key: await api().createKey() } })],
  ])('§5.3 with %s is a 401 invalid_api_key', async (_case, callOf) => {
    const answer = await api().call('POST', path, { json, ...(await callOf()) });
    expect([answer.status, codesOf(answer)]).toEqual([401, ['invalid_api_key']]);
    expect(answer.text).not.toContain('email_status');
  });

  test('§5.3 without a key does not reveal whether the address is well-formed', async () => {
    const good = await api().call('POST', path, { json });
    const bad = await api().call('POST', path, { json: { email: 7 } });
    const errorsOf = (answer: typeof good) => (answer.json() as ProblemBody).errors;
    expect(errorsOf(bad)).toEqual(errorsOf(good));
  });

  test('our choice: all scopes except email:validate are a 403 that names it', async () => {
    const key = await api().createKey({ scopes: scopes.filter((scope) => scope !== 'email:validate') });
    const answer = await api().call('POST', path, { key, json });
    expect([answer.status, codesOf(answer)]).toEqual([403, ['insufficient_scope']]);
    expect((answer.json() as ProblemBody).errors[0]?.title).toContain('email:validate');
  });

  test('our choice: email:validate is enough for this operation and for no other', async () => {
    const key = await api().createKey({ scopes: ['email:validate'] });
    expect((await api().call('POST', path, { key, json })).status).toBe(200);
    const others: readonly (readonly [string, string, Call])[] = [
      ['POST', '/v1/ads/google-ads-search', { json: { company_domain: 'nike.com' } }],
      ['GET', '/v1/credits', {}],
      ['GET', '/v1/ledger', {}],
      ['GET', '/v1/batches', {}],
      ['GET', '/v1/account/api-keys', {}],
      ['POST', '/v1/account/api-keys', {}],
    ];
    for (const [method, at, call] of others) {
      expect([at, (await api().call(method, at, { key, ...call })).status]).toEqual([at, 403]);
    }
  });

  test('our choice: an answer must not be cached', async () => {
    const answer = await api().call('POST', path, { key: await api().createKey(), json });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('our choice: an answer stored under an Idempotency-Key is not returned to another account', async () => {
    await api().createAccount('other');
    const headers = { 'Idempotency-Key': 'shared' };
    const own = await api().call('POST', path, { key: await api().createKey(), json, headers });
    const key = await api().createKey({ account: 'other' });
    const others = await api().call('POST', path, { key, json: { email: 'john@example.org' }, headers });
    expect([own.status, others.status]).toEqual([200, 200]);
    expect(others.headers.get('idempotency-replayed')).toBeNull();
    expect(others.json()).toMatchObject({ email: 'john@example.org' });
  });

  async function revokedKey(): Promise<string> {
    const {
      accounts: { keys, defaultId: accountId },
    } = api().app;
    const by = { actor: 'test', address: null };
    const created = await keys.create(
      accountId,
      { name: 'x', scopes: ['email:validate'], expiresAt: null },
      by,
    );
    await keys.revoke(accountId, created.keyId, by);
    return created.key;
  }
});

/** `fetch` joins repeated headers like servers do; the tests of the ads search repeat them on the wire. */
function twice(key: string): Call {
  return { headers: { 'X-API-Key': `${key}, ${key}` } };
}
