import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { onTestFinished } from 'vitest';
import { createScanStore } from '../../../db/stores/schedules/scans.ts';
import { openApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import { noBounds } from '../../../src/core/batches/batch.ts';
import type { ScanToBegin } from '../../../src/core/schedules/schedule-store.ts';
import type { Schedule, ScheduleTerms } from '../../../src/core/schedules/schedule.ts';
import { createLog } from '../../../src/log.ts';
import { readScheduleFile } from '../../../src/producer/preview/read-schedule-file.ts';
import { openOnPostgres, type OpenedBackend } from '../queue/backends.ts';
import type { Environment } from '../cli/nightshift-process.ts';
import { batchControlsOver } from '../faults/steering.ts';

/** Default terms of a schedule in tests. */
export const plainTerms: ScheduleTerms = {
  name: 'rivals',
  cron: '0 2 * * *',
  timeZone: 'UTC',
  sources: ['upstream'],
  search: anySearch,
  maxCreditsMicro: null,
  dayCreditsMicro: null,
  overlap: 'skip',
  catchUp: 'once',
  missesToEnd: 2,
  staleDays: 14,
  notify: null,
};

/** Unused address; no source is called, because no worker runs in these tests. */
const upstream = {
  NIGHTSHIFT_UPSTREAM_URL: 'http://127.0.0.1:9/v1/ads/search',
  NIGHTSHIFT_UPSTREAM_KEY: 'ns_live_test',
};

export interface ScanServiceOptions {
  readonly settings?: Environment;
  readonly opened?: OpenedBackend;
  readonly credits?: bigint;
}

/** Runs the product in this process without a worker: tests trigger ticks and answer batches themselves. */
export async function openTestScans({ settings = {}, opened, credits }: ScanServiceOptions = {}) {
  const { database, environment } = opened ?? (await openOnPostgres());
  const config = readConfig({ ...environment, ...upstream, NIGHTSHIFT_OPENING_CREDITS: '0', ...settings });
  const app = await openApp(config, { log: createLog('silent'), onProgress: () => undefined });
  onTestFinished(() => app.close());
  const steering = await batchControlsOver(database, credits);
  const {
    accounts: { defaultId: accountId },
  } = app;
  const owner = database.owner.sql;
  const scans = createScanStore(database.app.sql);

  async function add(changes: Partial<ScheduleTerms> = {}, companies = 4): Promise<Schedule> {
    const rows = Array.from({ length: companies }, (_, i) => `rival-${i + 1}.com`);
    const { file } = await readScheduleFile(
      Readable.from([Buffer.from(`domain\n${rows.join('\n')}\n`)]),
      { fileName: 'rivals.csv' },
      { ads_search: 200_000n, email_validation: 0n },
    );
    return app.schedules.store.add(accountId, { ...plainTerms, ...changes }, file);
  }

  /** Adds a schedule with a tick this many minutes ago, and hourly ones before, since the last dispatcher. */
  async function addTicked(
    { minutesAgo, hours = 0 }: { readonly minutesAgo: number; readonly hours?: number },
    changes: Partial<ScheduleTerms> = {},
  ): Promise<Schedule> {
    const added = await addHourly({ minutesAgo }, changes);
    // One minute more than needed: the next minute may start in between.
    await setLastTick(added, minutesAgo + hours * 60 + 2);
    return added;
  }

  /** Adds a schedule with a tick this many minutes ago that is already handled. */
  async function addHourly(
    { minutesAgo }: { readonly minutesAgo: number },
    changes: Partial<ScheduleTerms> = {},
  ): Promise<Schedule> {
    return add({ cron: `${await minuteBefore(minutesAgo)} * * * *`, ...changes });
  }

  async function minuteBefore(minutes: number): Promise<number> {
    const { rows } = await owner.execute<{ minute: number }>(
      sql`SELECT extract(minute FROM (now() - ${minutes} * interval '1 minute') AT TIME ZONE 'UTC')::integer AS minute`,
    );
    return rows[0]?.minute ?? 0;
  }

  /** Backdates the last run of a dispatcher by this many minutes. */
  async function setLastTick({ publicId }: Schedule, minutes: number): Promise<void> {
    await owner.execute(
      sql`UPDATE nightshift.schedules SET ticked_to = now() - ${minutes} * interval '1 minute',
          next_at = now() - ${minutes} * interval '1 minute'
        WHERE public_id = ${publicId}`,
    );
  }

  /** Lists the scans of a schedule, oldest first. */
  async function scansOf({ publicId }: Pick<Schedule, 'publicId'>) {
    return [...(await app.schedules.store.listScans(accountId, publicId, 100))].reverse();
  }

  /** Ends scans like a dispatcher, including those with an exhausted budget. */
  async function settle(): Promise<void> {
    await scans.settle();
    for (const batchId of await steering.control.listUnsettled()) await steering.drainFully(batchId);
    await scans.settle();
  }

  /** Answers all companies of the running batches, two at a time; every second one has ads. */
  async function answerAll(): Promise<void> {
    for (;;) {
      const [chunk] = await steering.cut(2, 1);
      if (chunk === undefined) break;
      await steering.answer(await steering.claim(chunk));
    }
    await steering.dispatch.finishBatches();
    await settle();
  }

  /** Loads the batch of a scan like the product. */
  async function load(scan: ScanToBegin): Promise<void> {
    await app.batches.load({
      accountId,
      open: () => Readable.from([scan.content]),
      reading: { ...scan.fileOptions, fileName: scan.fileName, operations: ['ads_search'] },
      sources: () => Promise.resolve(scan.sources),
      search: scan.search,
      bounds: noBounds,
      joinedBy: scan.publicId,
      scanId: scan.scanId,
      again: false,
      onProgress: () => undefined,
    });
  }

  async function missedEvents() {
    const { rows } = await owner.execute<{ subject: string; payload: Readonly<Record<string, unknown>> }>(
      sql`SELECT subject, payload FROM nightshift.events WHERE event = 'schedule.missed' ORDER BY id`,
    );
    return rows;
  }

  return {
    ...{ app, database, steering, scans, accountId },
    ...{
      add,
      addHourly,
      addTicked,
      setLastTick,
      scansOf,
      answerAll,
      settle,
      load,
      missedEvents,
    },
    tick: ({ publicId }: Schedule) => app.schedules.fire(publicId),
  };
}
export type TestScans = Awaited<ReturnType<typeof openTestScans>>;
