import { addDays, listDays } from '../../components/dates/days.ts';

/** Number of active ads on the days on which it changed. */
export interface Activity {
  readonly before: number | null;
  readonly days: readonly { readonly day: string; readonly ads_active: number }[];
}

/**
 * Fills in a value for each of these days: a missing day repeats the value of the day before. Null before the first value and outside of the
 * window.
 */
export function fillDays(
  { before, days: changed }: Activity,
  days: readonly string[],
  window: Window,
): readonly (number | null)[] {
  const byDay = new Map(changed.map(({ day, ads_active: count }) => [day, count]));
  const first = days[0] ?? '';
  let last = changed.findLast(({ day }) => day < first)?.ads_active ?? before;
  return days.map((day) => {
    last = byDay.get(day) ?? last;
    return day < window.from || day > window.to ? null : last;
  });
}

/** First and last day with data, `YYYY-MM-DD`. */
export interface Window {
  readonly from: string;
  readonly to: string;
}

/**
 * Lists the days of a range of this length, which ends today. It ends with the newest day of data if less than two of its days have data.
 * Empty without data.
 */
export function rangeDays(window: Window | null, count: number, today: string): readonly string[] {
  if (window === null) return [];
  const lastDays = (to: string) => listDays(addDays(to, 1 - count), to);
  const days = lastDays(window.to > today ? window.to : today);
  const known = days.filter((day) => day >= window.from && day <= window.to);
  return known.length < 2 ? lastDays(window.to) : days;
}

/** Returns the current day in UTC. */
export function currentDay(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Creates a column for each of these days. */
export function fillColumns<Changed extends { readonly day: string }>(
  changed: readonly Changed[],
  days: readonly string[],
  upDown: (of: Changed) => { readonly up: number; readonly down: number },
) {
  const byDay = new Map(changed.map((each) => [each.day, each]));
  return days.map((day) => {
    const each = byDay.get(day);
    return { day, ...(each === undefined ? { up: 0, down: 0 } : upDown(each)) };
  });
}

/** Creates the text alternative of a line chart. */
export function lineSummary(
  lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[],
): string {
  return lines
    .map(({ name, values }) => {
      const known = values.filter((value) => value !== null);
      return known.length === 0 ? `${name}: no data.` : `${name}: from ${known[0]} to ${known.at(-1)}.`;
    })
    .join(' ');
}
