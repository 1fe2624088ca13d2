import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCallGap } from '../../../../../src/sources/transparency/call-gap.ts';

const { signal } = new AbortController();

/** A clock that advances with each sleep and with the lateness of its timer. */
function openClock(latenessMs: readonly number[]) {
  let nowMs = 0;
  let sleeps = 0;
  return {
    nowMs: () => nowMs,
    pass: (ms: number) => (nowMs += ms),
    sleep: (delayMs: number) => {
      nowMs += Math.max(delayMs + (latenessMs[sleeps++ % latenessMs.length] ?? 0), 0.5);
      return Promise.resolve();
    },
  };
}

test('calls start at least two seconds apart and wait at most three seconds plus the delay of timers', async () => {
  const share = fc.double({ min: 0, max: 0.999, noNaN: true });
  const calls = fc.array(fc.tuple(fc.nat(5_000), share), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      calls,
      fc.array(fc.integer({ min: -1, max: 40 }), { minLength: 1 }),
      async (plan, late) => {
        const clock = openClock(late);
        let next = 0;
        const waitForGap = createCallGap({ ...clock, random: () => plan[next]?.[1] ?? 0 });
        let lastMs = -Infinity;
        for (const [restMs] of plan) {
          clock.pass(restMs);
          const waitedMs = await waitForGap(signal);
          next++;
          // A difference of sums of fractions is rounded.
          expect(clock.nowMs() - lastMs).toBeGreaterThanOrEqual(2_000 - 1e-6);
          expect(waitedMs).toBeLessThan(3_000 + 3 * 40);
          lastMs = clock.nowMs();
        }
      },
    ),
  );
});

test('concurrent calls start one after another', async () => {
  const clock = openClock([0]);
  const waitForGap = createCallGap({ ...clock, random: () => 0.5 });
  const beginMs = async () => clock.nowMs() + (await waitForGap(signal));
  const [first, second] = await Promise.all([beginMs(), beginMs()]);
  expect(second - first).toBeGreaterThanOrEqual(2_000);
});

test('an aborted call rejects with the reason at once', async () => {
  const caller = new AbortController();
  const waiting = createCallGap()(caller.signal);
  const reason = new Error('the worker stops');
  caller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});
