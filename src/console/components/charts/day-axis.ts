import { dateFormat } from '../dates/date-language.ts';

/** Width of a day label ("30 Dec 2026" in 12 px) with its gap to the next, in pixels. */
export const markPixels = 92;

/** Steps between labels: days, or months from their first day. */
const dayCounts = [1, 2, 7, 14];
const monthCounts = [1, 2, 3, 6, 12];
const monthDaysMin = 28;

/**
 * Selects the days to label on an axis of this width, as positions in `days`: evenly spaced days, or starts of months, with room for their
 * labels. Always includes the last day.
 *
 * @param days consecutive days, `YYYY-MM-DD`.
 */
export function dayMarks(days: readonly string[], pixels: number): readonly number[] {
  const last = days.length - 1;
  const dayPixels = pixels / Math.max(1, days.length);
  const step = dayCounts.find((count) => count * dayPixels >= markPixels);
  if (step !== undefined) return positionsOf(days, (i) => (last - i) % step === 0);
  const months = monthCounts.find((count) => count * monthDaysMin * dayPixels >= markPixels);
  return positionsOf(
    days,
    (i, day) =>
      i === last || (months !== undefined && isStart(day, months) && (last - i) * dayPixels >= markPixels),
  );
}

/** Formats labels of days: the year is on the first and wherever it changes. */
export function markLabels(days: readonly string[]): readonly string[] {
  return days.map((day, i) =>
    (day.slice(0, 4) === days[i - 1]?.slice(0, 4) ? plain : withYear)(Date.parse(day)),
  );
}

function positionsOf(
  days: readonly string[],
  isMarked: (i: number, day: string) => boolean,
): readonly number[] {
  return days.flatMap((day, i) => (isMarked(i, day) ? [i] : []));
}

/** True for the first day of every nth month, counted from January. */
function isStart(day: string, months: number): boolean {
  const [, month, date] = day.split('-').map(Number);
  return date === 1 && ((month ?? 1) - 1) % months === 0;
}

const plain = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' });
const withYear = dateFormat({
  ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
});
