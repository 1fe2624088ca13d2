import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { scopes, type Scope } from '../../../src/core/accounts/api-key.ts';
import { codesOf, useTestApi, type Answer, type Call, type ProblemBody } from '../../support/api/test-api.ts';
import { signInAs } from '../../support/api/session-calls.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const path = '/v1/account/api-keys';
const by = { actor: 'test', address: null };
const withoutAdmin = scopes.filter((scope) => scope !== 'admin');

interface Key {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly Scope[];
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

interface CreatedKey extends Key {
  readonly key: string;
}

interface AuditRow {
  readonly event: string;
  readonly key_id: string | null;
  readonly actor: string;
  readonly address: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

describe('API keys of an account', () => {
  const api = useTestApi();

  /** A key with every scope, created once: the number of keys per account is limited. */
  let adminKey: Promise<string> | undefined;
  const admin = () => (adminKey ??= api().createKey({ scopes }));

  async function post(key: string, at: string, call: Call = {}): Promise<Answer> {
    return api().call('POST', at, { key, ...call });
  }

  async function create(json: object = {}, call: Call = {}): Promise<CreatedKey> {
    const answer = await post(await admin(), path, { json, ...call });
    expect(answer.status, answer.text).toBe(201);
    return answer.json() as CreatedKey;
  }

  async function list(key: string): Promise<readonly Key[]> {
    const answer = await api().call('GET', path, { key });
    expect(answer.status).toBe(200);
    return (answer.json() as { readonly keys: readonly Key[] }).keys;
  }

  async function find(id: string): Promise<Key | undefined> {
    return (await list(await admin())).find((key) => key.id === id);
  }

  const statusWith = async (key: string) => (await api().call('GET', '/v1/credits', { key })).status;

  /** Audit log of a key, oldest first. */
  async function auditOf(keyId: string): Promise<readonly AuditRow[]> {
    const found = await api().database.owner.pool.query<AuditRow>(
      'SELECT event, key_id, actor, address, details FROM nightshift.audit_log WHERE key_id = $1 ORDER BY id',
      [keyId],
    );
    return found.rows;
  }

  /** Some entries are written asynchronously. */
  async function expectEvents(keyId: string, events: readonly string[]): Promise<readonly AuditRow[]> {
    await vi.waitFor(async () => expect((await auditOf(keyId)).map(({ event }) => event)).toEqual(events), {
      timeout: waitMsMax,
    });
    return auditOf(keyId);
  }

  describe('POST /v1/account/api-keys', () => {
    test('our choice: returns a key of the published format, with its scopes', async () => {
      const answer = await post(await admin(), path, { json: { name: 'nightly', scopes: ['ads:search'] } });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const created = answer.json() as CreatedKey;
      expect(created).toEqual({
        id: expect.stringMatching(/^key_/) as string,
        key: expect.stringMatching(/^ns_live_[0-9A-Za-z]{36}$/) as string,
        hint: `${created.key.slice(0, 12)}…${created.key.slice(-4)}`,
        name: 'nightly',
        scopes: ['ads:search'],
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        expires_at: null,
        revoked_at: null,
        last_used_at: null,
      });
    });

    test('§5.2 the new key works at once, for its scopes only', async () => {
      const { key } = await create({ scopes: ['credits:read'] });
      expect(await statusWith(key)).toBe(200);
      const search = await post(key, '/v1/ads/google-ads-search', { json: { company_domain: 'nike.com' } });
      expect(search.status).toBe(403);
    });

    test('our choice: with an empty body or none, the key has all scopes but admin and does not expire', async () => {
      const none = await post(await admin(), path);
      for (const created of [await create({}), none.json() as CreatedKey]) {
        expect([created.scopes, created.expires_at]).toEqual([withoutAdmin, null]);
      }
    });

    test('our choice: accepts an expiry in any time zone', async () => {
      const { expires_at: expiresAt } = await create({ expires_at: '2999-01-01T02:00:00+02:00' });
      expect(expiresAt).toBe('2999-01-01T00:00:00.000Z');
    });

    test.each<readonly [string, unknown]>([
      ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }],
      ['an expiry at this moment', { expires_at: new Date().toISOString() }],
      ['an expiry that is a date only', { expires_at: '2999-01-01' }],
      ['an expiry without a time zone', { expires_at: '2999-01-01T00:00:00' }],
      ['an expiry on a date that does not exist', { expires_at: '2999-02-30T00:00:00Z' }],
      ['an expiry in seconds', { expires_at: 32_472_144_000 }],
      ['an unknown scope', { scopes: ['everything'] }],
      ['no scopes', { scopes: [] }],
      ['scopes that are not a list', { scopes: 'admin' }],
      ['an empty name', { name: '' }],
      ['a blank name', { name: '  ' }],
      ['a name that is not a text', { name: 7 }],
      ['a name of 201 letters', { name: 'x'.repeat(201) }],
      ['a name with a NUL character', { name: 'a\0b' }],
      ['a name with a lone surrogate', { name: 'a\ud800b' }],
      ['an unknown field', { name: 'x', expiry: '2999-01-01T00:00:00Z' }],
      ['a list', []],
      ['a key chosen by the caller', { key: 'ns_live_000000000000000000000000000000000000' }],
    ])('our choice: %s is a 400, and no key is created', async (_case, json) => {
      const key = await admin();
      const before = await api().countRows();
      const answer = await post(key, path, { json });
      expect([answer.status, [...new Set(codesOf(answer))]]).toEqual([400, ['validation_error']]);
      expect((await api().countRows())['api_keys']).toBe(before['api_keys']);
    });

    test('our choice: a body that is not JSON is a 415, and no key is created', async () => {
      const key = await admin();
      const before = await api().countRows();
      const answer = await post(key, path, { body: 'name=x', headers: { 'Content-Type': 'text/plain' } });
      expect(answer.status).toBe(415);
      expect((await api().countRows())['api_keys']).toBe(before['api_keys']);
    });

    test('§5.4 an expired key is rejected', async () => {
      const { key, id } = await create({ expires_at: '2999-01-01T00:00:00Z' });
      expect(await statusWith(key)).toBe(200);
      await api().database.owner.pool.query(
        "UPDATE nightshift.api_keys SET expires_at = now() - interval '1 second' WHERE public_id = $1",
        [id],
      );
      expect(await statusWith(key)).toBe(401);
    });
  });

  describe('a created API key', () => {
    test('our choice: is returned once, and never listed', async () => {
      const { key, id } = await create({ name: 'shown once' });
      const answer = await api().call('GET', path, { key: await admin() });
      expect(answer.text).toContain(id);
      expect(answer.text).not.toContain(key);
      expect(answer.text).not.toContain(key.slice(12, -4));
      expect(await find(id)).not.toHaveProperty('key');
    });

    test('our choice: is stored only as its SHA-256', async () => {
      const plain = await create({ name: 'plain' });
      const kept = await create({ name: 'kept' }, { headers: { 'Idempotency-Key': 'secret-keeping' } });
      const renewed = (
        await post(await admin(), `${path}/${plain.id}/regenerate`, {
          headers: { 'Idempotency-Key': 'renewing' },
        })
      ).json() as CreatedKey;
      for (const { key } of [plain, kept, renewed]) await statusWith(key);
      const dump = await dumpTables();
      for (const { key } of [plain, kept, renewed]) {
        const secret = key.slice('ns_live_'.length);
        for (const form of formsOf(key).concat(formsOf(secret), formsOf(secret.slice(0, 30)))) {
          expect(dump.includes(form), `${form} stands in the database`).toBe(false);
        }
        const digest = createHash('sha256').update(key).digest('hex');
        expect(dump.split(digest)).toHaveLength(2);
      }
      // Both responses with an Idempotency-Key must be stored; otherwise this would prove nothing.
      const answers = await api().database.owner.pool.query(
        "SELECT 1 FROM nightshift.idempotency_keys WHERE key IN ('secret-keeping', 'renewing') AND length(body) > 36",
      );
      expect(answers.rowCount).toBe(2);
    });
  });

  describe('creating a key with an Idempotency-Key', () => {
    test('our choice: a repeat returns the same bytes with the key, and creates no second key', async () => {
      const key = await admin();
      const call = { json: { name: 'once' }, headers: { 'Idempotency-Key': 'create-once' } };
      const first = await post(key, path, call);
      const before = await api().countRows();
      const second = await post(key, path, call);
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.text).toBe(first.text);
      expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect(await api().countRows()).toEqual(before);
      expect((await list(key)).filter(({ name }) => name === 'once')).toHaveLength(1);
      expect(await statusWith((second.json() as CreatedKey).key)).toBe(200);
    });

    test('our choice: eight concurrent requests create one key', async () => {
      const key = await admin();
      const call = { json: { name: 'at once' }, headers: { 'Idempotency-Key': 'create-at-once' } };
      const answers = await Promise.all(Array.from({ length: 8 }, () => post(key, path, call)));
      const made = answers.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        expect([answer.status, codesOf(answer)]).toEqual([409, ['idempotency_conflict']]);
      }
      expect((await list(key)).filter(({ name }) => name === 'at once')).toHaveLength(1);
    });

    test('our choice: another body under the same key is a 422, and no key is created', async () => {
      const key = await admin();
      const headers = { 'Idempotency-Key': 'create-other' };
      await post(key, path, { json: { name: 'one' }, headers });
      const before = await api().countRows();
      const other = await post(key, path, { json: { name: 'other' }, headers });
      expect([other.status, codesOf(other)]).toEqual([422, ['idempotency_key_reused']]);
      expect(await api().countRows()).toEqual(before);
    });

    test('our choice: the stored response is not returned to another API key of the account', async () => {
      const call = { json: { name: 'mine' }, headers: { 'Idempotency-Key': 'create-mine' } };
      const mine = await post(await admin(), path, call);
      const before = await api().countRows();
      const secondAdmin = await api().createKey({ scopes });
      const theirs = await post(secondAdmin, path, call);
      expect(theirs.status).toBe(409);
      expect(theirs.text).not.toContain((mine.json() as CreatedKey).key.slice(12, -4));
      expect((await api().countRows())['api_keys']).toBe((before['api_keys'] ?? 0) + 1);
    });

    test('our choice: a 400 releases the Idempotency-Key', async () => {
      const key = await admin();
      const headers = { 'Idempotency-Key': 'create-later' };
      expect((await post(key, path, { json: { expires_at: '2020-01-01T00:00:00Z' }, headers })).status).toBe(
        400,
      );
      expect((await post(key, path, { json: { name: 'later' }, headers })).status).toBe(201);
    });
  });

  describe('GET /v1/account/api-keys', () => {
    test('our choice: lists every key of the account, oldest first, with revoked keys', async () => {
      await api().createAccount('listing');
      const key = await api().createKey({ account: 'listing', scopes });
      const ids: string[] = [];
      for (const name of ['a', 'b', 'c']) {
        ids.push(((await post(key, path, { json: { name } })).json() as CreatedKey).id);
      }
      await post(key, `${path}/${ids[1]}/revoke`);
      const keys = await list(key);
      expect(keys.slice(1).map(({ id }) => id)).toEqual(ids);
      expect(keys.slice(1).map((each) => each.revoked_at !== null)).toEqual([false, true, false]);
    });

    test('our choice: shows when a key was last used', async () => {
      const { key, id } = await create();
      expect((await find(id))?.last_used_at).toBeNull();
      await statusWith(key);
      await vi.waitFor(async () => expect((await find(id))?.last_used_at).not.toBeNull(), {
        timeout: waitMsMax,
      });
    });
  });

  describe('privileges of a new key', () => {
    test('cannot exceed those of the key that creates or regenerates it', async () => {
      const key = await api().createKey({ scopes: ['admin', 'credits:read'] });
      const beyond = await post(key, path, { json: { scopes: ['credits:read', 'sql:read'] } });
      expect([beyond.status, codesOf(beyond), (beyond.json() as ProblemBody).errors[0]?.title]).toEqual([
        403,
        ['insufficient_scope'],
        'scopes: you cannot grant a scope that you lack: sql:read',
      ]);
      const byDefault = await post(key, path);
      expect((byDefault.json() as CreatedKey).scopes).toEqual(['credits:read']);
      const nothingElse = await api().createKey({ scopes: ['admin'] });
      expect((await post(nothingElse, path)).status).toBe(403);
      const other = await create({ scopes: ['sql:read'] });
      expect((await post(key, `${path}/${other.id}/regenerate`)).status).toBe(403);
      expect((await find(other.id))?.revoked_at).toBeNull();
    });

    test('end when the user who created it is disabled, and shrink with the role of that user', async () => {
      const ask = await signInAs(api(), 'admin');
      const make = async (wanted: readonly Scope[]) => {
        const made = await ask('POST', path, { json: { scopes: wanted } });
        expect(made.status, made.text).toBe(201);
        return made.json() as CreatedKey;
      };
      const [reader, full] = [await make(['credits:read']), await make(scopes)];
      const second = (
        await post(full.key, path, { json: { scopes: ['credits:read', 'admin'] } })
      ).json() as CreatedKey;
      const third = (await post(second.key, `${path}/${second.id}/regenerate`)).json() as CreatedKey;
      const others = await create({ scopes: ['credits:read'] });
      const statuses = () => Promise.all([reader, full, third, others].map(({ key }) => statusWith(key)));
      expect(await statuses()).toEqual([200, 200, 200, 200]);
      const {
        accounts: { users },
      } = api().app;
      await users.setRole('admin-of-default@example.com', 'viewer', by);
      expect(await statuses()).toEqual([200, 401, 401, 200]);
      await users.setDisabled('admin-of-default@example.com', true, by);
      expect(await statuses()).toEqual([401, 401, 401, 200]);
    });
  });

  test('an account may have a hundred active keys; one more is a 409', async () => {
    await api().createAccount('many keys');
    const key = await api().createKey({ account: 'many keys', scopes });
    for (let n = 1; n < 100; n += 1) await api().createKey({ account: 'many keys' });
    const last = await post(key, path);
    expect([last.status, codesOf(last)]).toEqual([409, ['conflict']]);
    expect((await post(key, `${path}/${(await list(key)).at(-1)?.id}/revoke`)).status).toBe(200);
    expect((await post(key, path)).status).toBe(201);
  });

  describe('regenerating a key', () => {
    test('§5.5 returns a new key with the same name and scopes, and rejects the old one at once', async () => {
      const old = await create({ name: 'renewed', scopes: ['credits:read'] });
      const answer = await post(await admin(), `${path}/${old.id}/regenerate`);
      expect(answer.status).toBe(201);
      const renewed = answer.json() as CreatedKey;
      expect(renewed).toMatchObject({ name: 'renewed', scopes: ['credits:read'], revoked_at: null });
      expect(renewed.key).toMatch(/^ns_live_[0-9A-Za-z]{36}$/);
      expect(renewed.id).not.toBe(old.id);
      expect([await statusWith(old.key), await statusWith(renewed.key)]).toEqual([401, 200]);
      expect((await find(old.id))?.revoked_at).not.toBeNull();
    });

    test('§5.4 replaces an expired key, with a new expiry after the same lifetime', async () => {
      const expired = await create({ expires_at: '2999-01-01T00:00:00Z' });
      await api().database.owner.pool.query(
        `UPDATE nightshift.api_keys SET created_at = now() - interval '2 days', expires_at = now() - interval '1 day'
         WHERE public_id = $1`,
        [expired.id],
      );
      expect(await statusWith(expired.key)).toBe(401);
      const answer = await post(await admin(), `${path}/${expired.id}/regenerate`);
      const renewed = answer.json() as CreatedKey;
      expect(await statusWith(renewed.key)).toBe(200);
      const hours = (Date.parse(renewed.expires_at ?? '') - Date.parse(renewed.created_at)) / 3_600_000;
      expect(hours).toBeCloseTo(24, 3);
    });

    test('our choice: a repeat with the same Idempotency-Key returns the same bytes and regenerates once', async () => {
      const key = await admin();
      const old = await create();
      const headers = { 'Idempotency-Key': 'renew-once' };
      const first = await post(key, `${path}/${old.id}/regenerate`, { headers });
      const second = await post(key, `${path}/${old.id}/regenerate`, { headers });
      expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect(await statusWith((first.json() as CreatedKey).key)).toBe(200);
    });

    test('our choice: four concurrent requests create one key', async () => {
      const key = await admin();
      const old = await create({ name: 'raced' });
      const answers = await Promise.all([1, 2, 3, 4].map(() => post(key, `${path}/${old.id}/regenerate`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
      const good = (await list(key)).filter(
        ({ name, revoked_at }) => name === 'raced' && revoked_at === null,
      );
      expect(good).toHaveLength(1);
    });

    test('our choice: a revoked key is a 409, and no key is created', async () => {
      const { id } = await create();
      const key = await admin();
      await post(key, `${path}/${id}/revoke`);
      const before = await api().countRows();
      const answer = await post(key, `${path}/${id}/regenerate`);
      expect([answer.status, codesOf(answer)]).toEqual([409, ['conflict']]);
      expect(await api().countRows()).toEqual(before);
    });
  });

  describe('revoking a key', () => {
    test('our choice: rejects the key at once, and does not return its text', async () => {
      const { id, key } = await create();
      expect(await statusWith(key)).toBe(200);
      const answer = await post(await admin(), `${path}/${id}/revoke`);
      expect(answer.status).toBe(200);
      expect(answer.json()).toMatchObject({ id, revoked_at: expect.any(String) as string });
      expect(answer.text).not.toContain(key);
      expect(await statusWith(key)).toBe(401);
    });

    test('our choice: a second request changes nothing', async () => {
      const { id } = await create();
      const key = await admin();
      const first = await post(key, `${path}/${id}/revoke`);
      const second = await post(key, `${path}/${id}/revoke`);
      expect([second.status, second.text]).toEqual([200, first.text]);
      expect((await auditOf(id)).filter(({ event }) => event === 'key_revoked')).toHaveLength(1);
    });
  });

  describe('access to API keys', () => {
    test.each([
      ['GET', path],
      ['POST', path],
      ['POST', `${path}/key_00000000000000000000000000000000/regenerate`],
      ['POST', `${path}/key_00000000000000000000000000000000/revoke`],
    ])(
      'our choice: %s %s requires the scope admin; all other scopes together are a 403 that names it',
      async (method, at) => {
        const key = await api().createKey({ scopes: withoutAdmin });
        const before = await api().countRows();
        const answer = await api().call(method, at, { key });
        expect([answer.status, codesOf(answer)]).toEqual([403, ['insufficient_scope']]);
        expect((answer.json() as ProblemBody).errors[0]?.title).toContain('admin');
        expect(await api().countRows()).toEqual(before);
      },
    );

    test.each([
      ['GET', path],
      ['POST', path],
      ['POST', `${path}/key_00000000000000000000000000000000/regenerate`],
      ['POST', `${path}/key_00000000000000000000000000000000/revoke`],
    ])('§5.3 %s %s without a key is a 401', async (method, at) => {
      const answer = await api().call(method, at);
      expect([answer.status, codesOf(answer)]).toEqual([401, ['invalid_api_key']]);
    });

    test('our choice: the scope admin alone allows to manage keys and nothing else', async () => {
      const key = await api().createKey({ scopes: ['admin'] });
      expect((await list(key)).length).toBeGreaterThan(0);
      expect(await statusWith(key)).toBe(403);
    });

    test.each(['regenerate', 'revoke'])(
      'our choice: to %s a key of another account is a 404, and the key stays valid',
      async (verb) => {
        const account = `stranger-${verb}`;
        await api().createAccount(account);
        const strangers = await api().createKey({ account, scopes: ['admin', 'credits:read'] });
        const [own] = await list(strangers);
        const answer = await post(await admin(), `${path}/${own?.id}/${verb}`);
        expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
        expect(await statusWith(strangers)).toBe(200);
        expect((await list(strangers)).map(({ revoked_at }) => revoked_at)).toEqual([null]);
      },
    );

    test.each([
      'key_00000000000000000000000000000000',
      'nothing',
      '1',
      "'%20OR%201=1",
      '%00',
      '%ff',
      'key_%F0%9F%92%A9',
      'k'.repeat(5_000),
    ])('our choice: an unknown key is a 404, whatever its id: %s', async (id) => {
      const key = await admin();
      for (const verb of ['regenerate', 'revoke']) {
        const answer = await post(key, `${path}/${id}/${verb}`);
        expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
      }
    });

    test('our choice: an id of another account and an unknown id get the same response', async () => {
      await api().createAccount('hidden');
      const [hidden] = await list(await api().createKey({ account: 'hidden', scopes: ['admin'] }));
      const id = hidden?.id ?? '';
      const absent = 'key_00000000000000000000000000000000';
      const key = await admin();
      const titles = await Promise.all(
        [id, absent].map(async (each) => {
          const answer = await post(key, `${path}/${each}/revoke`);
          return (answer.json() as ProblemBody).errors.map(({ title }) => title.replace(each, '…'));
        }),
      );
      expect(titles[0]).toEqual(titles[1]);
    });
  });

  describe('audit log', () => {
    test('our choice: records the events of a key with actor and address, and never the key', async () => {
      const adminKey = await api().createKey({ scopes });
      const adminId = (await list(adminKey)).at(-1)?.id;
      const made = await post(adminKey, path, { json: { name: 'watched', scopes: ['credits:read'] } });
      const { id, key } = made.json() as CreatedKey;
      await statusWith(key);
      await statusWith(key);
      await expectEvents(id, ['key_created', 'key_first_used']);
      await api().call('GET', path, { key });
      await expectEvents(id, ['key_created', 'key_first_used', 'scope_denied']);
      await post(adminKey, `${path}/${id}/revoke`);
      await statusWith(key);
      const rows = await expectEvents(id, [
        'key_created',
        'key_first_used',
        'scope_denied',
        'key_revoked',
        'key_refused_after_revocation',
      ]);
      expect(rows.map(({ actor }) => actor)).toEqual([adminId, id, id, adminId, id]);
      for (const { address } of rows) expect(address).toMatch(/127\.0\.0\.1$/);
      expect(rows[0]?.details).toMatchObject({ name: 'watched', scopes: ['credits:read'] });
      expect(rows[2]?.details).toMatchObject({ scope: 'admin' });
      expect(JSON.stringify(rows)).not.toContain(key.slice(12, -4));
    });

    test('our choice: records a regeneration with the id of the new key', async () => {
      const { id } = await create();
      const answer = await post(await admin(), `${path}/${id}/regenerate`);
      const successor = (answer.json() as CreatedKey).id;
      const rows = await expectEvents(id, ['key_created', 'key_regenerated']);
      expect(rows[1]?.details).toMatchObject({ successor });
    });

    test('our choice: records a use after expiry', async () => {
      const { id, key } = await create();
      await api().database.owner.pool.query(
        "UPDATE nightshift.api_keys SET expires_at = now() - interval '1 second' WHERE public_id = $1",
        [id],
      );
      await statusWith(key);
      await expectEvents(id, ['key_created', 'key_refused_after_expiry']);
    });

    test.each([
      "UPDATE nightshift.audit_log SET event = 'nothing_happened'",
      'DELETE FROM nightshift.audit_log',
      'TRUNCATE nightshift.audit_log',
      "SET session_replication_role = 'replica'; DELETE FROM nightshift.audit_log",
      "SET session_replication_role = 'replica'; UPDATE nightshift.audit_log SET actor = 'key_1'",
    ])('our choice: is append-only for a superuser too: %s', async (statement) => {
      await create();
      const { pool } = api().database.owner;
      const superuser = await pool.query<{ yes: boolean }>(
        'SELECT rolsuper AS yes FROM pg_roles WHERE rolname = current_user',
      );
      expect(superuser.rows).toEqual([{ yes: true }]);
      const before = await readAudit();
      const client = await pool.connect();
      try {
        await expect(client.query(statement)).rejects.toThrow('append-only');
      } finally {
        client.release(true);
      }
      expect((await readAudit()).slice(0, before.length)).toEqual(before);
    });

    test('our choice: the role of the application cannot change or delete entries', async () => {
      const { pool } = api().database.app;
      await expect(pool.query("UPDATE nightshift.audit_log SET event = 'x'")).rejects.toThrow();
      await expect(pool.query('DELETE FROM nightshift.audit_log')).rejects.toThrow();
    });
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });

  async function readAudit(): Promise<readonly unknown[]> {
    const found = await api().database.owner.pool.query<Record<string, unknown>>(
      'SELECT * FROM nightshift.audit_log ORDER BY id',
    );
    return found.rows;
  }

  /** Every row of every table, as text; bytes as hex. */
  async function dumpTables(): Promise<string> {
    const { pool } = api().database.owner;
    const tables = await pool.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    const names = tables.rows.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['nightshift.api_keys', 'nightshift.audit_log', 'nightshift.idempotency_keys']),
    );
    const texts: string[] = [];
    for (const name of names) {
      const rows = await pool.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      texts.push(...rows.rows.map(({ text }) => text));
    }
    return texts.join('\n');
  }
});

/** Forms in which a text could be stored: itself, its bytes in hex, and base64. */
function formsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  return [text, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '').slice(0, -1)];
}
