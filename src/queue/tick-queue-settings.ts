import { parseCron } from '../core/schedules/cron.ts';
import { nextTicks } from '../core/schedules/ticks.ts';
import { parseTimeZone } from '../core/time/time-zone.ts';
import { queueJob } from '../core/work/retry-policies.ts';

/**
 * Settings of the tick queue and its workers: the next time of a schedule is found as the record finds it, and not by BullMQ's own
 * cron-parser, which differs from it where clocks change (`ticksAfter`). A tick that failed makes room for the next.
 */
export const tickQueueSettings = {
  settings: { repeatStrategy },
  defaultJobOptions: { attempts: queueJob.attemptsMax, removeOnComplete: true, removeOnFail: true },
} as const;

function repeatStrategy(
  afterMs: number,
  { pattern = '', tz = 'UTC' }: { readonly pattern?: string; readonly tz?: string },
): number | undefined {
  const [next] = nextTicks(parseCron(pattern, 'cron'), parseTimeZone(tz, 'time zone'), new Date(afterMs), 1);
  return next?.getTime();
}
