import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSnapshotStore } from '../../../db/stores/ads/snapshots.ts';
import { runWorkers } from '../../../src/cli/process/run-workers.ts';
import { parseCron } from '../../../src/core/schedules/cron.ts';
import { nextTicks } from '../../../src/core/schedules/ticks.ts';
import { parseTimeZone } from '../../../src/core/time/time-zone.ts';
import { catalog } from '../../../src/queue/catalog.ts';
import { createQueue } from '../../../src/queue/connection.ts';
import { eachBackend } from '../../support/queue/backends.ts';
import { openTestScans } from '../../support/scans/test-scans.ts';
import { loadSample } from '../../support/sources/snapshots.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

/** Odd days that are Fridays. BullMQ's own parser differs: days that are odd or Fridays. */
const cron = '0 2 */2 * 5';
const waiting = { timeout: waitMsMax, interval: 50 };

eachBackend(({ open }) => {
  test('a tick from the queue becomes a finished scan, and the next one follows the schedule', async () => {
    const api = await openTestScans({ opened: await open() });
    await loadSample(createSnapshotStore(api.database.app));
    const running = await runWorkers(api.app);
    onTestFinished(() => running.close());
    const { connection } = await api.app.work.queue();
    const queue = createQueue(catalog.tick.queue, connection);
    onTestFinished(() => queue.close());

    const schedule = await api.add({ cron, sources: ['sample'] });
    await vi.waitFor(async () => expect(await queue.getJobSchedulersCount()).toBe(1), waiting);
    // The next tick is weeks away, so only the queue can trigger it now.
    await api.database.owner.sql.execute(
      sql`UPDATE nightshift.schedules SET ticked_to = now() - interval '60 days'`,
    );
    for (const job of await queue.getDelayed()) await job.promote();

    await vi.waitFor(
      async () =>
        expect(await api.scansOf(schedule)).toMatchObject([{ cause: 'catch_up', state: 'finished' }]),
      waiting,
    );
    const [, second] = nextTicks(parseCron(cron, 'cron'), parseTimeZone('UTC', 'zone'), schedule.readAt, 2);
    expect(await queue.getJobSchedulers(0, -1)).toMatchObject([{ next: second?.getTime() }]);
  });

  test('a manual scan starts without a tick', async () => {
    const api = await openTestScans({ opened: await open() });
    await loadSample(createSnapshotStore(api.database.app));
    const running = await runWorkers(api.app);
    onTestFinished(() => running.close());
    const schedule = await api.add({ cron, sources: ['sample'] });
    await api.app.schedules.store.run(api.accountId, 'rivals');
    await vi.waitFor(
      async () => expect(await api.scansOf(schedule)).toMatchObject([{ cause: 'manual', state: 'finished' }]),
      waiting,
    );
  });
});
