import type { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TickingSchedule, TickingStore } from '../../../src/core/schedules/ticking-schedule.ts';
import { parseCron } from '../../../src/core/schedules/cron.ts';
import { nextTicks } from '../../../src/core/schedules/ticks.ts';
import { parseTimeZone } from '../../../src/core/time/time-zone.ts';
import { createSchedulerKeeper } from '../../../src/dispatcher/keep-schedulers.ts';
import { parseTickJob, catalog } from '../../../src/queue/catalog.ts';
import { createQueue, createWorker, type QueueConnection } from '../../../src/queue/connection.ts';
import { tickQueueSettings } from '../../../src/queue/tick-queue-settings.ts';
import { openTickQueue, schedulerName, type TickQueue } from '../../../src/queue/tick-queue.ts';
import { eachBackend, type Backend } from '../../support/queue/backends.ts';
import type { TestDatabase } from '../../support/db/database.ts';
import { emptyQueueTables } from '../../support/queue/lost-queue.ts';
import { openQueueOn } from '../../support/queue/open-queue.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

/** A schedule that does not fire during the tests, unless requested. */
function schedule(n: number, changes: Partial<TickingSchedule> = {}): TickingSchedule {
  const publicId = `sch_${String(n).padStart(32, '0')}`;
  return { publicId, revision: 1, cron: '0 2 29 2 *', timeZone: 'Europe/Berlin', ...changes };
}

interface Place {
  readonly ticks: TickQueue;
  readonly connection: QueueConnection;
  /** Deletes the jobs, like an administrator at a console. */
  readonly lose: () => Promise<void>;
}

eachBackend((backend) => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace(backend);
  });

  test('a schedule that is added twice ticks once', async () => {
    const { ticks } = place;
    await ticks.put([schedule(1), schedule(2)]);
    await ticks.put([schedule(2)]);
    expect(await ticks.countSchedulers()).toBe(2);
    expect([...(await ticks.listSchedulers())].sort()).toEqual([1, 2].map((n) => schedulerName(schedule(n))));
  });

  test('a removed schedule does not tick', async () => {
    const { ticks, connection } = place;
    await ticks.put([schedule(1), schedule(2)]);
    await ticks.remove([schedulerName(schedule(1))]);
    const heard = hearTicks(connection);
    await bringNow(connection);
    await vi.waitUntil(() => heard.length >= 1, { timeout: waitMsMax });
    expect(heard).toEqual([schedule(2).publicId]);
  });

  test('a schedule ticks at times of its own cron parser, not of the parser of the queue', async () => {
    const { ticks, connection } = place;
    // The queue's parser matches days that are odd or a Friday.
    const oddFridays = { cron: '0 2 */2 * 5', timeZone: 'Europe/Berlin' };
    const [pattern, zone] = [parseCron(oddFridays.cron, 'cron'), parseTimeZone(oddFridays.timeZone, 'zone')];
    const [first, second] = nextTicks(pattern, zone, new Date(), 2).map((tick) => tick.getTime());
    await ticks.put([schedule(1, oddFridays)]);
    expect(await nextTimes(connection)).toEqual([first]);
    const heard = hearTicks(connection);
    await bringNow(connection);
    await vi.waitUntil(() => heard.length >= 1, { timeout: waitMsMax });
    expect(await nextTimes(connection)).toEqual([second]);
  });

  test('a tick that is enqueued repeatedly is delivered once', async () => {
    const { ticks, connection } = place;
    await ticks.enqueue([schedule(1).publicId]);
    await ticks.enqueue([schedule(1).publicId, schedule(2).publicId]);
    const heard = hearTicks(connection);
    await vi.waitUntil(() => heard.length >= 2, { timeout: waitMsMax });
    expect([...heard].sort()).toEqual([1, 2].map((n) => schedule(n).publicId));
  });

  describe('schedulers in the queue', () => {
    let active: readonly TickingSchedule[];
    const listTicking = vi.fn(() => Promise.resolve(active));
    const schedules: TickingStore = {
      listTicking,
      readTickingStamp: () =>
        Promise.resolve({
          count: active.length,
          revisions: active.reduce((sum, { revision }) => sum + revision, 0),
        }),
    };
    let atMs: number;
    let keep: () => Promise<void>;
    beforeEach(() => {
      active = [1, 2, 3].map((n) => schedule(n));
      atMs = 0;
      listTicking.mockClear();
      keep = createSchedulerKeeper({
        schedules,
        ticks: place.ticks,
        nowMs: () => atMs,
        compareEveryMs: 60_000,
      });
    });
    const kept = async () => [...(await place.ticks.listSchedulers())].sort();

    test('follow new, changed and removed schedules of the database', async () => {
      await keep();
      expect(await kept()).toEqual(active.map(schedulerName));
      active = [schedule(1), schedule(2, { revision: 2, cron: '0 3 29 2 *' }), schedule(4)];
      await keep();
      expect(await kept()).toEqual(active.map(schedulerName));
      active = [];
      await keep();
      expect(await kept()).toEqual([]);
    });

    test('are restored within one round when the queue was emptied', async () => {
      await keep();
      await place.lose();
      expect(await place.ticks.countSchedulers()).toBe(0);
      await keep();
      expect(await kept()).toEqual(active.map(schedulerName));
    });

    test('are fully compared on a difference, and at an interval', async () => {
      await keep();
      await keep();
      expect(listTicking).toHaveBeenCalledTimes(1);
      // The same number, but others: only a full comparison detects it.
      await place.ticks.remove([schedulerName(schedule(1))]);
      await place.ticks.put([schedule(9)]);
      atMs = 60_000;
      await keep();
      expect(await kept()).toEqual(active.map(schedulerName));
    });

    test('are updated in the next round when the queue was unavailable', async () => {
      const put = vi.spyOn(place.ticks, 'put').mockRejectedValueOnce(new Error('away'));
      await expect(keep()).rejects.toThrow('away');
      await keep();
      expect(put).toHaveBeenCalledTimes(2);
      expect(await kept()).toEqual(active.map(schedulerName));
    });
  });
});

async function openPlace(backend: Backend): Promise<Place> {
  const { connection, database } = await openQueueOn(backend);
  const ticks = await openTickQueue(connection, { onError: () => undefined });
  onTestFinished(() => ticks.close());
  return { ticks, connection, lose: () => loseQueue(connection, database) };
}

/** On a shared Redis, deletes only keys with the prefix of the test. */
async function loseQueue(connection: QueueConnection, database: TestDatabase): Promise<void> {
  if (connection.kind === 'postgres') {
    await emptyQueueTables(database);
    return;
  }
  const { client, prefix } = connection;
  expect(client).toBeInstanceOf(Redis);
  await client.del(await client.keys(`${prefix}:*`));
}

/** Makes the next ticks due at once. */
async function bringNow(connection: QueueConnection): Promise<void> {
  await withTickQueue(connection, async (queue) => {
    for (const job of await queue.getDelayed()) await job.promote();
  });
}

/** Next ticks of the job schedulers. */
async function nextTimes(connection: QueueConnection): Promise<readonly (number | undefined)[]> {
  return withTickQueue(connection, async (queue) =>
    (await queue.getJobSchedulers(0, -1)).map(({ next }) => next),
  );
}

async function withTickQueue<T>(connection: QueueConnection, use: (queue: Queue) => Promise<T>): Promise<T> {
  const queue = createQueue(catalog.tick.queue, connection);
  try {
    return await use(queue);
  } finally {
    await queue.close();
  }
}

/** Records the schedules that a worker receives from now on. */
function hearTicks(connection: QueueConnection): readonly string[] {
  const heard: string[] = [];
  const worker = createWorker(
    catalog.tick.queue,
    (job) => Promise.resolve(void heard.push(parseTickJob(job.data).schedule)),
    connection,
    { concurrency: 1, settings: tickQueueSettings.settings },
  );
  worker.on('error', () => undefined);
  onTestFinished(() => worker.close());
  return heard;
}
