import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBatchControl } from '../../../db/stores/batches/batch-control.ts';
import { createChartStore } from '../../../db/stores/reports/charts.ts';
import { countBatch } from '../../../db/stores/reports/batch-figures.ts';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import { countSchedule } from '../../../db/stores/reports/schedule-figures.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import { purge } from '../../../src/core/purge/purge.ts';
import { chartDaysMax, type BatchFigures, type ChartStore } from '../../../src/core/reports/charts.ts';
import { ageRecord } from '../../support/db/age-record.ts';
import { drawBatch } from '../../support/db/draw-batch.ts';
import { createTestDatabase, openTestDatabase } from '../../support/db/database.ts';
import {
  adOf,
  failedLookup,
  foundAds,
  noAds,
  noMatch,
  openScanDesk,
  scanDay,
  type HandMadeScan,
  type ScanAnswers,
  type ScanDesk,
} from '../../support/scans/evaluation-fixture.ts';

const nobody = 999;
/** What somebody else counts at the same time waits its turn elsewhere; here nothing does. */
const unlimited = <T>(work: () => Promise<T>) => work();

/** Companies with every outcome. The ads of the first run one after another, and one has no day of its end. */
const companies = ['acme.com', 'globex.com', 'initech.com', 'hooli.com', 'umbrella.com'];
const answers: ScanAnswers = {
  'acme.com': foundAds([
    adOf('a', { start: scanDay(-400), lastSeen: scanDay(-2) }),
    adOf('b', { start: scanDay(-30), lastSeen: scanDay(-10), format: 'Image' }),
    adOf('c', { start: scanDay(-10), lastSeen: scanDay(0), format: 'Image' }),
    adOf('d', { start: scanDay(-9), lastSeen: null, format: null }),
  ]),
  'globex.com': foundAds([adOf('g', { advertiserId: 'AR-2', start: scanDay(-5), lastSeen: scanDay(-1) })], {
    truncated: true,
  }),
  'initech.com': noAds(),
  'hooli.com': noMatch,
  'umbrella.com': failedLookup,
};

describe('the charts of a batch', () => {
  let desk: ScanDesk;
  let charts: ChartStore;

  test('say at every moment what the record says: while it runs, at its end, after a retry, and cancelled', async () => {
    await open();
    const schedule = await desk.addSchedule('story', companies);
    const scan = await desk.begin(schedule);
    expect(await told(scan)).toMatchObject({ outcomes: { open: 5 }, ads: 0, window: null, mostAds: [] });
    await desk.answer(answers);
    expect(await told(scan)).toMatchObject({ outcomes: { found: 2, none: 1, no_match: 1, failed: 1 } });
    await desk.finish(scan, 0);
    const finished = await told(scan);
    expect(finished.longest.map(({ ad }) => ad.creativeId)).toEqual(['a', 'b', 'c', 'g']);
    expect(finished).toMatchObject({ ads: 5, adsDated: 4, window: { to: scanDay(0) } });
    await desk.retry(scan, 0, { 'umbrella.com': foundAds([adOf('u', { lastSeen: scanDay(0) })]) });
    expect(await told(scan)).toMatchObject({ outcomes: { found: 3, none: 1, no_match: 1 }, companies: 5 });

    const cancelled = await desk.begin(schedule);
    await desk.answer({ 'acme.com': foundAds(['a']) });
    expect(await told(cancelled)).toMatchObject({ outcomes: { found: 1, open: 4 } });
    await createBatchControl(desk.database.app.sql).cancel(desk.accountId, cancelled.batch);
    await desk.comeToRest(cancelled);
    expect(await told(cancelled)).toMatchObject({ outcomes: { found: 1, cancelled: 4 } });
    expect(await desk.findings()).toEqual([]);
  });

  test('are counted once: as long as nothing happens, whoever asks gets what was counted', async () => {
    const scan = await played();
    const [first, second] = [await read(scan), await read(scan)];
    expect(first.isCurrent).toBe(true);
    expect(second).toEqual(first);
  });

  test('are not counted anew right after they were, and say so and from when they are', async () => {
    await open();
    const scan = await desk.begin(await desk.addSchedule('slow', companies));
    const before = await read(scan);
    await desk.query('UPDATE nightshift.figures SET took_ms = 60000');
    await desk.answer(answers);
    expect(await read(scan)).toEqual({ ...before, isCurrent: false });
    await desk.query('UPDATE nightshift.figures SET took_ms = 0');
    const after = await read(scan);
    expect(after).toMatchObject({ isCurrent: true, figures: { outcomes: { found: 2 } } });
    expect(after.asOf.getTime()).toBeGreaterThan(before.asOf.getTime());
  });

  test('are counted anew when their form is another one', async () => {
    const scan = await played();
    const counted = await read(scan);
    await desk.query(`UPDATE nightshift.figures SET form = form - 1, figures = '{}'`);
    expect((await read(scan)).figures).toEqual(counted.figures);
  });

  test('who asks while somebody counts waits for that', async () => {
    const scan = await played();
    let counts = 0;
    const counting = createChartStore(desk.database.app.sql, (work) => {
      counts += 1;
      return work();
    });
    const read = () => counting.readBatch(desk.accountId, scan.batch, 30);
    const [one, ...others] = await Promise.all([read(), read(), read()]);
    expect(others).toEqual([one, one]);
    expect(counts).toBe(1);
  });

  test('of fewer days end on the same day', async () => {
    const scan = await played();
    const { figures } = await charts.readBatch(desk.accountId, scan.batch, 3);
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

  test('go with a purge of the batch, and nothing is kept of one that a purge has begun with', async () => {
    const scan = await played();
    await read(scan);
    await desk.query('DELETE FROM nightshift.scans');
    await ageRecord(desk.database, 40);
    const { sql } = desk.database.app;
    await purge(createPurgeStore(sql), { orders: [{ kind: 'batches', ageMs: 30 * 86_400_000 }] });
    expect(await kept()).toEqual([]);
    await expect(read(scan)).rejects.toThrow(Conflict);
  });

  test('that are being counted while a purge begins are not kept', async () => {
    const scan = await played();
    const slow = createChartStore(desk.database.app.sql, async (work) => {
      await desk.query(`UPDATE nightshift.batches SET purged_at = now() WHERE id = ${scan.batchId}`);
      return work();
    });
    await slow.readBatch(desk.accountId, scan.batch, 30);
    expect(await kept()).toEqual([]);
  });

  test('are nobody else’s', async () => {
    const scan = await played();
    await expect(charts.readBatch(nobody, scan.batch, 30)).rejects.toThrow(NotFound);
  });

  test('of a large one are counted when it has ended, once', async () => {
    const scan = await played();
    const signal = new AbortController().signal;
    await charts.keepUp(signal);
    expect(await kept()).toEqual([]);
    await desk.query(`UPDATE nightshift.batches SET lookups_total = 5000, finished_at = now()`);
    await charts.keepUp(signal);
    const [first] = await kept();
    expect(first).toMatchObject({ batch_id: String(scan.batchId) });
    await charts.keepUp(signal);
    expect(await kept()).toEqual([first]);
  });

  async function open(): Promise<void> {
    desk = await openScanDesk(await openTestDatabase());
    charts = createChartStore(desk.database.app.sql, unlimited);
  }

  async function played(): Promise<HandMadeScan> {
    await open();
    return desk.play(await desk.addSchedule('played', companies), 0, answers);
  }

  function read({ batch }: HandMadeScan) {
    return charts.readBatch(desk.accountId, batch, chartDaysMax);
  }

  /** What is told, which is what is counted directly, and one by one from the rows. */
  async function told(scan: HandMadeScan): Promise<BatchFigures> {
    await desk.query('UPDATE nightshift.figures SET took_ms = 0');
    const { figures, isCurrent } = await read(scan);
    expect(isCurrent).toBe(true);
    expect(figures).toEqual(await countBatch(desk.database.app.sql, scan.batchId));
    expect(figures).toMatchObject(await drawBatch(desk.database, scan.batchId));
    return figures;
  }

  const kept = () => desk.query('SELECT batch_id, schedule_id, as_of FROM nightshift.figures');
});

describe('the charts of a schedule', () => {
  let desk: ScanDesk;
  let charts: ChartStore;

  let close: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase();
    ({ close } = database);
    desk = await openScanDesk(database);
    charts = createChartStore(database.app.sql, unlimited);
  });
  afterAll(() => close());

  test('say after every evaluation what the record says', async () => {
    const schedule = await desk.addSchedule('nights', ['acme.com', 'globex.com'], { missesToEnd: 1 });
    expect(await told(schedule.publicId)).toMatchObject({
      window: null,
      adsActive: 0,
      companies: { total: 0 },
    });
    await desk.play(schedule, 0, { 'acme.com': foundAds(['a', 'b']), 'globex.com': foundAds(['g']) });
    await desk.evaluate();
    expect(await told(schedule.publicId)).toMatchObject({ adsActive: 3, days: [] });
    const second = await desk.play(schedule, 1, {
      'acme.com': foundAds([adOf('a', { format: 'Image' }), adOf('n', { start: scanDay(1) })]),
      'globex.com': failedLookup,
    });
    expect(await told(schedule.publicId)).toMatchObject({ adsActive: 3 });
    await desk.evaluate();
    expect(await told(schedule.publicId)).toMatchObject({
      adsActive: 3,
      // Their scans began today, and no day is told of before that.
      days: [{ new: 1, reactivated: 0, changed: 1, ended: 1 }],
      formats: [
        { format: 'Text', ads: 2 },
        { format: 'Image', ads: 1 },
      ],
      completeness: { complete: 2 },
    });
    await desk.retry(second, 1, { 'globex.com': foundAds(['g', 'h']) });
    await desk.evaluate();
    expect(await told(schedule.publicId)).toMatchObject({ adsActive: 4 });
    expect(await desk.findings()).toEqual([]);
  });

  test('of one that was removed are found by its id, and by nobody else', async () => {
    const schedule = await desk.addSchedule('gone', ['acme.com']);
    await desk.query(`UPDATE nightshift.schedules SET state = 'removed', next_at = NULL WHERE name = 'gone'`);
    expect((await charts.readSchedule(desk.accountId, schedule.publicId, 30)).name).toBe('gone');
    await expect(charts.readSchedule(desk.accountId, 'gone', 30)).rejects.toThrow(NotFound);
    await expect(charts.readSchedule(nobody, schedule.publicId, 30)).rejects.toThrow(NotFound);
  });

  async function told(schedule: string) {
    await desk.query('UPDATE nightshift.figures SET took_ms = 0');
    const { figures, isCurrent } = await charts.readSchedule(desk.accountId, schedule, chartDaysMax);
    expect(isCurrent).toBe(true);
    const [row] = await desk.query<{ id: string }>(
      'SELECT id FROM nightshift.schedules WHERE public_id = $1',
      [schedule],
    );
    expect(figures).toEqual(await countSchedule(desk.database.app.sql, Number(row?.id)));
    return figures;
  }
});
