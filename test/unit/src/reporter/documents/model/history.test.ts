import { expect, test } from 'vitest';
import {
  daysFrom,
  listDays,
  momentText,
  shortDay,
  spanText,
} from '../../../../../../src/core/reports/days.ts';
import { activityLine, dayBalances } from '../../../../../../src/reporter/documents/model/history.ts';

const company = { key: 'd:nike.com', domain: 'nike.com', name: null };
const days = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'];

test('day without a scan repeats the day before', () => {
  const activity = {
    company,
    before: 3,
    days: [
      { day: '2026-02-28', adsActive: 5 },
      { day: '2026-03-02', adsActive: 0 },
    ],
  };
  expect(activityLine(activity, days)).toEqual({
    activity,
    values: [3, 5, 5, 0],
    checked: [false, true, false, true],
  });
});

test('days before the first scan are null, not zero', () => {
  const activity = { company, before: null, days: [{ day: '2026-03-01', adsActive: 2 }] };
  expect(activityLine(activity, days).values).toEqual([null, null, 2, 2]);
});

test('reactivated ads count as started, and days without changes are zero', () => {
  const changes = [{ day: '2026-02-28', new: 2, reactivated: 1, changed: 9, ended: 4 }];
  expect(dayBalances(changes, days.slice(0, 2))).toEqual([
    { day: '2026-02-27', begun: 0, ended: 0 },
    { day: '2026-02-28', begun: 3, ended: 4 },
  ]);
});

test('days are calendar days, independent of daylight saving time', () => {
  expect(listDays('2026-02-27', '2026-03-02')).toEqual(days);
  expect(listDays('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(listDays('2026-03-02', '2026-03-01')).toEqual([]);
  expect(daysFrom('2026-03-28', '2026-03-30')).toBe(2);
  expect(shortDay('2026-03-05')).toBe('5 Mar');
  expect(momentText(new Date('2026-03-05T02:04:59Z'))).toBe('2026-03-05 02:04 UTC');
});

test('span omits the common part of its days', () => {
  expect(spanText('2026-01-05', '2026-02-03')).toBe('5 Jan to 3 Feb 2026');
  expect(spanText('2025-12-20', '2026-01-05')).toBe('20 Dec 2025 to 5 Jan 2026');
  expect(spanText('2026-01-05', '2026-01-05')).toBe('5 Jan 2026');
});
