import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBatchControl } from '../../../db/stores/batches/batch-control.ts';
import { createChartReadings, createChartStore } from '../../../db/stores/reports/charts.ts';
import { countBatch } from '../../../db/stores/reports/batch-figures.ts';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import { countSchedule } from '../../../db/stores/reports/schedule-figures.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import { purge } from '../../../src/core/purge/purge.ts';
import { chartDaysMax, type BatchFigures, type ChartStore } from '../../../src/core/reports/charts.ts';
import { ageRecord } from '../../support/db/age-record.ts';
import { drawBatch } from '../../support/db/draw-batch.ts';
import { createTestDatabase, openTestDatabase, openTestPool } from '../../support/db/database.ts';
import {
  adOf,
  failedLookup,
  foundAds,
  noAds,
  noMatch,
  openTestScans,
  scanDay,
  type FixtureScan,
  type ScanAnswers,
  type TestScans,
} from '../../support/scans/evaluation-fixture.ts';

const nobody = 999;
/** No concurrency limit: nothing runs concurrently here. */
const unlimited = <T>(work: () => Promise<T>) => work();

/** Companies with every outcome. The ads of the first run one after another, and one has no end date. */
const companies = ['acme.com', 'globex.com', 'initech.com', 'hooli.com', 'umbrella.com'];
const answers: ScanAnswers = {
  'acme.com': foundAds([
    adOf('a', { start: scanDay(-400), lastSeen: scanDay(-2) }),
    adOf('b', { start: scanDay(-30), lastSeen: scanDay(-10), format: 'Image' }),
    adOf('c', { start: scanDay(-10), lastSeen: scanDay(0), format: 'Image' }),
    adOf('d', { start: scanDay(-9), lastSeen: null, format: null }),
  ]),
  'globex.com': foundAds(
    [adOf('g', { advertiserId: 'google:AR-2', start: scanDay(-5), lastSeen: scanDay(-1) })],
    {
      truncated: true,
    },
  ),
  'initech.com': noAds(),
  'hooli.com': noMatch,
  'umbrella.com': failedLookup,
};

describe('charts of a batch', () => {
  let api: TestScans;
  let charts: ChartStore;

  test('match the database while it runs, at its end, after a retry and after a cancellation', async () => {
    await open();
    const schedule = await api.addSchedule('story', companies);
    const scan = await api.begin(schedule);
    expect(await reported(scan)).toMatchObject({ outcomes: { open: 5 }, ads: 0, window: null, mostAds: [] });
    await api.answer(answers);
    expect(await reported(scan)).toMatchObject({ outcomes: { found: 2, none: 1, no_match: 1, failed: 1 } });
    await api.finish(scan, 0);
    const finished = await reported(scan);
    expect(finished.longest.map(({ ad }) => ad.creativeId)).toEqual([
      'google:a',
      'google:b',
      'google:c',
      'google:g',
    ]);
    expect(finished).toMatchObject({ ads: 5, adsDated: 4, window: { to: scanDay(0) } });
    await api.retry(scan, 0, { 'umbrella.com': foundAds([adOf('u', { lastSeen: scanDay(0) })]) });
    expect(await reported(scan)).toMatchObject({
      outcomes: { found: 3, none: 1, no_match: 1 },
      companies: 5,
    });

    const cancelled = await api.begin(schedule);
    await api.answer({ 'acme.com': foundAds(['a']) });
    expect(await reported(cancelled)).toMatchObject({ outcomes: { found: 1, open: 4 } });
    await createBatchControl(api.database.app.sql).cancel(api.accountId, cancelled.batch);
    await api.completeDrain(cancelled);
    expect(await reported(cancelled)).toMatchObject({ outcomes: { found: 1, cancelled: 4 } });
    expect(await api.findings()).toEqual([]);
  });

  test('are computed once until something changes', async () => {
    const scan = await played();
    const [first, second] = [await read(scan), await read(scan)];
    expect(first.isCurrent).toBe(true);
    expect(second).toEqual(first);
  });

  test('are not recomputed right after a computation, and are marked as outdated with their time', async () => {
    await open();
    const scan = await api.begin(await api.addSchedule('slow', companies));
    const before = await read(scan);
    await api.query('UPDATE nightshift.figures SET took_ms = 60000');
    await api.answer(answers);
    expect(await read(scan)).toEqual({ ...before, isCurrent: false });
    await api.query('UPDATE nightshift.figures SET took_ms = 0');
    const after = await read(scan);
    expect(after).toMatchObject({ isCurrent: true, figures: { outcomes: { found: 2 } } });
    expect(after.asOf.getTime()).toBeGreaterThan(before.asOf.getTime());
  });

  test('are recomputed when their format version changes', async () => {
    const scan = await played();
    const counted = await read(scan);
    await api.query(`UPDATE nightshift.figures SET form = form - 1, figures = '{}'`);
    expect((await read(scan)).figures).toEqual(counted.figures);
  });

  test('are computed once for concurrent readers', async () => {
    const scan = await played();
    let counts = 0;
    const counting = createChartStore(api.database.app.sql, (work) => {
      counts += 1;
      return work();
    });
    const read = () => counting.readBatch(api.accountId, scan.batch, 30);
    const [one, ...others] = await Promise.all([read(), read(), read()]);
    expect(others).toEqual([one, one]);
    expect(counts).toBe(1);
  });

  test('are computed again for a reader whose write came after the start of a computation', async () => {
    await open();
    const scan = await api.begin(await api.addSchedule('written', companies));
    const signals = new EventEmitter();
    const counted = once(signals, 'counted');
    let counts = 0;
    const held = createChartStore(api.database.app.sql, async (work) => {
      counts += 1;
      if (counts > 1) return work();
      const result = await work();
      signals.emit('counted');
      await once(signals, 'release');
      return result;
    });
    const read = () => held.readBatch(api.accountId, scan.batch, 30);
    const first = read();
    await counted;
    await api.query('UPDATE nightshift.figures SET took_ms = 0');
    await api.answer(answers);
    expect(await read()).toMatchObject({ isCurrent: true, figures: { outcomes: { found: 2 } } });
    signals.emit('release');
    expect(await first).toMatchObject({ figures: { outcomes: { open: 5 } } });
  });

  test('have a time that is not ahead of the primary when a replica with such a clock counts them', async () => {
    const scan = await played();
    await api.query(`CREATE SCHEMA ahead; GRANT USAGE ON SCHEMA ahead TO nightshift_app;
      CREATE FUNCTION ahead.now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT pg_catalog.now() + interval '1 day' $$;
      CREATE FUNCTION ahead.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
        $$ SELECT pg_catalog.clock_timestamp() + interval '1 day' $$`);
    const { url, app } = api.database;
    const { sql: replica } = openTestPool(url, { searchPath: 'ahead,pg_catalog' });
    const readings = createChartReadings(replica, {
      primary: app.sql,
      limit: unlimited,
      underWay: new Map(),
    });
    const { asOf } = await readings.readBatch(api.accountId, scan.batch, 30);
    expect(await kept()).toMatchObject([{ as_of: asOf }]);
    expect(asOf.getTime()).toBeLessThan(Date.now() + 60_000);
  });

  test('of fewer days end on the same day', async () => {
    const scan = await played();
    const { figures } = await charts.readBatch(api.accountId, scan.batch, 3);
    expect(figures.window).toEqual({ from: scanDay(-2), to: scanDay(0) });
    expect(figures.activity[0]).toMatchObject({
      before: 2,
      days: [{ day: scanDay(-1), adsActive: 1 }],
    });
    expect(figures.days).toEqual([
      { day: scanDay(-2), begun: 0, lastSeen: 1 },
      { day: scanDay(-1), begun: 0, lastSeen: 1 },
      { day: scanDay(0), begun: 0, lastSeen: 1 },
    ]);
  });

  test('are deleted by a purge, and not stored for a batch during its purge', async () => {
    const scan = await played();
    await read(scan);
    await api.query('DELETE FROM nightshift.scans');
    await ageRecord(api.database, 40);
    const { sql } = api.database.app;
    await purge(createPurgeStore(sql), { orders: [{ kind: 'batches', ageMs: 30 * 86_400_000 }] });
    expect(await kept()).toEqual([]);
    await expect(read(scan)).rejects.toThrow(Conflict);
  });

  test('that are computed while a purge starts are not stored', async () => {
    const scan = await played();
    const slow = createChartStore(api.database.app.sql, async (work) => {
      await api.query(`UPDATE nightshift.batches SET purged_at = now() WHERE id = ${scan.batchId}`);
      return work();
    });
    await slow.readBatch(api.accountId, scan.batch, 30);
    expect(await kept()).toEqual([]);
  });

  test('are not visible to other accounts', async () => {
    const scan = await played();
    await expect(charts.readBatch(nobody, scan.batch, 30)).rejects.toThrow(NotFound);
  });

  test('of a large batch are computed once when it ends', async () => {
    const scan = await played();
    const signal = new AbortController().signal;
    await charts.keepUp(signal);
    expect(await kept()).toEqual([]);
    await api.query(`UPDATE nightshift.batches SET lookups_total = 5000, finished_at = now()`);
    await charts.keepUp(signal);
    const [first] = await kept();
    expect(first).toMatchObject({ batch_id: String(scan.batchId) });
    await charts.keepUp(signal);
    expect(await kept()).toEqual([first]);
  });

  async function open(): Promise<void> {
    api = await openTestScans(await openTestDatabase());
    charts = createChartStore(api.database.app.sql, unlimited);
  }

  async function played(): Promise<FixtureScan> {
    await open();
    return api.runScan(await api.addSchedule('played', companies), 0, answers);
  }

  function read({ batch }: FixtureScan) {
    return charts.readBatch(api.accountId, batch, chartDaysMax);
  }

  /** Charts of the product, equal to a direct count and to a count from the rows. */
  async function reported(scan: FixtureScan): Promise<BatchFigures> {
    await api.query('UPDATE nightshift.figures SET took_ms = 0');
    const { figures, isCurrent } = await read(scan);
    expect(isCurrent).toBe(true);
    expect(figures).toEqual(await countBatch(api.database.app.sql, scan.batchId));
    expect(figures).toMatchObject(await drawBatch(api.database, scan.batchId));
    return figures;
  }

  const kept = () => api.query('SELECT batch_id, schedule_id, as_of FROM nightshift.figures');
});

describe('charts of a schedule', () => {
  let api: TestScans;
  let charts: ChartStore;

  let close: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase();
    ({ close } = database);
    api = await openTestScans(database);
    charts = createChartStore(database.app.sql, unlimited);
  });
  afterAll(() => close());

  test('match the database after every evaluation', async () => {
    const schedule = await api.addSchedule('nights', ['acme.com', 'globex.com'], { missesToEnd: 1 });
    expect(await reported(schedule.publicId)).toMatchObject({
      window: null,
      adsActive: 0,
      companies: { total: 0 },
    });
    await api.runScan(schedule, 0, { 'acme.com': foundAds(['a', 'b']), 'globex.com': foundAds(['g']) });
    await api.evaluate();
    expect(await reported(schedule.publicId)).toMatchObject({ adsActive: 3, days: [] });
    const second = await api.runScan(schedule, 1, {
      'acme.com': foundAds([adOf('a', { format: 'Image' }), adOf('n', { start: scanDay(1) })]),
      'globex.com': failedLookup,
    });
    expect(await reported(schedule.publicId)).toMatchObject({ adsActive: 3 });
    await api.evaluate();
    expect(await reported(schedule.publicId)).toMatchObject({
      adsActive: 3,
      // Their scans started today, so there is no earlier day.
      days: [{ new: 1, reactivated: 0, changed: 1, ended: 1 }],
      formats: [
        { format: 'Text', ads: 2 },
        { format: 'Image', ads: 1 },
      ],
      completeness: { complete: 2 },
    });
    await api.retry(second, 1, { 'globex.com': foundAds(['g', 'h']) });
    await api.evaluate();
    expect(await reported(schedule.publicId)).toMatchObject({ adsActive: 4 });
    expect(await api.findings()).toEqual([]);
  });

  test('of a removed schedule are found by its id, by the own account only', async () => {
    const schedule = await api.addSchedule('gone', ['acme.com']);
    await api.query(`UPDATE nightshift.schedules SET state = 'removed', next_at = NULL WHERE name = 'gone'`);
    expect((await charts.readSchedule(api.accountId, schedule.publicId, 30)).name).toBe('gone');
    await expect(charts.readSchedule(api.accountId, 'gone', 30)).rejects.toThrow(NotFound);
    await expect(charts.readSchedule(nobody, schedule.publicId, 30)).rejects.toThrow(NotFound);
  });

  async function reported(schedule: string) {
    await api.query('UPDATE nightshift.figures SET took_ms = 0');
    const { figures, isCurrent } = await charts.readSchedule(api.accountId, schedule, chartDaysMax);
    expect(isCurrent).toBe(true);
    const [row] = await api.query<{ id: string }>(
      'SELECT id FROM nightshift.schedules WHERE public_id = $1',
      [schedule],
    );
    expect(figures).toEqual(await countSchedule(api.database.app.sql, Number(row?.id)));
    return figures;
  }
});
