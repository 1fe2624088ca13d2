import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgresSlotBook } from '../../db/stores/slot-book.ts';
import { createRedisSlotBook } from '../../src/queue/redis-slot-book.ts';
import { slotBookContract } from '../contract/slot-book.contract.ts';
import { openTestDatabase } from '../support/database.ts';

describe('on postgres', () =>
  slotBookContract(async () => createPostgresSlotBook((await openTestDatabase()).app.sql)));

const redisUrl = inject('redisUrl');

describe.skipIf(redisUrl === null)('on redis', () => {
  slotBookContract(async () => {
    const { client, prefix } = openRedis();
    return createRedisSlotBook(client, prefix);
  });

  test('a bucket is forgotten a minute after its last slot, and not before', async () => {
    const { client, prefix } = openRedis();
    const book = createRedisSlotBook(client, prefix);
    await book.take('a', { intervalMs: 3_600_000, waitMsMax: 36_000_000, count: 2 });
    await book.delay('b', 3_600_000);
    const lifetimesMs = await Promise.all(
      ['a', 'b'].map((bucket) => client.pttl(`${prefix}:pace:${bucket}`)),
    );
    expect(lifetimesMs[0]).toBeGreaterThan(2 * 3_600_000);
    expect(lifetimesMs[1]).toBeGreaterThan(3_600_000);
    expect(Math.max(...lifetimesMs)).toBeLessThanOrEqual(2 * 3_600_000 + 60_000);
  });
});

function openRedis() {
  const client = new Redis(redisUrl ?? '', { maxRetriesPerRequest: null });
  onTestFinished(() => client.disconnect());
  return { client, prefix: `{test-${randomBytes(6).toString('hex')}}` };
}
