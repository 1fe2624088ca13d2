import { describe, expect, test } from 'vitest';
import { lastDays } from '../../../../../src/core/reports/last-days.ts';

const company = { key: 'd:acme.com', domain: 'acme.com', name: null };
const figures = {
  window: { from: '2026-03-01', to: '2026-03-10' },
  activity: [
    {
      company,
      before: null,
      days: [
        { day: '2026-03-02', adsActive: 4 },
        { day: '2026-03-06', adsActive: 7 },
        { day: '2026-03-09', adsActive: 1 },
      ],
    },
  ],
  days: [
    { day: '2026-03-02', new: 1 },
    { day: '2026-03-09', new: 2 },
  ],
};

describe('the last days of a report', () => {
  test('start the given number of days before the end, inclusive', () => {
    expect(lastDays(figures, 4).window).toEqual({ from: '2026-03-07', to: '2026-03-10' });
    expect(lastDays(figures, 1).window).toEqual({ from: '2026-03-10', to: '2026-03-10' });
  });

  test('start with the count at the end of the previous day', () => {
    expect(lastDays(figures, 4).activity).toEqual([
      { company, before: 7, days: [{ day: '2026-03-09', adsActive: 1 }] },
    ]);
    expect(lastDays(figures, 9).activity[0]?.before).toBeNull();
    expect(lastDays(figures, 8).activity[0]?.before).toBe(4);
  });

  test('contain only their own events', () => {
    expect(lastDays(figures, 4).days).toEqual([{ day: '2026-03-09', new: 2 }]);
    expect(lastDays(figures, 2).days).toEqual([{ day: '2026-03-09', new: 2 }]);
    expect(lastDays(figures, 1).days).toEqual([]);
  });

  test('are the unchanged report if it has no more days or is empty', () => {
    expect(lastDays(figures, 10)).toBe(figures);
    expect(lastDays(figures, 366)).toBe(figures);
    const nothing = { window: null, activity: [], days: [] };
    expect(lastDays(nothing, 5)).toBe(nothing);
  });
});
