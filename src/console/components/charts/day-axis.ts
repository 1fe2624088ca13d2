import { dateFormat } from '../dates/date-language.ts';

const daySeconds = 86_400;

/** Width of a tick label ("30 Dec 2026" in 12 px) with its gap to the next, in pixels. */
export const markPixels = 92;

/** Steps between ticks: days, or months from their first day. */
const dayCounts = [1, 2, 7, 14];
const monthCounts = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600];
const monthDaysMin = 28;

/** Time range, in seconds since 1970. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** Computes the range of a day axis. A single day gets a day of margin on both sides. */
export function dayRange(days: readonly string[]): DayRange {
  const [first = 0, last = first] = [days[0], days.at(-1)].map((day) =>
    day === undefined ? 0 : secondsOf(day),
  );
  return first === last ? { from: first - daySeconds, to: last + daySeconds } : { from: first, to: last };
}

/** Computes the ticks of an axis of this width: starts of UTC days, with room for their labels; at least one. */
export function dayMarks({ from, to }: DayRange, pixels: number): readonly number[] {
  const dayPixels = (pixels * daySeconds) / Math.max(daySeconds, to - from);
  const days = dayCounts.find((count) => count * dayPixels >= markPixels);
  if (days !== undefined) return everyDays(from, to, days);
  const months = monthCounts.find((count) => count * monthDaysMin * dayPixels >= markPixels) ?? Infinity;
  const marks = months === Infinity ? [] : everyMonths(from, to, months);
  return marks.length === 0 ? [from] : marks;
}

/** Formats tick labels: the day, with the year on the first tick and wherever it changes. */
export function markLabels(marks: readonly number[]): string[] {
  const years = marks.map((mark) => new Date(mark * 1000).getUTCFullYear());
  return marks.map((mark, i) => (years[i] === years[i - 1] ? plain : withYear)(mark * 1000));
}

/** Converts a day to seconds since 1970. */
export function secondsOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

function everyDays(from: number, to: number, count: number): readonly number[] {
  const marks: number[] = [];
  for (let at = from; at <= to; at += count * daySeconds) marks.push(at);
  return marks;
}

/** Counts from January, so that a step of twelve months falls on starts of years. */
function everyMonths(from: number, to: number, count: number): readonly number[] {
  const start = new Date(from * 1000);
  const marks: number[] = [];
  const first = start.getUTCFullYear() * 12 + start.getUTCMonth();
  for (let month = Math.floor(first / count) * count; ; month += count) {
    const at = Date.UTC(Math.floor(month / 12), month % 12) / 1000;
    if (at > to) return marks;
    if (at >= from) marks.push(at);
  }
}

const plain = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' });
const withYear = dateFormat({
  ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
});
