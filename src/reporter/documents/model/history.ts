import type { CompanyActivity, DayOfChanges } from '../../../core/reports/schedule-data.ts';

/** Active ads of a company by day. */
export interface ActivityLine {
  readonly activity: CompanyActivity;
  /** Number of active ads on each day; null before the first scan. */
  readonly values: readonly (number | null)[];
  /** True for days with a scan; other days repeat the value of the day before. */
  readonly checked: readonly boolean[];
}

/** Computes the history of a company by day. A day without a scan repeats the day before. */
export function activityLine(activity: CompanyActivity, days: readonly string[]): ActivityLine {
  const byDay = new Map(activity.days.map(({ day, adsActive }) => [day, adsActive]));
  let last = activity.before;
  const values = days.map((day) => (last = byDay.get(day) ?? last));
  return { activity, values, checked: days.map((day) => byDay.has(day)) };
}

/** Number of ads that started and ended on a day. Reactivated ads start again. */
export interface DayBalance {
  readonly day: string;
  readonly begun: number;
  readonly ended: number;
}

/** Computes the balance of each of these days; zero for days without changes. */
export function dayBalances(
  changes: readonly DayOfChanges[],
  days: readonly string[],
): readonly DayBalance[] {
  const byDay = new Map(changes.map((each) => [each.day, each]));
  return days.map((day) => {
    const counts = byDay.get(day);
    return { day, begun: (counts?.new ?? 0) + (counts?.reactivated ?? 0), ended: counts?.ended ?? 0 };
  });
}
