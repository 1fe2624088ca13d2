import pLimit from 'p-limit';
import type { TickingSchedule } from '../core/schedules/ticking-schedule.ts';
import { catalog, type TickJob } from './catalog.ts';
import { createQueue, type QueueConnection } from './connection.ts';
import { tickQueueSettings } from './tick-queue-settings.ts';
import { callsTo, withQueue } from './with-queue.ts';

/**
 * Queue of the job schedulers that fire schedules, one for each, named after its revision: a changed schedule has another name, so that the
 * names show any difference to Postgres. BullMQ enqueues the next tick when a worker takes the last.
 */
export interface TickQueue {
  /** Counts the job schedulers. Frequent calls are cheap. @throws QueueUnavailable */
  countSchedulers(): Promise<number>;
  /** Lists the names of the job schedulers. @throws QueueUnavailable */
  listSchedulers(): Promise<readonly string[]>;
  /** Adds job schedulers. Existing ones keep their next tick. @throws QueueUnavailable */
  put(schedules: readonly TickingSchedule[]): Promise<void>;
  /** Enqueues ticks for schedules by their public ids; a schedule has at most one such tick. @throws QueueUnavailable */
  enqueue(schedules: readonly string[]): Promise<void>;
  /** Removes job schedulers with their queued ticks. @throws QueueUnavailable */
  remove(names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Maximum concurrent calls to the queue: each is one round trip, and thousands can be due after the loss of the queue. */
const callsMax = 16;

/** Returns the name of the job scheduler of a schedule. */
export function schedulerName({ publicId, revision }: TickingSchedule): string {
  return `${publicId}-${revision}`;
}

/** Opens the queue on either backend. Its tables must exist. */
export async function openTickQueue(
  connection: QueueConnection,
  options: { onError: (error: Error) => void },
): Promise<TickQueue> {
  const queue = createQueue(catalog.tick.queue, connection, tickQueueSettings);
  queue.on('error', options.onError);
  await withQueue(() => queue.waitUntilReady());
  const limit = pLimit(callsMax);
  const call = callsTo(connection);
  return {
    countSchedulers: () => call(() => queue.getJobSchedulersCount()),
    listSchedulers: () => call(async () => (await queue.getJobSchedulers(0, -1)).map(({ key }) => key)),
    put: (schedules) =>
      call(async () => {
        await limit.map(schedules, (schedule) =>
          queue.upsertJobScheduler(
            schedulerName(schedule),
            { pattern: schedule.cron, tz: schedule.timeZone },
            { name: 'tick', data: { schedule: schedule.publicId } satisfies TickJob },
          ),
        );
      }),
    enqueue: (schedules) =>
      call(async () => {
        await queue.addBulk(
          schedules.map((schedule) => ({
            name: 'tick',
            data: { schedule } satisfies TickJob,
            opts: { jobId: `due-${schedule}` },
          })),
        );
      }),
    remove: (names) =>
      call(async () => void (await limit.map(names, (name) => queue.removeJobScheduler(name)))),
    close: () => queue.close(),
  };
}
