import { describe, expect, test } from 'vitest';
import { createRequestTaker, type RequestTakerOptions } from '../../../../../src/api/http/take-requests.ts';
import type { RequestCounter } from '../../../../../src/core/accounts/request-counter.ts';

const caller = (id: string, accountId = 1) => ({ accountId, id, permissions: [], requestsPerMinute: null });
const endsAtMs = Date.now() + 60_000;
const otherwise = {
  allowed: true,
  limit: 7,
  remaining: 6,
  resetMs: 1,
  windowSeconds: 60,
};

describe('taking requests', () => {
  test('gives each of the requests that are counted together the count that it would have had alone', async () => {
    const { take, calls } = openTaker(async () => [
      // Three of `a`, of which two are within the limit of the key, and one of `b`.
      { ofKey: { requests: 4, endsAtMs }, ofAccount: { requests: 6, endsAtMs } },
      { ofKey: { requests: 1, endsAtMs }, ofAccount: { requests: 6, endsAtMs } },
    ]);
    const taken = await Promise.all([caller('a'), caller('a'), caller('a'), caller('b')].map(take));
    expect(calls).toEqual([
      [
        { key: 'key:a', keyMax: 3, account: 'account:1', requests: 3 },
        { key: 'key:b', keyMax: 3, account: 'account:1', requests: 1 },
      ],
    ]);
    expect(taken.map(({ allowed, limit, remaining }) => ({ allowed, limit, remaining }))).toEqual([
      { allowed: true, limit: 3, remaining: 1 },
      { allowed: true, limit: 3, remaining: 0 },
      { allowed: false, limit: 3, remaining: 0 },
      { allowed: false, limit: 5, remaining: 0 },
    ]);
  });

  test('counts otherwise while the counter fails', async () => {
    const { take } = openTaker(() => Promise.reject(new Error('away')));
    expect(await take(caller('a'))).toEqual(otherwise);
  });
});

/** Three requests per key and five per account. */
function openTaker(count: RequestCounter) {
  const calls: unknown[] = [];
  const options: RequestTakerOptions = {
    namesOf: ({ id, accountId }) => ({ key: `key:${id}`, account: `account:${accountId}` }),
    perKey: 3,
    perAccount: 5,
    windowSeconds: 60,
    otherwise: () => Promise.resolve(otherwise),
  };
  const counting: RequestCounter = (asked, window) => {
    calls.push(asked.map(({ key, keyMax, account, requests }) => ({ key, keyMax, account, requests })));
    return count(asked, window);
  };
  return { take: createRequestTaker(counting, options), calls };
}
