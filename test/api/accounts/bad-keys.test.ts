import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createApiKey, digestApiKey } from '../../../src/core/accounts/api-key.ts';
import { codesOf, useTestApi, type TestApi } from '../../support/api/test-api.ts';

vi.mock('node:crypto', async (load) => {
  const actual = await load<typeof import('node:crypto')>();
  return {
    ...actual,
    createHash: vi.fn(actual.createHash),
    timingSafeEqual: vi.fn(actual.timingSafeEqual),
  };
});

const api = useTestApi();
const by = { actor: 'test', address: null };
const unknown = createApiKey();

/** Every kind of bad key. */
const kinds: readonly (readonly [string, (api: TestApi) => Promise<string> | string])[] = [
  ['empty', () => ''],
  ['malformed', () => 'let me in'],
  ['in another format', () => unknown.toLowerCase()],
  ['with a wrong checksum', () => `${unknown.slice(0, -1)}${unknown.endsWith('0') ? '1' : '0'}`],
  ['unknown', () => unknown],
  [
    'revoked',
    (at) => endedKey(at, (keyId) => at.app.accounts.keys.revoke(at.app.accounts.defaultId, keyId, by)),
  ],
  [
    'regenerated',
    (at) => endedKey(at, (keyId) => at.app.accounts.keys.regenerate(at.app.accounts.defaultId, keyId, by)),
  ],
  ['expired', (at) => at.createKey({ expiresAt: new Date(Date.now() - 60_000) })],
  [
    'expired and revoked',
    (at) =>
      endedKey(
        at,
        (keyId) => at.app.accounts.keys.revoke(at.app.accounts.defaultId, keyId, by),
        new Date(Date.now() - 60_000),
      ),
  ],
];

describe('§5.3 response time does not reveal why a key is rejected', () => {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  let first: Work;

  beforeAll(async () => {
    // Runs the work that is done once per connection.
    await workFor(createApiKey());
    first = await workFor(createApiKey());
  });

  /** Work of the server for one request with a key: its statements, digests and comparisons. */
  interface Work {
    readonly statements: readonly string[];
    readonly hashed: readonly string[];
    readonly comparedBytes: readonly (readonly [number, number])[];
  }

  async function workFor(key: string | null): Promise<Work> {
    vi.clearAllMocks();
    const answer = await api().call('GET', '/v1/credits', key === null ? {} : { key });
    expect([answer.status, codesOf(answer)]).toEqual([401, ['invalid_api_key']]);
    // Some of it happens after the response.
    await sleep(100);
    return {
      statements: query.mock.calls.map(([statement]) => textOf(statement)),
      hashed: vi.mocked(createHash).mock.calls.map(([algorithm]) => algorithm),
      comparedBytes: vi.mocked(timingSafeEqual).mock.calls.map(([a, b]) => [a.byteLength, b.byteLength]),
    };
  }

  test('an unknown key takes one SHA-256, one constant-time comparison and three statements', () => {
    expect(first.hashed).toEqual(['sha256']);
    expect(first.comparedBytes).toEqual([[32, 32]]);
    expect(first.statements.map((text) => /nightshift"?\."?(\w+)/.exec(text)?.[1])).toEqual([
      'api_keys',
      'rate_limits',
      'audit_log',
    ]);
  });

  test('a missing key takes the same work', async () => {
    expect(await workFor(null)).toEqual(first);
  });

  test.each(kinds)('a key that is %s takes the same work', async (_kind, make) => {
    const key = await make(api());
    expect(await workFor(key)).toEqual(first);
  });

  test.each(kinds)('a key that is %s is not found', async (_kind, make) => {
    const key = await make(api());
    expect(await api().app.accounts.keys.find(digestApiKey(key))).toBeNull();
  });
});

async function endedKey(
  api: TestApi,
  end: (keyId: string) => Promise<unknown>,
  expiresAt?: Date,
): Promise<string> {
  const key = await api.createKey(expiresAt === undefined ? {} : { expiresAt });
  const found = (await api.app.accounts.keys.list(api.app.accounts.defaultId)).find(({ hint }) =>
    hint.endsWith(key.slice(-4)),
  );
  await end(found?.keyId ?? '');
  return key;
}

function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : (statement as { text: string }).text;
}
