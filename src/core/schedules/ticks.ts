import { runsOnDay, type CronPattern, parseCron } from './cron.ts';
import { changeNear, dayAt, startOfDay, timesOf, type TimeZone, parseTimeZone } from '../time/time-zone.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/**
 * Yields the times after `afterMs` at which a pattern runs in a zone, in order and without an end.
 *
 * When clocks go forward, a skipped time runs later by the skipped amount: 02:30 runs at 03:30, once. When clocks go back, a
 * repeated time runs only once, the first time; only a pattern for every hour runs again. BullMQ gets these times too:
 * cron-parser's own result depends on the moment of the call, and it finds no time at all for some patterns in zones whose
 * clocks change by half an hour (measured: 5.10.3, `0 3 * * *` on Lord Howe).
 */
export function* ticksAfter(pattern: CronPattern, zone: TimeZone, afterMs: number): Generator<number> {
  // Starts a day earlier: a time that is skipped at the end of a day runs on the next day.
  let day = nextDay(pattern, dayAt(zone, afterMs) - 1);
  let held: readonly number[] = [];
  for (;;) {
    held = [...new Set([...held, ...ticksOfDay(pattern, zone, day)])].sort((a, b) => a - b);
    day = nextDay(pattern, day + 1);
    const settledTo = startOfDay(zone, day);
    for (const tick of held) if (tick > afterMs && tick < settledTo) yield tick;
    held = held.filter((tick) => tick >= settledTo);
  }
}

/** The next `count` times after `after`. */
export function nextTicks(pattern: CronPattern, zone: TimeZone, after: Date, count: number): readonly Date[] {
  const ticks: Date[] = [];
  if (count === 0) return ticks;
  for (const tick of ticksAfter(pattern, zone, after.getTime())) {
    ticks.push(new Date(tick));
    if (ticks.length === count) break;
  }
  return ticks;
}

/** The first day from this one on that the pattern matches. There always is one: at the latest the next February 29 on a Sunday. */
function nextDay(pattern: CronPattern, from: number): number {
  let day = from;
  while (!runsOnDay(pattern, day)) day += 1;
  return day;
}

/** In no particular order. */
function ticksOfDay(pattern: CronPattern, zone: TimeZone, day: number): readonly number[] {
  const change = changeNear(zone, day * dayMs + dayMs / 2);
  const runsTwice = pattern.hours.length === 24;
  return pattern.hours.flatMap((hour) =>
    pattern.minutes.flatMap((minute) => {
      const shownMs = day * dayMs + hour * hourMs + minute * minuteMs;
      const times = timesOf(change, shownMs);
      if (times.length === 0) return [shownMs - change.beforeMs];
      return runsTwice ? times : times.slice(0, 1);
    }),
  );
}

/** Delay after which a tick counts as missed: no dispatcher was running. Our choice. */
const lateMs = 5 * 60_000;

/** Ticks that were missed because no dispatcher was running. */
export interface LateTicks {
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
}

/** The due ticks, oldest first. */
export interface DueTicks {
  readonly late: LateTicks | null;
  /** A handful at most. */
  readonly onTime: readonly Date[];
  /** The first future tick. */
  readonly next: Date;
}

/** The ticks after `after`, up to and including `now`. */
export function dueTicks(
  { cron, timeZone }: { readonly cron: string; readonly timeZone: string },
  { after, now }: { readonly after: Date; readonly now: Date },
): DueTicks {
  const pattern = parseCron(cron, 'cron');
  const late = { count: 0, first: after, last: after };
  const onTime: Date[] = [];
  for (const tickMs of ticksAfter(pattern, parseTimeZone(timeZone, 'time zone'), after.getTime())) {
    const tick = new Date(tickMs);
    if (tick > now) return { late: late.count === 0 ? null : late, onTime, next: tick };
    if (now.getTime() - tickMs <= lateMs) {
      onTime.push(tick);
      continue;
    }
    if (late.count === 0) late.first = tick;
    late.last = tick;
    late.count += 1;
  }
  throw new Error('A pattern has come to its end.');
}
