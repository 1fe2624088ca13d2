import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { startApi } from '../../../src/api/start-api.ts';
import { openApp } from '../../../src/app/app.ts';
import { createLog } from '../../../src/log.ts';
import {
  codesOf,
  openTestApi,
  request,
  type Answer,
  type TestApi,
  type TestApiOptions,
} from '../../support/api/test-api.ts';
import { queueSettings, startRedisProcess } from '../../support/queue/redis-process.ts';
import { findRedisProgram } from '../../support/queue/test-redis.ts';

const perKey = 20;
const perAccount = 30;
const badKeys = 5;
const byKey = { NIGHTSHIFT_KEY_REQUESTS_PER_MINUTE: String(perKey) };
const byAccount = { NIGHTSHIFT_ACCOUNT_REQUESTS_PER_MINUTE: String(perAccount) };
const byAddress = { NIGHTSHIFT_BAD_KEYS_PER_MINUTE: String(badKeys) };
const windowSeconds = 60;

describe.each([['postgres'], ['redis']] as const)('rate limits on %s with two servers', (queue) => {
  const isThere = queue === 'postgres' || inject('redisUrl') !== null;

  describe.skipIf(!isThere)(`${perKey} requests per minute and key`, () => {
    const pair = useTwoServers({ queue, settings: { ...byKey, ...byAddress } });

    test('allow exactly 20 of 60 concurrent requests with one key on both servers, and reject the others with Retry-After', async () => {
      const key = await createKeyOf(pair(), 'one-key');
      const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => askCredits(pair().url(n), key)));
      expectStatuses(answers, { 200: perKey, 429: 60 - perKey });
      expectReported(answers);
    });

    test('apply to each key of an account separately', async () => {
      const first = await createKeyOf(pair(), 'own-limits');
      const second = await pair().service.createKey({ account: 'own-limits' });
      for (let n = 0; n < perKey; n += 1) await askCredits(pair().url(n), first);
      expect((await askCredits(pair().url(0), first)).status).toBe(429);
      expect((await askCredits(pair().url(0), second)).status).toBe(200);
    });

    test('count down in RateLimit-Limit, -Remaining and -Reset on both servers', async () => {
      const key = await createKeyOf(pair(), 'counting');
      const seen: ReturnType<typeof limitOf>[] = [];
      for (let n = 0; n < perKey + 2; n += 1) seen.push(limitOf(await askCredits(pair().url(n), key)));
      expect(seen.map(({ limit }) => limit)).toEqual(Array<number>(perKey + 2).fill(perKey));
      expect(seen.map(({ remaining }) => remaining)).toEqual(
        Array.from({ length: perKey + 2 }, (_, n) => Math.max(0, perKey - 1 - n)),
      );
      seen.forEach(({ reset }, n) => {
        expect(reset).toBeGreaterThanOrEqual(1);
        expect(reset).toBeLessThanOrEqual(seen[n - 1]?.reset ?? windowSeconds);
      });
    });

    test('reject a request without any effect', async () => {
      const key = await createKeyOf(pair(), 'spent', 1n);
      for (let n = 0; n < perKey; n += 1) await askCredits(pair().url(n), key);
      const answer = await request(`${pair().url(0)}/v1/ads/google-ads-search`, 'POST', {
        key,
        json: { company_domain: 'nike.com' },
        headers: { 'Idempotency-Key': 'beyond' },
      });
      expect(answer.status).toBe(429);
      expectReported([answer]);
      expect(await pair().service.balance('spent')).toEqual({ balanceMicro: 1_000_000n, heldMicro: 0n });
      expect(await pair().service.countRows()).toMatchObject({ lookups: 0, idempotency_keys: 0 });
    });

    test('allow 5 of 20 bad keys per address, whatever X-Forwarded-For is, and do not affect a valid key', async () => {
      const good = await createKeyOf(pair(), 'neighbour');
      const bad = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          askCredits(pair().url(n), badKey(n), { 'X-Forwarded-For': `10.0.0.${n}` }),
        ),
      );
      expectStatuses(bad, { 401: badKeys, 429: 20 - badKeys });
      expectReported(bad);
      expect((await request(`${pair().url(1)}/v1/credits`, 'GET')).status).toBe(429);
      expect((await askCredits(pair().url(0), good)).status).toBe(200);
    });

    test('every invariant holds', async () => {
      expect(await pair().service.findings()).toEqual([]);
    });
  });

  describe.skipIf(!isThere)(`${perAccount} requests per minute and account`, () => {
    const pair = useTwoServers({ queue, settings: byAccount });

    test('can be replaced for an account, with immediate effect on both servers', async () => {
      const key = await createKeyOf(pair(), 'own-limit');
      const set = (requestsPerMinute: number | null) =>
        pair().service.app.accounts.service.setLimits(
          'own-limit',
          { requestsPerMinute },
          { actor: 'test', address: null },
        );
      await set(7);
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => askCredits(pair().url(n), key)));
      expectStatuses(answers, { 200: 7, 429: 13 });
      expectReported(answers);
      // Earlier requests count: 20 of the 40 are used, including all rejected ones.
      await set(40);
      const more = await Promise.all(Array.from({ length: 30 }, (_, n) => askCredits(pair().url(n), key)));
      expectStatuses(more, { 200: 20, 429: 10 });
      await set(null);
      expect((await askCredits(pair().url(1), key)).status).toBe(429);
      expect((await askCredits(pair().url(0), await createKeyOf(pair(), 'without-limit'))).status).toBe(200);
    });

    test('are shared by the keys of an account: exactly 30 of 60 concurrent requests pass', async () => {
      const keys = [
        await createKeyOf(pair(), 'two-keys'),
        await pair().service.createKey({ account: 'two-keys' }),
      ];
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, n) => askCredits(pair().url(n >> 1), keys[n % 2] ?? '')),
      );
      expectStatuses(answers, { 200: perAccount, 429: 60 - perAccount });
      expectReported(answers);
    });

    test('are reported in the headers when they are tighter than the limit of the key', async () => {
      const first = await createKeyOf(pair(), 'tighter');
      const second = await pair().service.createKey({ account: 'tighter' });
      for (let n = 0; n < 20; n += 1) await askCredits(pair().url(n), first);
      expect(limitOf(await askCredits(pair().url(0), second))).toMatchObject({
        limit: perAccount,
        remaining: perAccount - 21,
      });
    });

    test('do not affect another account', async () => {
      expect((await askCredits(pair().url(0), await createKeyOf(pair(), 'bystander'))).status).toBe(200);
    });
  });
});

describe.skipIf(findRedisProgram() === undefined)('rate limits on a Redis that stops to answer', () => {
  test('are counted by each process for itself, which logs it once', async () => {
    const redis = await startRedisProcess({ settings: queueSettings });
    onTestFinished(redis.close);
    const service = await openTestApi({
      queue: 'redis',
      settings: { ...byKey, REDIS_URL: `redis://127.0.0.1:${redis.port}` },
    });
    onTestFinished(service.close);
    const warn = vi.spyOn(service.app.log, 'warn');
    const key = await createKeyOf({ service }, 'frozen');
    expect((await askCredits(service.url, key)).status).toBe(200);
    redis.freeze();
    expect((await askCredits(service.url, key)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 30 }, () => askCredits(service.url, key)));
    expectStatuses(answers, { 200: perKey - 1, 429: 30 - perKey + 1 });
    const logged = warn.mock.calls.filter(([, message]) => message?.startsWith('rate limits not shared'));
    expect(logged).toHaveLength(1);
    await redis.bringBack();
  });
});

describe('rate limit of bad keys behind a trusted proxy', () => {
  const pair = useTwoServers({ settings: { ...byAddress, NIGHTSHIFT_TRUST_PROXY: 'true' } });

  test('counts by the last address of X-Forwarded-For', async () => {
    const from = (addresses: string, n: number) =>
      askCredits(pair().url(n), badKey(n), { 'X-Forwarded-For': addresses });
    for (let n = 0; n < badKeys; n += 1) {
      expect((await from(`198.51.100.${n}, 203.0.113.9`, n)).status).toBe(401);
    }
    expect((await from('198.51.100.77, 203.0.113.9', 6)).status).toBe(429);
    expect((await from('203.0.113.9', 7)).status).toBe(429);
    expect((await from('203.0.113.9, 192.0.2.4', 8)).status).toBe(401);
    expect((await from('192.0.2.5,203.0.113.9', 9)).status).toBe(429);
  });

  test('counts by the address of the connection without the header', async () => {
    const answers = [];
    for (let n = 0; n <= badKeys; n += 1) answers.push(await askCredits(pair().url(n), badKey(n)));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

describe('backlog limit of 1', () => {
  const pair = useTwoServers({ settings: { NIGHTSHIFT_BACKLOG_MAX: '1' } });

  test('rejects a batch while two companies wait, with 503 and Retry-After, and stores nothing', async () => {
    const { service, url } = pair();
    const key = await service.createKey();
    const send = (n: number, domains: readonly string[]) =>
      request(`${url(n)}/v1/batches`, 'POST', {
        key,
        json: { rows: domains.map((domain) => ({ company_domain: domain })) },
      });
    expect((await send(0, ['nike.com', 'adidas.de'])).status).toBe(201);
    const before = await service.countRows();
    const refused = await send(1, ['spotify.com']);
    expect([refused.status, codesOf(refused)]).toEqual([503, ['service_unavailable']]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const csv = await request(`${url(0)}/v1/batches`, 'POST', {
      key,
      headers: { 'Content-Type': 'text/csv' },
      body: 'company_domain\nspotify.com\n',
    });
    expect([csv.status, codesOf(csv)]).toEqual([503, ['service_unavailable']]);
    expect(await service.countRows()).toEqual(before);
  });

  test('does not affect other requests', async () => {
    const { service, url } = pair();
    const key = await service.createKey();
    const search = { key, json: { company_domain: 'nike.com' } };
    expect((await request(`${url(1)}/v1/ads/google-ads-search`, 'POST', search)).status).toBe(200);
    expect((await request(`${url(1)}/v1/batches`, 'GET', { key })).status).toBe(200);
  });

  test('accepts a batch after the waiting batch is cancelled', async () => {
    const { service, url } = pair();
    const key = await service.createKey();
    const { batches } = (await request(`${url(0)}/v1/batches`, 'GET', { key })).json() as {
      batches: readonly { id: string }[];
    };
    for (const { id } of batches) {
      expect((await request(`${url(0)}/v1/batches/${id}/cancel`, 'POST', { key })).status).toBe(200);
    }
    const json = { rows: [{ company_domain: 'spotify.com' }] };
    expect((await request(`${url(1)}/v1/batches`, 'POST', { key, json })).status).toBe(201);
  });
});

/** Two servers with separate connections on one database and one Redis. */
interface Pair {
  readonly service: TestApi;
  /** URL for request `n`: alternates between the servers. */
  readonly url: (n: number) => string;
  readonly close: () => Promise<void>;
}

async function openPair(options: TestApiOptions): Promise<Pair> {
  const service = await openTestApi(options);
  const app = await openApp(service.app.config, { log: createLog('silent'), onProgress: () => undefined });
  const api = await startApi(app);
  return {
    service,
    url: (n) => (n % 2 === 0 ? service.url : api.url),
    close: async () => {
      await api.close();
      await app.close();
      await service.close();
    },
  };
}

function useTwoServers(options: TestApiOptions): () => Pair {
  let pair: Pair | undefined;
  beforeAll(async () => {
    pair = await openPair(options);
  });
  afterAll(() => pair?.close());
  return () => {
    if (pair === undefined) throw new Error('The servers are there once the tests run.');
    return pair;
  };
}

/** Creates an account. Returns its key. */
async function createKeyOf(
  { service }: Pick<Pair, 'service'>,
  account: string,
  credits?: bigint,
): Promise<string> {
  await service.createAccount(account, credits);
  return service.createKey({ account });
}

function askCredits(url: string, key: string, headers: Readonly<Record<string, string>> = {}) {
  return request(`${url}/v1/credits`, 'GET', { key, headers });
}

/** An invalid key in the form of a key. */
function badKey(n: number): string {
  return `ns_live_${String(n).padStart(36, '0')}`;
}

function expectStatuses(answers: readonly Answer[], expected: Readonly<Record<number, number>>): void {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  expect(counts).toEqual(expected);
}

/** Expects every 429 in the contract's error form, with a Retry-After. */
function expectReported(answers: readonly Answer[]): void {
  for (const answer of answers.filter(({ status }) => status === 429)) {
    expect(codesOf(answer)).toEqual(['rate_limit_exceeded']);
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(windowSeconds);
  }
}

function limitOf({ headers }: Answer) {
  const numberOf = (name: string) => Number(headers.get(`ratelimit-${name}`) ?? 'NaN');
  return { limit: numberOf('limit'), remaining: numberOf('remaining'), reset: numberOf('reset') };
}
