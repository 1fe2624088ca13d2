import pLimit from 'p-limit';
import type { TickingSchedule } from '../core/schedules/ticking-schedule.ts';
import { catalog, type TickJob } from './catalog.ts';
import { createQueue, type QueueConnection } from './connection.ts';
import { tickQueueSettings } from './tick-queue-settings.ts';
import { withQueue } from './with-queue.ts';

/**
 * The job schedulers that fire schedules, one for each, under the name of its revision: a changed schedule has another name, so that
 * the names alone tell whether queue and record agree. BullMQ puts the next tick into the queue when a worker takes the last.
 */
export interface TickQueue {
  /** Counts the job schedulers; called often, and cheap. @throws QueueUnavailable */
  countSchedulers(): Promise<number>;
  /** Their names. @throws QueueUnavailable */
  listSchedulers(): Promise<readonly string[]>;
  /** Puts them in; those that are there already stay as they are, and keep their next tick. @throws QueueUnavailable */
  put(schedules: readonly TickingSchedule[]): Promise<void>;
  /** Ticks for schedules by their public ids, at once; one that waits already for the same schedule will do. @throws QueueUnavailable */
  enqueue(schedules: readonly string[]): Promise<void>;
  /** Takes them out, with the ticks that they have in the queue. @throws QueueUnavailable */
  remove(names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Calls to the queue at a time: each is one round trip, and thousands may be due after the queue was lost. */
const callsMax = 16;

/** The name of the job scheduler of a schedule. */
export function schedulerName({ publicId, revision }: TickingSchedule): string {
  return `${publicId}-${revision}`;
}

/** Opens the queue on either backend, whose tables are there. */
export async function openTickQueue(
  connection: QueueConnection,
  options: { onError: (error: Error) => void },
): Promise<TickQueue> {
  const queue = createQueue(catalog.tick.queue, connection, tickQueueSettings);
  queue.on('error', options.onError);
  await withQueue(() => queue.waitUntilReady());
  const limit = pLimit(callsMax);
  return {
    countSchedulers: () => withQueue(() => queue.getJobSchedulersCount()),
    listSchedulers: () => withQueue(async () => (await queue.getJobSchedulers(0, -1)).map(({ key }) => key)),
    put: (schedules) =>
      withQueue(async () => {
        await limit.map(schedules, (schedule) =>
          queue.upsertJobScheduler(
            schedulerName(schedule),
            { pattern: schedule.cron, tz: schedule.timeZone },
            { name: 'tick', data: { schedule: schedule.publicId } satisfies TickJob },
          ),
        );
      }),
    enqueue: (schedules) =>
      withQueue(async () => {
        await queue.addBulk(
          schedules.map((schedule) => ({
            name: 'tick',
            data: { schedule } satisfies TickJob,
            opts: { jobId: `due-${schedule}` },
          })),
        );
      }),
    remove: (names) =>
      withQueue(async () => void (await limit.map(names, (name) => queue.removeJobScheduler(name)))),
    close: () => queue.close(),
  };
}
