const daySeconds = 86_400;

/** Room that a mark takes with its label ("30 Dec 2026" in 12 px) and what parts it from the next, in pixels. */
export const markPixels = 92;

/** Steps between marks: days, months from the first of one, years from the first day of one. */
const dayCounts = [1, 2, 7, 14];
const monthCounts = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600];
const monthDaysMin = 28;

/** A range of time, in seconds since 1970. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** Range of an axis of days; a single day has its neighbours beside it. */
export function dayRange(days: readonly string[]): DayRange {
  const [first = 0, last = first] = [days[0], days.at(-1)].map((day) =>
    day === undefined ? 0 : secondsOf(day),
  );
  return first === last ? { from: first - daySeconds, to: last + daySeconds } : { from: first, to: last };
}

/** Positions of marks on an axis of so many pixels: at beginnings of days by UTC, far enough apart for their labels; one at least. */
export function dayMarks({ from, to }: DayRange, pixels: number): readonly number[] {
  const dayPixels = (pixels * daySeconds) / Math.max(daySeconds, to - from);
  const days = dayCounts.find((count) => count * dayPixels >= markPixels);
  if (days !== undefined) return everyDays(from, to, days);
  const months = monthCounts.find((count) => count * monthDaysMin * dayPixels >= markPixels) ?? Infinity;
  const marks = months === Infinity ? [] : everyMonths(from, to, months);
  return marks.length === 0 ? [from] : marks;
}

/** The labels of marks: the day, and its year at the first and wherever it is another one. */
export function markLabels(marks: readonly number[]): string[] {
  const years = marks.map((mark) => new Date(mark * 1000).getUTCFullYear());
  return marks.map((mark, i) => (years[i] === years[i - 1] ? plain : withYear).format(mark * 1000));
}

export function secondsOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

function everyDays(from: number, to: number, count: number): readonly number[] {
  const marks: number[] = [];
  for (let at = from; at <= to; at += count * daySeconds) marks.push(at);
  return marks;
}

/** Counted from a January, so that a step of twelve stands at the beginnings of years. */
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

const plain = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const withYear = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
});
