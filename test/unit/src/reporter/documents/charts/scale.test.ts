import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  balanceAxis,
  countAxis,
  labelledPlaces,
  spreadApart,
} from '../../../../../../src/reporter/documents/charts/scale.ts';

test.each([
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [17, [0, 5, 10, 15, 20]],
  [100, [0, 50, 100]],
  [1234, [0, 500, 1000, 1500]],
])('axis for counts up to %i has the grid lines %j', (largest, ticks) => {
  expect(countAxis(largest)).toEqual({ max: ticks.at(-1), ticks });
});

test('axis covers its largest count with two to six integer grid lines', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), (largest) => {
      const { max, ticks } = countAxis(largest);
      expect(max).toBeGreaterThanOrEqual(largest);
      expect(ticks.every(Number.isInteger)).toBe(true);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(7);
    }),
  );
});

test.each([
  [0, 0, { above: 1, below: 1, ticks: [-1, 0, 1] }],
  [4, 1, { above: 4, below: 1, ticks: [-1, 0, 1, 2, 3, 4] }],
  [3, 17, { above: 5, below: 20, ticks: [-20, -15, -10, -5, 0, 5] }],
])('axis for up to %i above and %i below 0 has one step', (up, down, axis) => {
  expect(balanceAxis(up, down)).toEqual(axis);
});

test('labels include the last position and do not exceed their maximum', () => {
  expect(labelledPlaces(3, 8)).toEqual([0, 1, 2]);
  expect(labelledPlaces(30, 8)).toEqual([1, 5, 9, 13, 17, 21, 25, 29]);
  expect(labelledPlaces(0, 8)).toEqual([]);
});

test('overlapping labels move apart, in order and within the drawing', () => {
  expect(spreadApart([50, 51, 10], { gap: 15, from: 0, to: 100 })).toEqual([50, 65, 10]);
  expect(spreadApart([99, 100], { gap: 15, from: 0, to: 100 })).toEqual([85, 100]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 270 }), { maxLength: 6 }), (places) => {
      const moved = spreadApart(places, { gap: 15, from: 0, to: 270 });
      const sorted = [...moved].sort((a, b) => a - b);
      expect(
        sorted.every((at, i) => at >= 0 && at <= 270 && (i === 0 || at - (sorted[i - 1] ?? 0) >= 15)),
      ).toBe(true);
    }),
  );
});
