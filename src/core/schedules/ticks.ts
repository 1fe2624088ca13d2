import { runsOnDay, type CronPattern, parseCron } from './cron.ts';
import { changeNear, dayAt, startOfDay, timesOf, type TimeZone, parseTimeZone } from '../time/time-zone.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/**
 * The times after `afterMs` at which a pattern runs in a zone, in order and without an end.
 *
 * Where clocks are put forward, what they skip comes as much later as they were put: 02:30 runs at 03:30, once. Where they are put
 * back, what comes twice runs the first time; only a pattern for every hour runs again, as time goes on. This is what BullMQ is told
 * too: what cron-parser itself says depends on when it is asked there, and it finds no time at all for some patterns in zones whose
 * clocks change by half an hour (measured: 5.10.3, `0 3 * * *` on Lord Howe).
 */
export function* ticksAfter(pattern: CronPattern, zone: TimeZone, afterMs: number): Generator<number> {
  // From the day before: what is skipped at the end of a day comes on the next.
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

/** The first so many times after `after`. */
export function nextTicks(pattern: CronPattern, zone: TimeZone, after: Date, count: number): readonly Date[] {
  const ticks: Date[] = [];
  if (count === 0) return ticks;
  for (const tick of ticksAfter(pattern, zone, after.getTime())) {
    ticks.push(new Date(tick));
    if (ticks.length === count) break;
  }
  return ticks;
}

/** The first day from this one on that the pattern runs on. It has one: at the latest the next 29th of February on a Sunday. */
function nextDay(pattern: CronPattern, from: number): number {
  let day = from;
  while (!runsOnDay(pattern, day)) day += 1;
  return day;
}

/** In any order. */
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

/** So late a tick counts as missed: whoever starts scans was away. Our choice. */
const lateMs = 5 * 60_000;

/** Ticks that nobody was there for. */
export interface LateTicks {
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
}

/** The ticks that are to be dealt with, oldest first. */
export interface DueTicks {
  readonly late: LateTicks | null;
  /** A handful at most. */
  readonly onTime: readonly Date[];
  /** The first that is still to come. */
  readonly next: Date;
}

/** The ticks after `after`, up to `now` and with it. */
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
