import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { describe, expect, test } from 'vitest';
import { createRequestCounter } from '../../../db/stores/accounts/request-counter.ts';
import { openTestDatabase } from '../../support/db/database.ts';

const window = { nowMs: 1_000_000, windowMs: 60_000 };
const asked = (key: string, requests: number) => ({ key, keyMax: 5, account: 'account', requests });

describe('the counter of requests', () => {
  test('counts the requests of keys, and those within the limits of keys for their account', async () => {
    const count = createRequestCounter((await openTestDatabase()).app.sql);
    const ends = { endsAtMs: 1_060_000 };
    expect(await count([asked('b', 4), asked('a', 7)], window)).toEqual([
      { ofKey: { requests: 4, ...ends }, ofAccount: { requests: 9, ...ends } },
      { ofKey: { requests: 7, ...ends }, ofAccount: { requests: 9, ...ends } },
    ]);
    expect(await count([asked('a', 3), asked('b', 3)], window)).toEqual([
      { ofKey: { requests: 10, ...ends }, ofAccount: { requests: 10, ...ends } },
      { ofKey: { requests: 7, ...ends }, ofAccount: { requests: 10, ...ends } },
    ]);
    expect(await count([asked('a', 1)], window)).toEqual([
      { ofKey: { requests: 11, ...ends }, ofAccount: null },
    ]);
  });

  test('begins a new window when the last one is over', async () => {
    const count = createRequestCounter((await openTestDatabase()).app.sql);
    await count([asked('a', 9)], window);
    const later = { nowMs: 1_060_000, windowMs: 60_000 };
    const ends = { endsAtMs: 1_120_000 };
    expect(await count([asked('a', 2)], later)).toEqual([
      { ofKey: { requests: 2, ...ends }, ofAccount: { requests: 2, ...ends } },
    ]);
  });

  test('continues the counts of rate-limiter-flexible, and it those of the counter', async () => {
    const { app } = await openTestDatabase();
    const count = createRequestCounter(app.sql);
    const limiter = new RateLimiterPostgres({
      storeClient: app.pool,
      schemaName: 'nightshift',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: 'limits',
      points: 100,
      duration: 60,
    });
    await limiter.consume('one', 3);
    const nowMs = Date.now();
    const [counted] = await count([{ ...asked('limits:one', 2), keyMax: 100 }], { nowMs, windowMs: 60_000 });
    expect(counted?.ofKey.requests).toBe(5);
    expect(await limiter.consume('one', 1)).toMatchObject({ consumedPoints: 6 });
  });
});
