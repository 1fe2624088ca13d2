import { beforeEach, describe, expect, test } from 'vitest';
import type { RateLimitStore } from '../../src/core/sources/rate-limiter.ts';

const hourMs = 3_600_000;

/**
 * Checks the guarantees of `RateLimitStore`; run by every implementation. Slots are hours apart, so that the speed of the machine
 * does not matter.
 */
export function rateLimitStoreContract(openStore: () => Promise<RateLimitStore>): void {
  let store: RateLimitStore;
  const ask = (count: number, { bucket = 'a', intervalMs = hourMs, waitMsMax = 1000 * hourMs } = {}) =>
    store.take(bucket, { intervalMs, waitMsMax, count });
  /** Without the time of the store's clock, which advances. */
  async function take(...asked: Parameters<typeof ask>) {
    const { taken, waitMs, intervalMs } = await ask(...asked);
    return { taken, waitMs, intervalMs };
  }

  /** The wait in whole hours; up to a minute of it has passed. */
  async function hoursUntil(answer: Promise<{ readonly waitMs: number }>): Promise<number> {
    const { waitMs } = await answer;
    const hours = Math.round(waitMs / hourMs);
    expect(hours * hourMs - waitMs).toBeGreaterThanOrEqual(0);
    expect(hours * hourMs - waitMs).toBeLessThan(60_000);
    return hours;
  }

  describe('rate limit store', () => {
    beforeEach(async () => {
      store = await openStore();
    });

    test('returns the time of its clock, on which its waits are based', async () => {
      const [first, second] = [await ask(1), await ask(1)];
      expect(second.bookMs).toBeGreaterThan(first.bookMs);
      expect(second.bookMs + second.waitMs).toBeCloseTo(first.bookMs + hourMs, 1);
    });

    test('gives the first slot of a bucket at once', async () => {
      expect(await take(1)).toEqual({ taken: 1, waitMs: 0, intervalMs: hourMs });
    });

    test('gives slots one interval apart, for any number per call', async () => {
      expect(await take(3)).toEqual({ taken: 3, waitMs: 0, intervalMs: hourMs });
      expect(await hoursUntil(take(1))).toBe(3);
      expect(await hoursUntil(take(2))).toBe(4);
      expect(await hoursUntil(take(1))).toBe(6);
    });

    test('gives only slots that begin within the longest wait', async () => {
      expect(await take(10, { waitMsMax: 2.5 * hourMs })).toMatchObject({ taken: 3, waitMs: 0 });
      expect(await take(10, { waitMsMax: 4.5 * hourMs })).toMatchObject({ taken: 2 });
      expect(await hoursUntil(take(1))).toBe(5);
    });

    test('takes no slot beyond the longest wait, and returns the wait', async () => {
      await take(3);
      for (let i = 0; i < 3; i += 1) {
        const answer = take(5, { waitMsMax: hourMs });
        expect(await answer).toMatchObject({ taken: 0 });
        expect(await hoursUntil(answer)).toBe(3);
      }
    });

    test('gives no slot before the end of a delay', async () => {
      await store.delay('a', 5 * hourMs);
      expect(await take(1, { waitMsMax: hourMs })).toMatchObject({ taken: 0 });
      expect(await hoursUntil(take(1))).toBe(5);
      expect(await hoursUntil(take(1))).toBe(6);
    });

    test('does not shorten a delay, nor add one to slots that are later anyway', async () => {
      await store.delay('a', 5 * hourMs);
      await store.delay('a', hourMs);
      expect(await hoursUntil(take(1))).toBe(5);
      await store.delay('a', 2 * hourMs);
      expect(await hoursUntil(take(1))).toBe(6);
    });

    test('separates buckets', async () => {
      await take(9);
      await store.delay('a', 20 * hourMs);
      expect(await take(1, { bucket: 'b' })).toMatchObject({ taken: 1, waitMs: 0 });
    });

    test('gives any number of slots without a rate, and respects delays', async () => {
      const noPace = { intervalMs: 0 };
      expect(await take(1000, noPace)).toEqual({ taken: 1000, waitMs: 0, intervalMs: 0 });
      expect(await take(1000, noPace)).toEqual({ taken: 1000, waitMs: 0, intervalMs: 0 });
      await store.delay('a', 2 * hourMs);
      expect(await hoursUntil(take(1000, noPace))).toBe(2);
      expect(await take(1000, { ...noPace, waitMsMax: hourMs })).toMatchObject({ taken: 0 });
    });

    test('does not accumulate slots while idle', async () => {
      await take(1, { intervalMs: 0.001 });
      expect(await take(1)).toEqual({ taken: 1, waitMs: 0, intervalMs: hourMs });
      expect(await hoursUntil(take(1))).toBe(1);
    });

    test('uses the slower of the configured and the learned rate, and returns its interval', async () => {
      await store.learn('a', 2 * hourMs);
      expect(await take(2)).toEqual({ taken: 2, waitMs: 0, intervalMs: 2 * hourMs });
      expect(await hoursUntil(take(1))).toBe(4);
      expect(await hoursUntil(take(1, { intervalMs: 3 * hourMs }))).toBe(6);
      expect(await hoursUntil(take(1))).toBe(9);
      expect(await take(10, { waitMsMax: 14 * hourMs })).toMatchObject({ taken: 2 });
    });

    test('learns a rate without a configured one, and replaces a learned rate', async () => {
      const noPace = { intervalMs: 0 };
      await store.learn('a', 2 * hourMs);
      expect(await take(1, noPace)).toMatchObject({ intervalMs: 2 * hourMs });
      expect(await hoursUntil(take(1, noPace))).toBe(2);
      await store.learn('a', hourMs);
      expect(await take(1, noPace)).toMatchObject({ intervalMs: hourMs });
      expect(await hoursUntil(take(1, noPace))).toBe(5);
    });

    test('learns a rate per bucket, without giving or moving a slot', async () => {
      await store.learn('a', 2 * hourMs);
      expect(await take(1)).toMatchObject({ waitMs: 0 });
      expect(await take(1, { bucket: 'b' })).toEqual({ taken: 1, waitMs: 0, intervalMs: hourMs });
      await store.learn('b', 2 * hourMs);
      expect(await hoursUntil(take(1, { bucket: 'b' }))).toBe(1);
    });

    test('gives no slot twice to concurrent callers', async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => take((i % 3) + 1)));
      const taken = answers.reduce((sum, answer) => sum + answer.taken, 0);
      expect(taken).toBe(79);
      const firsts = answers.map(({ waitMs }) => Math.round(waitMs / hourMs));
      expect(new Set(firsts).size).toBe(40);
      expect(await hoursUntil(take(1))).toBe(79);
    });
  });
}
