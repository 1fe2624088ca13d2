import { CronExpressionParser } from 'cron-parser';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Local time of a zone, as if it were UTC, and the time skipped directly before. */
interface Observation {
  readonly time: number;
  readonly shown: number;
  readonly skipped: readonly number[];
}

/** Reads the clock of a zone every minute between two times, starting two days earlier. */
export function walkClock(zone: string, fromMs: number, toMs: number): readonly Observation[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const observations: Observation[] = [];
  for (let time = fromMs - 2 * dayMs; time < toMs; time += minuteMs) {
    const shown = Date.parse(`${format.format(time).replace(' ', 'T')}Z`);
    const skipped: number[] = [];
    for (let next = (observations.at(-1)?.shown ?? shown) + minuteMs; next < shown; next += minuteMs)
      skipped.push(next);
    observations.push({ time, shown, skipped });
  }
  return observations;
}

/**
 * Ticks of a cron pattern by such a walk, independent of the product's algorithm. Skipped local times count as if the clock had
 * not been put forward; repeated ones count once, and twice for an hourly pattern.
 */
export function ticksOfWalk(pattern: string, observations: readonly Observation[]): readonly number[] {
  const fits = fitter(pattern);
  const isEveryHour = pattern.split(' ')[1] === '*';
  const seen = new Set<number>();
  const ticks = new Set<number>();
  for (const { time, shown, skipped } of observations) {
    skipped.forEach((wall, i) => fits(wall) && ticks.add(time + i * minuteMs));
    if (fits(shown) && (isEveryHour || !seen.has(shown))) ticks.add(time);
    seen.add(shown);
  }
  return [...ticks].sort((a, b) => a - b);
}

function fitter(pattern: string): (wall: number) => boolean {
  const { minute, hour, dayOfMonth, month, dayOfWeek } = CronExpressionParser.parse(pattern).fields;
  const has = (field: { readonly values: readonly unknown[] }, value: number) => field.values.includes(value);
  const isEither = !dayOfMonth.isWildcard && !dayOfWeek.isWildcard;
  return (wall) => {
    const date = new Date(wall);
    const fitsMonth = has(dayOfMonth, date.getUTCDate());
    const fitsWeek = has(dayOfWeek, date.getUTCDay());
    return (
      has(minute, date.getUTCMinutes()) &&
      has(hour, date.getUTCHours()) &&
      has(month, date.getUTCMonth() + 1) &&
      (isEither ? fitsMonth || fitsWeek : fitsMonth && fitsWeek)
    );
  };
}
