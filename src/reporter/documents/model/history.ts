import type { CompanyActivity, DayOfChanges } from '../../../core/reports/schedule-data.ts';

/** A company's ads over some days. */
export interface ActivityLine {
  readonly activity: CompanyActivity;
  /** One value a day: how many ads ran, null while nobody had looked. */
  readonly values: readonly (number | null)[];
  /** True for days with a scan; on other days the value of the day before still stands. */
  readonly checked: readonly boolean[];
}

/** The history of a company day by day: a day without a scan has what the scan before it left. */
export function activityLine(activity: CompanyActivity, days: readonly string[]): ActivityLine {
  const byDay = new Map(activity.days.map(({ day, adsActive }) => [day, adsActive]));
  let last = activity.before;
  const values = days.map((day) => (last = byDay.get(day) ?? last));
  return { activity, values, checked: days.map((day) => byDay.has(day)) };
}

/** Number of ads that began and ended on a day. Reactivated ads begin again. */
export interface DayBalance {
  readonly day: string;
  readonly begun: number;
  readonly ended: number;
}

/** The balance of every one of these days; nothing happened on one that is missing among the changes. */
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
