import { request as openRequest } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApiKey, scopes } from '../../../src/core/accounts/api-key.ts';
import {
  codesOf,
  openTestApi,
  useTestApi,
  type TestApi,
  type ProblemBody,
} from '../../support/api/test-api.ts';

const path = '/v1/ads/google-ads-search';
const nike = { company_domain: 'nike.com' };

describe('API key of a search', () => {
  const api = useTestApi();

  test.each(['X-API-Key', 'X-API-KEY', 'x-api-key', 'x-ApI-kEy'])(
    '§5.1 is accepted in the header %s',
    async (name) => {
      const answer = await sendRaw(api(), { headers: [[name, await api().createKey()]] });
      expect(answer.status).toBe(200);
    },
  );

  test('§5.2 selects the account that pays', async () => {
    await api().createAccount('payer', 1n);
    const key = await api().createKey({ account: 'payer' });
    const before = await api().balance();
    expect((await api().call('POST', path, { key, json: nike })).status).toBe(200);
    expect(await api().balance('payer')).toEqual({ balanceMicro: 800_000n, heldMicro: 0n });
    expect(await api().balance()).toEqual(before);
  });

  test('§5.2 shows balance, ledger and keys of its own account only', async () => {
    await api().createAccount('one', 1n);
    await api().createAccount('other', 2n);
    const key = await api().createKey({ account: 'one', scopes: ['credits:read', 'admin'] });
    await api().createKey({ account: 'other' });
    const read = async (at: string) => (await api().call('GET', at, { key })).json();
    expect(await read('/v1/credits')).toEqual({ credits: 1, held: 0, total: 1 });
    expect(await read('/v1/ledger')).toMatchObject({ entries: [{ seq: 1, credits: 1 }], next: null });
    expect((await read('/v1/account/api-keys')) as { keys: unknown[] }).toMatchObject({ keys: [{}] });
  });

  test('our choice: two accounts may use the same Idempotency-Key independently', async () => {
    await api().createAccount('left', 1n);
    await api().createAccount('right', 1n);
    const headers = { 'Idempotency-Key': 'the-same' };
    for (const account of ['left', 'right']) {
      const key = await api().createKey({ account });
      const answer = await api().call('POST', path, { key, json: nike, headers });
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
      expect((await api().balance(account)).balanceMicro).toBe(800_000n);
    }
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });
});

describe('search without a valid key', () => {
  const api = useTestApi();

  /** Requests without a key or with an invalid one: the changes to a valid search. */
  const ways: readonly (readonly [string, (api: TestApi) => Promise<Sent> | Sent])[] = [
    ['no key', () => ({})],
    ['an empty key', () => ({ headers: [['X-API-Key', '']] })],
    ['a blank key', () => ({ headers: [['X-API-Key', '   ']] })],
    ['a malformed key', () => ({ headers: [['X-API-Key', 'let me in']] })],
    ['a key with an SQL injection', () => ({ headers: [['X-API-Key', "' OR 1=1 --"]] })],
    ['a key with non-ASCII letters', () => ({ headers: [['X-API-Key', 'ns_live_\xfc\xe4']] })],
    ['a key of 8 KiB', () => ({ headers: [['X-API-Key', 'a'.repeat(8 * 1024)]] })],
    ['an unknown key', () => ({ headers: [['X-API-Key', createApiKey()]] })],
    [
      'a key in lower case',
      async (at) => ({ headers: [['X-API-Key', (await at.createKey()).toLowerCase()]] }),
    ],
    [
      'a key without its last character',
      async (at) => ({ headers: [['X-API-Key', (await at.createKey()).slice(0, -1)]] }),
    ],
    ['a key in quotes', async (at) => ({ headers: [['X-API-Key', `"${await at.createKey()}"`]] })],
    ['a revoked key', async (at) => ({ headers: [['X-API-Key', await revokedKey(at)]] })],
    ['a regenerated key', async (at) => ({ headers: [['X-API-Key', await regeneratedKey(at)]] })],
    [
      'an expired key',
      async (at) => ({ headers: [['X-API-Key', await at.createKey({ expiresAt: past() })]] }),
    ],
    [
      'the same valid key twice',
      async (at) => {
        const key = await at.createKey();
        return {
          headers: [
            ['X-API-Key', key],
            ['X-API-Key', key],
          ],
        };
      },
    ],
    [
      'two valid keys',
      async (at) => ({
        headers: [
          ['X-API-Key', await at.createKey()],
          ['x-api-key', await at.createKey()],
        ],
      }),
    ],
    [
      'a valid key after an empty one',
      async (at) => ({
        headers: [
          ['X-API-Key', ''],
          ['X-API-Key', await at.createKey()],
        ],
      }),
    ],
    [
      'two keys in one header',
      async (at) => ({ headers: [['X-API-Key', `${await at.createKey()},${createApiKey()}`]] }),
    ],
    ['a valid key in the query', async (at) => ({ query: `?api_key=${await at.createKey()}` })],
    [
      'a valid key in the query under the name of the header',
      async (at) => ({ query: `?X-API-Key=${await at.createKey()}` }),
    ],
    [
      'a valid key in the body',
      async (at) => {
        const key = await at.createKey();
        return { json: { ...nike, api_key: key, 'X-API-Key': key, apiKey: key } };
      },
    ],
    [
      'a valid key as bearer token',
      async (at) => ({ headers: [['Authorization', `Bearer ${await at.createKey()}`]] }),
    ],
    [
      'a valid key in Basic authentication',
      async (at) => ({ headers: [['Authorization', `Basic ${btoa(`${await at.createKey()}:`)}`]] }),
    ],
    [
      'a valid key in a cookie',
      async (at) => ({ headers: [['Cookie', `X-API-Key=${await at.createKey()}`]] }),
    ],
    [
      'a valid key under a similar name',
      async (at) => ({
        headers: [
          ['X-API-Keys', await at.createKey()],
          ['Api-Key', await at.createKey()],
        ],
      }),
    ],
  ];

  test.each(ways)(
    '§5.3, §5.4 %s is a 401 invalid_api_key; nothing is stored or charged',
    async (_way, sentOf) => {
      const sent = await sentOf(api());
      const before = { rows: await api().countRows(), balance: await api().balance() };
      const answer = await sendRaw(api(), sent);
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.text)).toEqual({
        errors: [
          {
            type: `${api().url}/errors/invalid_api_key`,
            title: 'The key does not exist or is incorrect',
            status: 401,
            code: 'invalid_api_key',
          },
        ],
        meta: {
          request_id: answer.headers['x-request-id'],
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        },
      });
      expect({ rows: await api().countRows(), balance: await api().balance() }).toEqual(before);
    },
  );

  test('§5.3 all rejections are identical, except request id and time', async () => {
    const reported = new Set<string>();
    for (const [, sentOf] of ways) {
      const { text, headers } = await sendRaw(api(), await sentOf(api()));
      const { meta, ...body } = JSON.parse(text) as ProblemBody;
      expect(meta.request_id).toBe(headers['x-request-id']);
      const others = Object.entries(headers).filter(([name]) => name !== 'date' && name !== 'x-request-id');
      reported.add(JSON.stringify([body, others.sort()]));
    }
    expect([...reported]).toHaveLength(1);
  });

  test('§5.3 the key is checked before anything else in the request', async () => {
    const bad = [
      { body: '{', headers: { 'Content-Type': 'application/json' } },
      { body: 'nike.com', headers: { 'Content-Type': 'text/plain' } },
      { json: {} },
      { body: 'x'.repeat(70_000), headers: { 'Content-Type': 'application/json' } },
      { json: nike, headers: { 'Idempotency-Key': '' } },
    ];
    for (const call of bad) expect((await api().call('POST', path, call)).status).toBe(401);
  });

  test('no response repeats the key', async () => {
    const key = createApiKey();
    expect((await api().call('POST', path, { key, json: nike })).text).not.toContain(key.slice(8));
  });
});

describe('§5.5 regenerated key', () => {
  const api = useTestApi();

  test('is rejected at once in every operation, and the new key is accepted', async () => {
    const admin = await api().createKey({ scopes: [...scopes] });
    const old = await api().createKey();
    expect((await api().call('POST', path, { key: old, json: nike })).status).toBe(200);
    const keyId = await idOf(api(), old);
    const regenerated = await api().call('POST', `/v1/account/api-keys/${keyId}/regenerate`, { key: admin });
    const { key } = regenerated.json() as { key: string };
    expect((await api().call('POST', path, { key: old, json: nike })).status).toBe(401);
    expect((await api().call('GET', '/v1/credits', { key: old })).status).toBe(401);
    expect((await api().call('POST', path, { key, json: nike })).status).toBe(200);
  });

  test('is rejected in every request after the response, in 20 rounds', async () => {
    const admin = await api().createKey({ scopes: [...scopes] });
    let key = await api().createKey();
    for (let n = 0; n < 20; n += 1) {
      const keyId = await idOf(api(), key);
      // Keeps valid keys warm, for the case that the server caches them.
      await Promise.all([1, 2, 3].map(() => api().call('GET', '/v1/credits', { key })));
      const answer = await api().call('POST', `/v1/account/api-keys/${keyId}/regenerate`, { key: admin });
      const tries = await Promise.all([1, 2, 3].map(() => api().call('GET', '/v1/credits', { key })));
      expect(tries.map(({ status }) => status)).toEqual([401, 401, 401]);
      key = (answer.json() as { key: string }).key;
      expect((await api().call('GET', '/v1/credits', { key })).status).toBe(200);
    }
  });

  test('may be the key of the request itself', async () => {
    const admin = await api().createKey({ scopes: ['admin', 'credits:read'] });
    const keyId = await idOf(api(), admin);
    const answer = await api().call('POST', `/v1/account/api-keys/${keyId}/regenerate`, { key: admin });
    expect(answer.status).toBe(201);
    expect((await api().call('GET', '/v1/credits', { key: admin })).status).toBe(401);
  });
});

describe('key without the required scope', () => {
  const api = useTestApi();

  test('our choice: all scopes except ads:search are a 403 that names it, free', async () => {
    const key = await api().createKey({ scopes: scopes.filter((scope) => scope !== 'ads:search') });
    const before = { rows: await api().countRows(), balance: await api().balance() };
    const answer = await api().call('POST', path, { key, json: nike });
    expect([answer.status, codesOf(answer)]).toEqual([403, ['insufficient_scope']]);
    expect((answer.json() as ProblemBody).errors[0]?.title).toContain('ads:search');
    expect({ rows: await api().countRows(), balance: await api().balance() }).toEqual(before);
  });

  test('our choice: ads:search alone is enough', async () => {
    const key = await api().createKey({ scopes: ['ads:search'] });
    expect((await api().call('POST', path, { key, json: nike })).status).toBe(200);
  });

  test('our choice: the scope is checked before the body', async () => {
    const key = await api().createKey({ scopes: ['credits:read'] });
    const answer = await api().call('POST', path, { key, json: {} });
    expect(answer.status).toBe(403);
  });
});

describe('documentation URL in an error', () => {
  const api = useTestApi();

  test.each<readonly [string, readonly (readonly [string, string])[]]>([
    ['a foreign Host', [['Host', 'evil.example']]],
    ['a foreign Host with a port', [['Host', 'evil.example:8443']]],
    [
      'a foreign X-Forwarded-Host',
      [
        ['X-Forwarded-Host', 'evil.example'],
        ['X-Forwarded-Proto', 'https'],
      ],
    ],
    ['a foreign Forwarded', [['Forwarded', 'host=evil.example;proto=https']]],
    [
      'a foreign Origin',
      [
        ['Origin', 'https://evil.example'],
        ['Referer', 'https://evil.example/'],
      ],
    ],
  ])('§7 is not changed by %s', async (_case, headers) => {
    for (const json of [nike, {}]) {
      const answer = await sendRaw(api(), { headers, json });
      const { errors } = JSON.parse(answer.text) as ProblemBody;
      expect(errors[0]?.type).toBe(`${api().url}/errors/invalid_api_key`);
      expect(answer.text + JSON.stringify(answer.headers)).not.toContain('evil.example');
    }
  });

  test('§7 has the usual error body for an invalid Host', async () => {
    const answer = await sendRaw(api(), { headers: [['Host', 'a b/c?d']] });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    const { errors, meta } = JSON.parse(answer.text) as ProblemBody;
    expect(errors[0]?.type).toMatch(new RegExp(`^${api().url}/errors/`));
    expect(meta.request_id).toBe(answer.headers['x-request-id']);
  });

  test('§7 begins with the configured base URL', async () => {
    const settings = { NIGHTSHIFT_BASE_URL: 'https://api.example.test/leads' };
    const other = await openTestApi({ settings });
    onTestFinished(() => other.close());
    const answer = await sendRaw(other, { headers: [['Host', 'evil.example']] });
    const { errors } = JSON.parse(answer.text) as ProblemBody;
    expect(errors[0]?.type).toBe('https://api.example.test/leads/errors/invalid_api_key');
    expect((await fetch(`${other.url}/errors/invalid_api_key`)).status).toBe(200);
  });
});

/** Request of a search; the body is a valid one by default. */
interface Sent {
  readonly headers?: readonly (readonly [string, string])[];
  readonly query?: string;
  readonly json?: object;
}

/** Sends a search with raw headers: in their case and order, and repeated if listed twice. */
function sendRaw(
  api: TestApi,
  { headers = [], query = '', json = nike }: Sent,
): Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}> {
  const body = JSON.stringify(json);
  const given = headers.some(([name]) => name.toLowerCase() === 'host');
  const lines: readonly (readonly [string, string])[] = [
    ...(given ? [] : [['Host', new URL(api.url).host] as const]),
    ['Content-Type', 'application/json'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ...headers,
  ];
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: lines.flat(), agent: false };
    const sent = openRequest(`${api.url}${path}${query}`, options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const by = { actor: 'test', address: null };

async function revokedKey(api: TestApi): Promise<string> {
  const key = await api.createKey();
  await api.app.accounts.keys.revoke(api.app.accounts.defaultId, await idOf(api, key), by);
  return key;
}

async function regeneratedKey(api: TestApi): Promise<string> {
  const key = await api.createKey();
  await api.app.accounts.keys.regenerate(api.app.accounts.defaultId, await idOf(api, key), by);
  return key;
}

/** Id of the account's key with the same ending. */
async function idOf({ app }: TestApi, key: string): Promise<string> {
  const found = (await app.accounts.keys.list(app.accounts.defaultId)).find(({ hint }) =>
    hint.endsWith(key.slice(-4)),
  );
  if (found === undefined) throw new Error('The account has no such key.');
  return found.keyId;
}

function past(): Date {
  return new Date(Date.now() - 60_000);
}
