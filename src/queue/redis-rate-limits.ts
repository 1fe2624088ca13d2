import type { Redis } from 'ioredis';
import type { RateLimitStore } from '../core/sources/rate-limiter.ts';
import { withQueueInTime } from './with-queue.ts';

/**
 * The start of both scripts. KEYS: bucket, its time. Sets `now` and the next `slot`, in µs. If the clock of the server was set back since the last
 * use of the bucket, the slot moves back with it: no call waits until the clock has caught up.
 */
const readSlot = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local slot = tonumber(redis.call('GET', KEYS[1]) or '0')
local back = tonumber(redis.call('GET', KEYS[2]) or '0') - now
if back > 1000000 then slot = slot - back end
local function keep(after)
  local ms = math.max(math.ceil((after - now) / 1000), 0) + 60000
  redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', ms)
  redis.call('SET', KEYS[2], string.format('%.0f', now), 'PX', ms)
end`;

/**
 * Reserves slots. KEYS: bucket, its time, its learned interval. ARGV: interval µs, maximum wait µs, count. Returns the number of reserved slots, the
 * wait for the first one, the interval between them, and the time, in µs.
 */
const takeSlots = `${readSlot}
slot = math.max(slot, now)
local waitMax, count = tonumber(ARGV[2]), tonumber(ARGV[3])
local interval = math.max(tonumber(ARGV[1]), tonumber(redis.call('GET', KEYS[3]) or '0'))
local wait = slot - now
local taken = 0
if wait <= waitMax then
  taken = interval == 0 and count or math.min(count, math.floor((waitMax - wait) / interval) + 1)
end
if taken > 0 then keep(slot + taken * interval) end
return {taken, string.format('%.0f', wait), string.format('%.0f', interval), string.format('%.0f', now)}`;

/** Delays the next slot. KEYS: bucket, its time. ARGV: delay µs. */
const delaySlots = `${readSlot}
keep(math.max(slot, now + ARGV[1]))
return '0'`;

/** Lifetime of a rate limit that a source has reported: a day. */
const learnedForMs = 86_400_000;

/** Creates the token buckets on Redis. A bucket that is idle for a minute after its last slot expires: it is full again. */
export function createRedisRateLimitStore(client: Redis, prefix: string): RateLimitStore {
  const key = (bucket: string) => `${prefix}:pace:${bucket}`;
  const timeKey = (bucket: string) => `${prefix}:pace-time:${bucket}`;
  const learnedKey = (bucket: string) => `${prefix}:learned-pace:${bucket}`;
  return {
    take: (bucket, { intervalMs, waitMsMax, count }) =>
      withQueueInTime(async () => {
        const [intervalUs, waitUsMax] = [intervalMs, waitMsMax].map((ms) => Math.round(ms * 1000));
        const keys = [key(bucket), timeKey(bucket), learnedKey(bucket)];
        const answer = await client.eval(takeSlots, 3, ...keys, intervalUs ?? 0, waitUsMax ?? 0, count);
        return parseAnswer(answer);
      }),
    delay: (bucket, delayMs) =>
      withQueueInTime(async () => {
        await client.eval(delaySlots, 2, key(bucket), timeKey(bucket), Math.round(delayMs * 1000));
      }),
    learn: (bucket, intervalMs) =>
      withQueueInTime(async () => {
        await client.set(learnedKey(bucket), Math.round(intervalMs * 1000), 'PX', learnedForMs);
      }),
  };
}

function parseAnswer(answer: unknown) {
  if (!Array.isArray(answer) || answer.length !== 4)
    throw new TypeError('invalid response of the slot script');
  const [taken = 0, waitUs = 0, intervalUs = 0, nowUs = 0] = answer.map(Number);
  return { taken, waitMs: waitUs / 1000, intervalMs: intervalUs / 1000, bookMs: nowUs / 1000 };
}
