import { Redis } from 'ioredis';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TickingSchedule, TickingStore } from '../../src/core/schedules/ticking-schedule.ts';
import { createSchedulerKeeper } from '../../src/dispatcher/keep-schedulers.ts';
import { parseTickJob, tickQueue } from '../../src/queue/catalog.ts';
import { createWorker, type QueueConnection } from '../../src/queue/connection.ts';
import { openTickQueue, schedulerName, type TickQueue } from '../../src/queue/tick-queue.ts';
import { eachBackend, type Backend } from '../support/backends.ts';
import type { TestDatabase } from '../support/database.ts';
import { emptyQueueTables } from '../support/lost-queue.ts';
import { openQueueOn } from '../support/open-queue.ts';

/** A schedule that does not fire while the tests run, unless it is asked to. */
function schedule(n: number, changes: Partial<TickingSchedule> = {}): TickingSchedule {
  const publicId = `sch_${String(n).padStart(32, '0')}`;
  return { publicId, revision: 1, cron: '0 2 29 2 *', timeZone: 'Europe/Berlin', ...changes };
}

interface Place {
  readonly ticks: TickQueue;
  readonly connection: QueueConnection;
  /** As somebody with an administrator's console would. */
  readonly lose: () => Promise<void>;
}

eachBackend((backend) => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace(backend);
  });

  test('a schedule that is put in twice ticks once', async () => {
    const { ticks } = place;
    await ticks.put([schedule(1), schedule(2)]);
    await ticks.put([schedule(2)]);
    expect(await ticks.countSchedulers()).toBe(2);
    expect([...(await ticks.listSchedulers())].sort()).toEqual([1, 2].map((n) => schedulerName(schedule(n))));
  });

  test('a schedule that is taken out ticks no more', async () => {
    const { ticks, connection } = place;
    const everySecond = { cron: '* * * * * *', timeZone: 'UTC' };
    await ticks.put([schedule(1, everySecond), schedule(2, everySecond)]);
    await ticks.remove([schedulerName(schedule(1))]);
    const heard = hearTicks(connection);
    await vi.waitUntil(() => heard.length >= 2, { timeout: 20_000 });
    expect(new Set(heard)).toEqual(new Set([schedule(2).publicId]));
  });

  describe('what is kept', () => {
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

    test('is the record: what is new, changed or gone there follows', async () => {
      await keep();
      expect(await kept()).toEqual(active.map(schedulerName));
      active = [schedule(1), schedule(2, { revision: 2, cron: '0 3 29 2 *' }), schedule(4)];
      await keep();
      expect(await kept()).toEqual(active.map(schedulerName));
      active = [];
      await keep();
      expect(await kept()).toEqual([]);
    });

    test('is back within one round when the queue was emptied', async () => {
      await keep();
      await place.lose();
      expect(await place.ticks.countSchedulers()).toBe(0);
      await keep();
      expect(await kept()).toEqual(active.map(schedulerName));
    });

    test('is compared whole when something differs, and once in a while', async () => {
      await keep();
      await keep();
      expect(listTicking).toHaveBeenCalledTimes(1);
      // As many as before, but others: only the whole comparison sees it.
      await place.ticks.remove([schedulerName(schedule(1))]);
      await place.ticks.put([schedule(9)]);
      atMs = 60_000;
      await keep();
      expect(await kept()).toEqual(active.map(schedulerName));
    });

    test('is tried again in the next round when the queue was away', async () => {
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

/** On a Redis that other tests use, only what is under our prefix. */
async function loseQueue(connection: QueueConnection, database: TestDatabase): Promise<void> {
  if (connection.kind === 'postgres') {
    await emptyQueueTables(database);
    return;
  }
  const { client, prefix } = connection;
  expect(client).toBeInstanceOf(Redis);
  await client.del(await client.keys(`${prefix}:*`));
}

/** The schedules that a worker hears of from now on. */
function hearTicks(connection: QueueConnection): readonly string[] {
  const heard: string[] = [];
  const worker = createWorker(
    tickQueue.queue,
    (job) => Promise.resolve(void heard.push(parseTickJob(job.data).schedule)),
    connection,
    { concurrency: 1 },
  );
  worker.on('error', () => undefined);
  onTestFinished(() => worker.close());
  return heard;
}
