import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../../../../src/core/time/day.ts';
import { countRunning, type AdRuns } from '../../../../../src/core/reports/count-running.ts';
import { takeSeedNumber } from '../../../../support/seed-number.ts';

const window = { from: '2026-02-25', to: '2026-03-06' };
const day = fc.integer({ min: -20, max: 20 }).map((n) => addDays('2026-03-01', n));
const run = fc.record({ start: day, lastSeen: day, ads: fc.integer({ min: 1, max: 3 }) });

test('countRunning counts an ad from its first day to its last-seen day, inclusive', () => {
  const runs = [{ start: '2026-02-27', lastSeen: '2026-03-02', ads: 2 }];
  expect(countRunning(runs, window)).toEqual({
    before: 0,
    days: [
      { day: '2026-02-27', adsActive: 2 },
      { day: '2026-03-03', adsActive: 0 },
    ],
  });
});

test('countRunning counts ads before the window separately, and ignores runs outside of it or with reversed days', () => {
  const runs = [
    { start: '2026-01-01', lastSeen: '2026-03-06', ads: 5 },
    { start: '2026-03-05', lastSeen: '2026-03-01', ads: 1 },
    { start: '2026-04-01', lastSeen: '2026-05-01', ads: 1 },
  ];
  expect(countRunning(runs, window)).toEqual({ before: 5, days: [] });
});

test('countRunning equals a count of each single day', () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 12 }), (runs) => {
      const counted = countRunning(runs, window);
      let shown = counted.before;
      expect(shown).toBe(runningOn(runs, addDays(window.from, -1)));
      for (let at = window.from; at <= window.to; at = addDays(at, 1)) {
        shown = counted.days.find((each) => each.day === at)?.adsActive ?? shown;
        expect([at, shown]).toEqual([at, runningOn(runs, at)]);
      }
    }),
    { seed: takeSeedNumber(), numRuns: 300 },
  );
});

function runningOn(runs: readonly AdRuns[], at: string): number {
  const running = runs.filter(({ start, lastSeen }) => start <= at && at <= lastSeen);
  return running.reduce((sum, { ads }) => sum + ads, 0);
}
