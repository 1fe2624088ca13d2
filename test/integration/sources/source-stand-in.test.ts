import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  effectsByKey,
  openSourceStandIn,
  worstSlidingSecond,
  type StandInOptions,
} from '../../support/stand-in/source-stand-in.ts';
import { spawnSourceStandIn } from '../../support/stand-in/spawn-source-stand-in.ts';
import { parseLogFile } from '../../support/stand-in/stand-in-log.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(options: StandInOptions = {}) {
  const standIn = await openSourceStandIn(options);
  closers.push(standIn.close);
  return standIn;
}

function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${url}/v1/ads/google-ads-search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'stand-in-key', ...headers },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

describe('stand-in of a source', () => {
  test('returns the same answer for a company, with 1 to 8 ads for about 70 % of them', async () => {
    const counts = Array.from({ length: 1000 }, (_, n) => generateAds(`company-${n}.com`, 1).length);
    expect(counts.filter((count) => count > 0).length / 1000).toBeCloseTo(0.7, 1);
    expect([Math.min(...counts), Math.max(...counts)]).toEqual([0, 8]);
    expect(generateAds('acme.com', 4)).toEqual(generateAds('acme.com', 4));
  });

  test.each([
    ['a wrong key', { company_name: 'A' }, { 'x-api-key': 'wrong' }, 401, 'invalid_api_key'],
    [
      'another content type',
      { company_name: 'A' },
      { 'content-type': 'text/plain' },
      415,
      'unsupported_media_type',
    ],
    ['no company', {}, {}, 400, 'validation_error'],
    ['an unknown field', { company_name: 'A', limit: 1 }, {}, 400, 'validation_error'],
  ])('rejects %s with the error body of the contract', async (_, body, headers, status, code) => {
    const { url, log } = await open();
    const response = await post(url, body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ errors: [{ status, code }], meta: {} });
    expect(log).toMatchObject([{ effect: false }]);
  });

  test('acts once per idempotency key, and rejects the key for another request', async () => {
    const { url, log } = await open();
    const key = { 'idempotency-key': 'k' };
    const first = await (await post(url, { company_name: 'A' }, key)).text();
    expect(await (await post(url, { company_name: 'A' }, key)).text()).toBe(first);
    expect((await post(url, { company_name: 'B' }, key)).status).toBe(422);
    expect(log.map(({ replay }) => replay)).toEqual([false, true, false]);
    expect(effectsByKey(log)).toEqual(new Map([['k', 1]]));
  });

  test('acts every time if it ignores idempotency keys', async () => {
    const { url, log } = await open({ idempotent: false });
    for (let n = 0; n < 3; n += 1) await post(url, { company_name: 'A' }, { 'idempotency-key': 'k' });
    expect(effectsByKey(log)).toEqual(new Map([['k', 3]]));
  });

  test('returns 429 beyond rate and burst, with Retry-After if configured', async () => {
    const rateLimit = { requestsPerSecond: 3, burst: 1, windowMs: 60_000, retryAfter: false };
    const { url, log } = await open({ rateLimit: { ...rateLimit, requestsPerSecond: 3 / 60 } });
    const responses = [];
    for (let n = 0; n < 6; n += 1) responses.push(await post(url, { company_name: 'A' }));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429]);
    expect(responses[5]?.headers.get('retry-after')).toBeNull();
    expect(worstSlidingSecond(log, 60_000)).toBe(6);
    const polite = await open({ rateLimit: { requestsPerSecond: 0.1, windowMs: 10_000 } });
    await post(polite.url, { company_name: 'A' });
    expect((await post(polite.url, { company_name: 'A' })).headers.get('retry-after')).toBe('10');
  });

  test('follows the first matching line of its script', async () => {
    const { url } = await open({
      script: [
        { calls: [2], failure: { kind: 'status', status: 500 } },
        { attempts: 1, companies: ['B'], failure: { kind: 'status', status: 402 } },
        { everyNth: 5, failure: { kind: 'status', status: 503, retryAfter: '1' } },
      ],
    });
    const statuses = [];
    for (const company_name of ['A', 'A', 'B', 'B', 'A']) {
      const response = await post(url, { company_name }, { 'idempotency-key': company_name });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([200, 500, 402, 200, 503]);
  });

  test('fails from a call on, for a number of calls or a duration', async () => {
    const { url, log } = await open({
      script: [
        { from: 2, forCalls: 2, failure: { kind: 'status', status: 500 } },
        { from: 5, forMs: 100, failure: { kind: 'status', status: 503 } },
      ],
    });
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await post(url, { company_name: 'A' })).status);
    expect(statuses).toEqual([200, 500, 500, 200, 503]);
    await vi.waitUntil(async () => (await post(url, { company_name: 'A' })).status === 200);
    expect(log[1]).toMatchObject({ failure: 'status', effect: false });
    expect(log[0]).toMatchObject({ failure: null, effect: true });
  });

  test('stops and restarts at the same address', async () => {
    const { url, goAway } = await open();
    const away = goAway(200);
    await expect(post(url, { company_name: 'A' })).rejects.toThrow('fetch failed');
    await away;
    expect((await post(url, { company_name: 'A' })).status).toBe(200);
  });

  test('charges a caller who disconnects, and logs it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stand-in-'));
    closers.push(() => rm(folder, { recursive: true }));
    const logFile = join(folder, 'calls.ndjson');
    const { url, log } = await open({ logFile, latencyMs: { min: 1000, max: 1000 } });
    const caller = new AbortController();
    const call = post(url, { company_name: 'A' }, { 'idempotency-key': 'k' }, caller.signal);
    await expect.poll(() => log.length).toBe(1);
    caller.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => parseLogFile(logFile)[0]).toMatchObject({ effect: true, answered: false });
  });

  test('in its own process logs to a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stand-in-'));
    closers.push(() => rm(folder, { recursive: true }));
    const logFile = join(folder, 'calls.ndjson');
    const standIn = await spawnSourceStandIn({ logFile, latencyMs: { min: 1, max: 5 } });
    closers.push(standIn.close);
    expect(standIn.readLog()).toEqual([]);
    const names = ['A', 'B', 'C'];
    await Promise.all(
      names.map((company_name) => post(standIn.url, { company_name }, { 'idempotency-key': company_name })),
    );
    await standIn.close();
    expect(
      standIn
        .readLog()
        .map(({ requestKey }) => requestKey)
        .sort(),
    ).toEqual(names);
    expect(
      standIn.readLog().every(({ status, answered, effect }) => status === 200 && answered && effect),
    ).toBe(true);
  });
});

test.each([
  [[], 0],
  [[5], 1],
  [[0, 999.9, 1000, 1500, 1999], 4],
  [[3000, 0, 1000, 2000], 1],
])('the largest number of calls in one second of %j is %i', (times, worst) => {
  expect(worstSlidingSecond(times.map((at) => ({ at })))).toBe(worst);
});
