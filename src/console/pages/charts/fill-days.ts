import { listDays } from '../../components/days.ts';

/** Number of running ads, on the days on which it changed. */
export interface Activity {
  readonly before: number | null;
  readonly days: readonly { readonly day: string; readonly ads_active: number }[];
}

/** A value for every one of these days: a day that is left out has what the day before it had. */
export function fillDays(
  { before, days: changed }: Activity,
  days: readonly string[],
): readonly (number | null)[] {
  const byDay = new Map(changed.map(({ day, ads_active: count }) => [day, count]));
  let last = before;
  return days.map((day) => (last = byDay.get(day) ?? last));
}

/** The days of a window, none where there is none. */
export function daysOf(window: { readonly from: string; readonly to: string } | null): readonly string[] {
  return window === null ? [] : listDays(window.from, window.to);
}

/** Columns for every one of these days. */
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

/** Text alternative of a line chart. */
export function lineWords(
  lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[],
): string {
  return lines
    .map(({ name, values }) => {
      const known = values.filter((value) => value !== null);
      return known.length === 0 ? `${name}: nothing known.` : `${name}: from ${known[0]} to ${known.at(-1)}.`;
    })
    .join(' ');
}
