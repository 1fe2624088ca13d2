import type { Redis } from 'ioredis';
import type { SlotBook } from '../core/ads/pace.ts';
import { withQueue } from './with-queue.ts';

/** KEYS: bucket. ARGV: interval µs, longest wait µs, count. Answers slots taken and the wait for the first free one in µs. */
const takeSlots = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local slot = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local interval, waitMax, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local wait = slot - now
local taken = 0
if wait <= waitMax then
  taken = interval == 0 and count or math.min(count, math.floor((waitMax - wait) / interval) + 1)
end
if taken > 0 then
  local after = slot + taken * interval
  redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', math.ceil((after - now) / 1000) + 60000)
end
return {taken, string.format('%.0f', wait)}`;

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
    take: (bucket, { intervalMs, waitMsMax, count }) =>
      withQueue(async () => {
        const [intervalUs, waitUsMax] = [intervalMs, waitMsMax].map((ms) => Math.round(ms * 1000));
        const answer = await client.eval(takeSlots, 1, key(bucket), intervalUs ?? 0, waitUsMax ?? 0, count);
        const [taken, waitUs] = parseAnswer(answer);
        return { taken, waitMs: waitUs / 1000 };
      }),
    delay: (bucket, delayMs) =>
      withQueue(async () => {
        await client.eval(delaySlots, 1, key(bucket), Math.round(delayMs * 1000));
      }),
  };
}

function parseAnswer(answer: unknown): readonly [taken: number, waitUs: number] {
  if (!Array.isArray(answer) || answer.length !== 2)
    throw new TypeError('The slot script answered in no known form.');
  return [Number(answer[0]), Number(answer[1])];
}
