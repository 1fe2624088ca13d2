import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dayMarks,
  dayRange,
  markLabels,
  markPixels,
} from '../../../../src/console/components/charts/day-axis.ts';
import { listDays } from '../../../../src/console/components/dates/days.ts';
import { takeSeedNumber } from '../../../support/seed-number.ts';

test('single day is in the middle, between its neighbours', () => {
  const range = dayRange(['2026-12-31']);
  const marks = dayMarks(range, 700);
  expect(markLabels(marks)).toEqual(['30 Dec 2026', '31 Dec', '1 Jan 2027']);
});

test.each([
  ['2026-11-01', '2026-11-02', 700, ['1 Nov 2026', '2 Nov']],
  [
    '2026-11-01',
    '2026-11-15',
    700,
    ['1 Nov 2026', '3 Nov', '5 Nov', '7 Nov', '9 Nov', '11 Nov', '13 Nov', '15 Nov'],
  ],
  ['2026-11-10', '2027-02-07', 400, ['1 Dec 2026', '1 Jan 2027', '1 Feb']],
  ['2024-06-15', '2029-06-14', 400, ['1 Jan 2026', '1 Jan 2028']],
])('%s to %s on %i pixels has the expected labels', (from, to, pixels, labels) => {
  expect(markLabels(dayMarks(dayRange(listDays(from, to)), pixels))).toEqual(labels);
});

test('labels of any range and width do not overlap, are within the range and never empty', () => {
  const cases = fc.record({
    first: fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
    days: fc.integer({ min: 1, max: 5000 }),
    pixels: fc.integer({ min: 100, max: 3000 }),
  });
  fc.assert(
    fc.property(cases, ({ first, days, pixels }) => {
      const from = first.toISOString().slice(0, 10);
      const to = new Date(Date.parse(from) + (days - 1) * 86_400_000).toISOString().slice(0, 10);
      const range = dayRange([from, to]);
      const marks = dayMarks(range, pixels);
      expect(marks.length).toBeGreaterThan(0);
      expect(marks.every((mark) => mark >= range.from && mark <= range.to && mark % 86_400 === 0)).toBe(true);
      const positions = marks.map((mark) => ((mark - range.from) / (range.to - range.from)) * pixels);
      for (const [i, position] of positions.entries())
        if (i > 0) expect(position - (positions[i - 1] ?? 0)).toBeGreaterThanOrEqual(markPixels - 0.001);
    }),
    { seed: takeSeedNumber(), numRuns: 500 },
  );
});
