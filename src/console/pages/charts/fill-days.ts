import { listDays } from '../../components/dates/days.ts';

/** Number of active ads on the days on which it changed. */
export interface Activity {
  readonly before: number | null;
  readonly days: readonly { readonly day: string; readonly ads_active: number }[];
}

/** Fills in a value for each of these days: a missing day repeats the value of the day before. */
export function fillDays(
  { before, days: changed }: Activity,
  days: readonly string[],
): readonly (number | null)[] {
  const byDay = new Map(changed.map(({ day, ads_active: count }) => [day, count]));
  let last = before;
  return days.map((day) => (last = byDay.get(day) ?? last));
}

/** Lists the days of a window; none without a window. */
export function daysOf(window: { readonly from: string; readonly to: string } | null): readonly string[] {
  return window === null ? [] : listDays(window.from, window.to);
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
