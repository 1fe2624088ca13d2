import { expect, test } from 'vitest';
import { makePlot } from '../../../../../../src/console/components/charts/plot.ts';

const plot = makePlot({ width: 360, height: 240, marginRight: 60, dayCount: 4 });

test('days share the width of the plot equally', () => {
  expect([plot.left, plot.right, plot.dayWidth]).toEqual([44, 300, 64]);
  expect([0, 1, 2, 3].map(plot.x)).toEqual([76, 140, 204, 268]);
});

test('each position belongs to the nearest day, those beyond the ends to the first and last day', () => {
  expect([0, 44, 107, 108, 299, 300, 359].map(plot.dayAt)).toEqual([0, 0, 0, 1, 3, 3, 3]);
});

test('plot without room or days stays within its chart', () => {
  const none = makePlot({ width: 0, height: 240, marginRight: 60, dayCount: 0 });
  expect(none.right).toBeGreaterThan(none.left);
  expect(Number.isFinite(none.x(0))).toBe(true);
});
