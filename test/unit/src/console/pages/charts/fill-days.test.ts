import { expect, test } from 'vitest';
import { fillDays, rangeDays } from '../../../../../../src/console/pages/charts/fill-days.ts';

const today = '2026-11-27';

test.each([
  ['ends today, also for older data', { from: '2026-01-01', to: '2026-11-20' }, '2026-10-29', today],
  ['ends today, with data of its last two days', { from: '2026-11-26', to: today }, '2026-10-29', today],
  [
    'ends with data that is newer than the clock',
    { from: '2026-11-01', to: '2026-11-28' },
    '2026-10-30',
    '2026-11-28',
  ],
  [
    'ends with the newest data if it has less than two days of it',
    { from: '2026-01-01', to: '2026-10-29' },
    '2026-09-30',
    '2026-10-29',
  ],
])('range of 30 days %s', (_, window, first, last) => {
  const days = rangeDays(window, 30, today);
  expect([days.length, days[0], days.at(-1)]).toEqual([30, first, last]);
});

test('range without data has no days', () => {
  expect(rangeDays(null, 30, today)).toEqual([]);
});

test('days without a count repeat the day before, within the window', () => {
  const activity = {
    before: 2,
    days: [
      { day: '2026-11-21', ads_active: 5 },
      { day: '2026-11-24', ads_active: 7 },
    ],
  };
  const days = ['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26'];
  expect(fillDays(activity, days, { from: '2026-11-20', to: '2026-11-25' })).toEqual([5, 5, 7, 7, null]);
  expect(fillDays(activity, days, { from: '2026-11-23', to: '2026-11-26' })).toEqual([null, 5, 7, 7, 7]);
  expect(fillDays({ before: 2, days: [] }, days.slice(0, 1), { from: '2026-11-20', to: today })).toEqual([2]);
  expect(fillDays({ before: null, days: [] }, days.slice(0, 1), { from: '2026-11-20', to: today })).toEqual([
    null,
  ]);
});
