import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createServerClock } from '../../../../../src/core/sources/server-clock.ts';

/** The book's clock is so far ahead of ours. */
const offsetMs = 1_000_000;
const reading = (askedMs: number, answeredMs: number, printedMs: number) => ({
  askedMs,
  answeredMs,
  bookMs: printedMs + offsetMs,
});

test('a moment of the book is ours, off by half of what the quickest answer took and a thousandth of the time since', () => {
  const clock = createServerClock();
  clock.note(reading(0, 100, 10));
  expect(clock.toOurs(offsetMs + 50)).toEqual({ atMs: 90, errorMsMax: 50 });
  clock.note(reading(200, 202, 201));
  clock.note(reading(300, 400, 310));
  expect(clock.toOurs(offsetMs + 202)).toEqual({ atMs: 202, errorMsMax: 1 });
  expect(clock.toOurs(offsetMs + 1202)).toEqual({ atMs: 1202, errorMsMax: 2 });
});

test('an answer that contradicts the quickest one counts: somebody has set a clock', () => {
  const clock = createServerClock();
  clock.note(reading(0, 2, 1));
  clock.note(reading(100, 150, 5_125));
  expect(clock.toOurs(offsetMs + 5_125).atMs).toBe(125);
});

test('the true moment is never further off than it says', () => {
  const trips = fc.array(fc.record({ pauseMs: fc.nat(60_000), thereMs: fc.nat(300), backMs: fc.nat(300) }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(trips, fc.double({ min: -0.0005, max: 0.0005, noNaN: true }), (made, drift) => {
      const clock = createServerClock();
      const bookAt = (ourMs: number) => offsetMs + ourMs * (1 + drift);
      let nowMs = 0;
      for (const { pauseMs, thereMs, backMs } of made) {
        const askedMs = nowMs + pauseMs;
        nowMs = askedMs + thereMs + backMs;
        clock.note({ askedMs, answeredMs: nowMs, bookMs: bookAt(askedMs + thereMs) });
        const trueMs = nowMs + 1000;
        const { atMs, errorMsMax } = clock.toOurs(bookAt(trueMs));
        expect(Math.abs(atMs - trueMs)).toBeLessThanOrEqual(errorMsMax + 0.001);
      }
    }),
  );
});

test('it cannot be used before it was read', () => {
  expect(() => createServerClock().toOurs(0)).toThrow('before it was read');
});
