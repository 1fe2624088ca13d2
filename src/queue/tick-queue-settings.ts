import { parseCron } from '../core/schedules/cron.ts';
import { nextTicks } from '../core/schedules/ticks.ts';
import { parseTimeZone } from '../core/schedules/time-zone.ts';

/**
 * Settings of the tick queue and its workers. The next run of a schedule is computed as in Postgres, and not by the cron parser of BullMQ,
 * which differs at daylight-saving changes (`ticksAfter`). A failed tick is removed for the next one.
 */
export const tickQueueSettings = {
  settings: { repeatStrategy },
  defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
} as const;

function repeatStrategy(
  afterMs: number,
  { pattern = '', tz = 'UTC' }: { readonly pattern?: string; readonly tz?: string },
): number | undefined {
  const [next] = nextTicks(parseCron(pattern, 'cron'), parseTimeZone(tz, 'time zone'), new Date(afterMs), 1);
  return next?.getTime();
}
