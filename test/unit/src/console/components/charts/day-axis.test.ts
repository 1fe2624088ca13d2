import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dayMarks,
  markLabels,
  markPixels,
} from '../../../../../../src/console/components/charts/day-axis.ts';
import { listDays } from '../../../../../../src/console/components/dates/days.ts';
import { takeSeedNumber } from '../../../../../support/seed-number.ts';

test.each([
  ['2026-12-31', '2026-12-31', 700, ['31 Dec 2026']],
  ['2026-11-01', '2026-11-02', 700, ['1 Nov 2026', '2 Nov']],
  ['2026-11-01', '2026-11-14', 700, ['2 Nov 2026', '4 Nov', '6 Nov', '8 Nov', '10 Nov', '12 Nov', '14 Nov']],
  ['2026-10-29', '2026-11-27', 500, ['30 Oct 2026', '6 Nov', '13 Nov', '20 Nov', '27 Nov']],
  ['2026-11-10', '2027-02-07', 400, ['1 Dec 2026', '1 Jan 2027', '7 Feb']],
  ['2025-11-27', '2026-11-27', 400, ['1 Jan 2026', '1 Jul', '27 Nov']],
])('%s to %s on %i pixels has the expected labels', (from, to, pixels, labels) => {
  const days = listDays(from, to);
  expect(markLabels(dayMarks(days, pixels).map((mark) => days[mark] ?? ''))).toEqual(labels);
});

test('labels of any range and width do not overlap and include the last day', () => {
  const cases = fc.record({
    first: fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
    count: fc.integer({ min: 1, max: 5000 }),
    pixels: fc.integer({ min: 100, max: 3000 }),
  });
  fc.assert(
    fc.property(cases, ({ first, count, pixels }) => {
      const from = first.toISOString().slice(0, 10);
      const to = new Date(Date.parse(from) + (count - 1) * 86_400_000).toISOString().slice(0, 10);
      const marks = dayMarks(listDays(from, to), pixels);
      expect(marks.at(-1)).toBe(count - 1);
      const positions = marks.map((mark) => (mark / count) * pixels);
      for (const [i, position] of positions.entries())
        if (i > 0) expect(position - (positions[i - 1] ?? 0)).toBeGreaterThanOrEqual(markPixels - 0.001);
    }),
    { seed: takeSeedNumber(), numRuns: 500 },
  );
});
