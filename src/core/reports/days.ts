const dayMs = 86_400_000;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** All days of a span, both ends included; `YYYY-MM-DD`. */
export function listDays(from: string, to: string): readonly string[] {
  const first = startOf(from);
  const count = daysFrom(from, to) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => dayOf(new Date(first + i * dayMs)));
}

/** Number of days from the first day to the second. */
export function daysFrom(from: string, to: string): number {
  return Math.round((startOf(to) - startOf(from)) / dayMs);
}

/** The UTC day of a moment. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** `2026-03-05` as `5 Mar`. */
export function shortDay(day: string): string {
  const [, month = '1', date = '1'] = day.split('-');
  return `${Number(date)} ${months[Number(month) - 1] ?? ''}`;
}

/** A span of days: `5 Jan to 3 Feb 2026`. */
export function spanText(from: string, to: string): string {
  const [firstYear, lastYear] = [from.slice(0, 4), to.slice(0, 4)];
  const last = `${shortDay(to)} ${lastYear}`;
  if (from === to) return last;
  return `${shortDay(from)}${firstYear === lastYear ? '' : ` ${firstYear}`} to ${last}`;
}

/** A moment to the minute, `2026-03-05 02:04 UTC`. */
export function momentText(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
