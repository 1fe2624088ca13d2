import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgresRateLimitStore } from '../../../db/stores/sources/rate-limits.ts';
import { sleep } from '../../../src/core/async/wait.ts';
import { askSources } from '../../../src/core/sources/ask-sources.ts';
import type { SourceCallLog } from '../../../src/core/sources/call-log.ts';
import { createRateLimiter, type RateLimitStore } from '../../../src/core/sources/rate-limiter.ts';
import { createRedisRateLimitStore } from '../../../src/queue/redis-rate-limits.ts';
import { noLimits } from '../../support/api/no-limits.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { fakeAsking, fakeLiveSource, heldLease, lookupsOf } from '../../support/sources/fake-calls.ts';

const redisUrl = inject('redisUrl');

describe('with slots on postgres', () => {
  leavesPlaces(async () => createPostgresRateLimitStore((await openTestDatabase()).app.sql));
});

describe.skipIf(redisUrl === null)('with slots on redis', () => {
  leavesPlaces(async () => {
    const client = new Redis(redisUrl ?? '');
    onTestFinished(() => client.disconnect());
    return createRedisRateLimitStore(client, `{test-${randomBytes(6).toString('hex')}}`);
  });
});

function leavesPlaces(openSlots: () => Promise<RateLimitStore>): void {
  test.each([
    ['the next slot of a slow source', { pace: { requestsPerSecond: 0.02, burst: 1 } }, true],
    ['room at a source', { concurrency: 1 }, false],
  ])(
    'lookups that wait for %s leave the places of the process to other sources',
    async (_, limits, hasRoom) => {
      const slots = await openSlots();
      const { options } = fakeAsking({
        rateLimiter: createRateLimiter({ slots, nowMs: () => performance.now(), sleep, openGate: pLimit }),
        limit: pLimit(2),
        sleep,
      });
      const slow = fakeLiveSource(() => ({ kind: 'no_match' }), {
        name: 'slow',
        bucket: 'slow:bucket',
        limits: { ...noLimits, deadlineMs: 1000, ...limits },
      });
      const fast = fakeLiveSource(() => ({ kind: 'no_match' }), {
        limits: { ...noLimits, deadlineMs: 1000, pace: { requestsPerSecond: 500, burst: 100 } },
      });
      const stop = new AbortController();
      let seenFree = 0;
      let begun = 0;
      const calls: SourceCallLog = {
        ...options.calls,
        hasRoom: async () => hasRoom || ++seenFree <= 4,
        begin: async (...call) =>
          hasRoom || ++begun === 1 ? options.calls.begin(...call) : { kind: 'full' },
      };
      const slowly = askSources([slow.source], lookupsOf(10), {
        ...options,
        calls,
        lease: heldLease(stop.signal),
      });
      await expect.poll(() => slow.questions.length).toBe(1);
      await askSources([fast.source], lookupsOf(20), options);
      expect([slow.questions.length, fast.questions.length]).toEqual([1, 20]);
      stop.abort(new Error('The test is over.'));
      await expect(slowly).rejects.toThrow('The test is over.');
    },
  );
}
