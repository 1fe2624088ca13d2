import { parseCron } from './cron.ts';
import { ticksAfter } from './ticks.ts';
import { parseTimeZone } from '../time/time-zone.ts';

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
