import type { Redis } from 'ioredis';
import type { SlotBook } from '../core/ads/pace.ts';
import { withQueue } from './connection.ts';

/** KEYS: bucket. ARGV: interval µs, count. One atomic step by the server's clock; answers the wait for the first slot in µs. */
const takeSlots = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local slot = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local after = slot + ARGV[1] * ARGV[2]
redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', math.ceil((after - now) / 1000) + 60000)
return string.format('%.0f', slot - now)`;

/** KEYS: bucket. ARGV: delay µs. No slot before then. */
const delaySlots = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local after = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now + ARGV[1])
redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', math.ceil((after - now) / 1000) + 60000)
return '0'`;

/** The token buckets on Redis. A bucket that was idle for a minute beyond its last slot expires: it is full again. */
export function createRedisSlotBook(client: Redis, prefix: string): SlotBook {
  const key = (bucket: string) => `${prefix}:pace:${bucket}`;
  return {
    take: (bucket, intervalMs, count) =>
      withQueue(async () => {
        const waitUs = await client.eval(takeSlots, 1, key(bucket), Math.round(intervalMs * 1000), count);
        return Number(waitUs) / 1000;
      }),
    delay: (bucket, delayMs) =>
      withQueue(async () => {
        await client.eval(delaySlots, 1, key(bucket), Math.round(delayMs * 1000));
      }),
  };
}
