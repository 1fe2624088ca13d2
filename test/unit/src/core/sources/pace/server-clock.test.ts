import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createServerClock } from '../../../../../../src/core/sources/pace/server-clock.ts';

/** Difference of the server clock to the local one. */
const offsetMs = 1_000_000;
const reading = (askedMs: number, answeredMs: number, printedMs: number) => ({
  askedMs,
  answeredMs,
  bookMs: printedMs + offsetMs,
});

test('the server clock converts a server time with an error of half the shortest round trip plus 0.1 % drift', () => {
  const clock = createServerClock();
  clock.note(reading(0, 100, 10));
  expect(clock.toOurs(offsetMs + 50)).toEqual({ atMs: 90, errorMsMax: 50 });
  clock.note(reading(200, 202, 201));
  clock.note(reading(300, 400, 310));
  expect(clock.toOurs(offsetMs + 202)).toEqual({ atMs: 202, errorMsMax: 1 });
  expect(clock.toOurs(offsetMs + 1202)).toEqual({ atMs: 1202, errorMsMax: 2 });
});

test('the server clock follows a reading that contradicts the best one, because a clock was set', () => {
  const clock = createServerClock();
  clock.note(reading(0, 2, 1));
  clock.note(reading(100, 150, 5_125));
  expect(clock.toOurs(offsetMs + 5_125).atMs).toBe(125);
});

test('the server clock is never further off than its error bound', () => {
  const trips = fc.array(fc.record({ pauseMs: fc.nat(60_000), thereMs: fc.nat(300), backMs: fc.nat(300) }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(trips, fc.double({ min: -0.0005, max: 0.0005, noNaN: true }), (made, drift) => {
      const clock = createServerClock();
      const serverAt = (ourMs: number) => offsetMs + ourMs * (1 + drift);
      let nowMs = 0;
      for (const { pauseMs, thereMs, backMs } of made) {
        const askedMs = nowMs + pauseMs;
        nowMs = askedMs + thereMs + backMs;
        clock.note({ askedMs, answeredMs: nowMs, bookMs: serverAt(askedMs + thereMs) });
        const trueMs = nowMs + 1000;
        const { atMs, errorMsMax } = clock.toOurs(serverAt(trueMs));
        expect(Math.abs(atMs - trueMs)).toBeLessThanOrEqual(errorMsMax + 0.001);
      }
    }),
  );
});

test('the server clock throws before its first reading', () => {
  expect(() => createServerClock().toOurs(0)).toThrow('before it was read');
});
