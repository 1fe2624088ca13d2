import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgresRateLimitStore } from '../../../db/stores/sources/rate-limits.ts';
import { createRedisRateLimitStore } from '../../../src/queue/redis-rate-limits.ts';
import { rateLimitStoreContract } from '../../contract/rate-limit-store.contract.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const hourMs = 3_600_000;

describe('on postgres', () => {
  rateLimitStoreContract(async () => createPostgresRateLimitStore((await openTestDatabase()).app.sql));

  test('a rate limit of a source lasts for a day', async () => {
    const { app, owner } = await openTestDatabase();
    const book = createPostgresRateLimitStore(app.sql);
    await book.learn('a', hourMs);
    const { rows } = await owner.pool.query(
      `SELECT learned_until - now() BETWEEN '23 hours' AND '1 day' AS lasts_a_day FROM nightshift.source_buckets`,
    );
    expect(rows).toEqual([{ lasts_a_day: true }]);
    await owner.pool.query('UPDATE nightshift.source_buckets SET learned_until = now()');
    expect(await book.take('a', { intervalMs: 0, waitMsMax: 0, count: 5 })).toMatchObject({ taken: 5 });
  });
});

const redisUrl = inject('redisUrl');

describe.skipIf(redisUrl === null)('on redis', () => {
  rateLimitStoreContract(async () => {
    const { client, prefix } = openRedis();
    return createRedisRateLimitStore(client, prefix);
  });

  test('a bucket expires a minute after its last reservation, and not before', async () => {
    const { client, prefix } = openRedis();
    const book = createRedisRateLimitStore(client, prefix);
    await book.take('a', { intervalMs: 3_600_000, waitMsMax: 36_000_000, count: 2 });
    await book.delay('b', 3_600_000);
    const lifetimesMs = await Promise.all(
      ['a', 'b'].map((bucket) => client.pttl(`${prefix}:pace:${bucket}`)),
    );
    expect(lifetimesMs[0]).toBeGreaterThan(2 * 3_600_000);
    expect(lifetimesMs[1]).toBeGreaterThan(3_600_000);
    expect(Math.max(...lifetimesMs)).toBeLessThanOrEqual(2 * 3_600_000 + 60_000);
  });

  test.each(['reserved', 'delayed'])(
    'a slot that is %s moves back with a clock that was set back',
    async (how) => {
      const { client, prefix } = openRedis();
      const book = createRedisRateLimitStore(client, prefix);
      const request = { intervalMs: hourMs, waitMsMax: hourMs, count: 1 };
      if (how === 'delayed') await book.delay('a', hourMs / 2);
      else await book.take('a', request);
      const before = await book.take('a', { ...request, waitMsMax: 0 });
      for (const name of ['pace', 'pace-time']) {
        const key = `${prefix}:${name}:a`;
        await client.set(key, String(Number(await client.get(key)) + 24 * hourMs * 1000), 'KEEPTTL');
      }
      const after = await book.take('a', { ...request, waitMsMax: 0 });
      expect(after.waitMs).toBeGreaterThan(0);
      expect(Math.abs(after.waitMs - before.waitMs)).toBeLessThan(waitMsMax);
    },
  );

  test('a rate limit of a source lasts for a day', async () => {
    const { client, prefix } = openRedis();
    await createRedisRateLimitStore(client, prefix).learn('a', hourMs);
    const lifetimeMs = await client.pttl(`${prefix}:learned-pace:a`);
    expect(lifetimeMs).toBeGreaterThan(23 * hourMs);
    expect(lifetimeMs).toBeLessThanOrEqual(24 * hourMs);
  });
});

function openRedis() {
  const client = new Redis(redisUrl ?? '', { maxRetriesPerRequest: null });
  onTestFinished(() => client.disconnect());
  return { client, prefix: `{test-${randomBytes(6).toString('hex')}}` };
}
