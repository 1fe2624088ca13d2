import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createReportData } from '../../../db/stores/reports/report-data.ts';
import { NotFound } from '../../../src/core/errors.ts';
import type { BatchData } from '../../../src/core/reports/batch-data.ts';
import type { ReportData } from '../../../src/core/reports/report-data.ts';
import type { ScheduleData } from '../../../src/core/reports/schedule-data.ts';
import { addDays } from '../../../src/core/time/day.ts';
import { listDays } from '../../../src/core/reports/days.ts';
import { activityLine } from '../../../src/reporter/documents/model/history.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { writeHistory, type ScanHistory } from '../../support/history/write-history.ts';
import { buildFixture, type Fixture } from '../../support/db/fixture.ts';

const bounds = { rowsMax: 5000, withMarkup: false };
const month = { ...bounds, days: 30 };
const nobody = 999;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let store: ReportData;
let accountId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  store = createReportData(database.app.sql);
  accountId = await findAccount(database.app.sql, 'default');
});
afterAll(() => database.close());

describe('report data of a batch', () => {
  let fixture: Fixture;
  let data: BatchData;

  beforeAll(async () => {
    fixture = await buildFixture(database.app);
    data = await store.readBatch(accountId, fixture.finished.publicId, bounds);
  });

  test('has every company once, in input order, with its outcome', () => {
    expect(
      data.companies.rows.map(({ company, outcome, adsCount }) => [company.domain, outcome, adsCount]),
    ).toEqual([
      ['acme.com', 'found', 2],
      ['globex.com', 'found', 1],
      ['initech.com', 'none', 0],
      ['hooli.com', 'no_match', 0],
      ['umbrella.com', 'failed', 0],
    ]);
    expect(data.companies.total).toBe(5);
    expect(data.companies.rows[4]?.reason).toBe('source_unreadable');
    expect(data.rejected).toEqual({
      rows: [{ lineNo: 8, reason: 'too many fields: 3 fields instead of 2' }],
      total: 1,
    });
    expect(Object.fromEntries(data.outcomes)).toEqual({ found: 2, none: 1, no_match: 1, failed: 1 });
  });

  test('has every ad in the order of the source, with variants on request only', async () => {
    expect(data.ads.total).toBe(3);
    expect(
      data.ads.rows.map(({ company, ad }) => [
        company.domain,
        ad.creativeId,
        ad.start,
        ad.lastSeen,
        ad.markup,
      ]),
    ).toEqual([
      ['acme.com', 'google:cr-1', '2026-01-01', '2026-11-01', null],
      ['acme.com', 'google:cr-2', '2026-01-01', '2026-11-01', null],
      ['globex.com', 'google:cr-3', '2026-01-01', '2026-11-01', null],
    ]);
    const withMarkup = await store.readBatch(accountId, fixture.finished.publicId, {
      ...bounds,
      withMarkup: true,
    });
    expect(withMarkup.ads.rows.map(({ ad }) => ad.markup)).toEqual([
      '<p>cr-1</p>',
      '<p>cr-2</p>',
      '<p>cr-3</p>',
    ]);
    expect(data.formats).toEqual([{ format: 'Image', ads: 3 }]);
    expect(data.longest.map(({ ad }) => ad.creativeId)).toEqual([
      'google:cr-1',
      'google:cr-2',
      'google:cr-3',
    ]);
    expect(data.mostAds.map(({ adsCount }) => adsCount)).toEqual([2, 1]);
  });

  test('has at most the requested rows, with the total', async () => {
    const few = await store.readBatch(accountId, fixture.finished.publicId, { ...bounds, rowsMax: 2 });
    expect([few.companies.rows.length, few.companies.total]).toEqual([2, 5]);
    expect([few.ads.rows.length, few.ads.total]).toEqual([2, 3]);
  });

  test('of a running batch is dated by its last outcome', async () => {
    const running = await store.readBatch(accountId, fixture.running.publicId, bounds);
    expect(running.outcomes.get('open')).toBe(5);
    expect(running.asOf.getTime()).toBeGreaterThan(running.summary.createdAt.getTime());
  });

  test('has the ads that began in the week of the report, the newest first, and the account', async () => {
    expect(data.account).toBe('default');
    const to = data.asOf.toISOString().slice(0, 10);
    expect(data.highlights).toMatchObject({ adsBegun: 0, companiesBegun: 0, adsUndated: 0, scan: null });
    expect(data.highlights.week).toEqual({ from: addDays(to, -6), to });
    expect(data.highlights.newest.map(({ ad }) => ad.creativeId)).toEqual([
      'google:cr-1',
      'google:cr-2',
      'google:cr-3',
    ]);
    const { rows } = await database.owner.pool.query<{ ends: string }>(
      `UPDATE nightshift.batches SET finished_at = '2026-01-07T12:00:00Z' WHERE public_id = $1
        RETURNING (SELECT finished_at::text FROM nightshift.batches WHERE public_id = $1) AS ends`,
      [fixture.finished.publicId],
    );
    const early = await store.readBatch(accountId, fixture.finished.publicId, bounds);
    expect(early.highlights).toMatchObject({ adsBegun: 3, companiesBegun: 2 });
    await database.owner.pool.query('UPDATE nightshift.batches SET finished_at = $2 WHERE public_id = $1', [
      fixture.finished.publicId,
      rows[0]?.ends,
    ]);
  });

  test('is not visible to other accounts', async () => {
    await expect(store.readBatch(nobody, fixture.finished.publicId, bounds)).rejects.toThrow(NotFound);
  });
});

describe('report data of a schedule', () => {
  let history: ScanHistory;
  let data: ScheduleData;

  beforeAll(async () => {
    history = await writeHistory(database.owner);
    data = await store.readSchedule(accountId, history.schedule.name, month);
  });

  test('has consistent totals of active ads, changes and baselines', () => {
    expect(data.adsActive).toBe(history.active);
    expect(data.companies.rows.reduce((sum, { adsActive }) => sum + adsActive, 0)).toBe(history.active);
    expect(data.formats.reduce((sum, { ads }) => sum + ads, 0)).toBe(history.active);
    expect(data.changes.total).toBe(history.news);
    expect(data.changes.rows).toHaveLength(history.news);
    expect(data.baseline).toBe(history.baseline);
    expect(data.scans.total).toBe(history.scans);
    for (const kind of ['new', 'reactivated', 'changed', 'ended'] as const) {
      const count = data.changes.rows.filter((change) => change.kind === kind).length;
      expect(count).toBeGreaterThan(0);
      expect(data.days.reduce((sum, day) => sum + day[kind], 0)).toBe(count);
      expect(data.scans.rows.reduce((sum, { changes }) => sum + changes[kind], 0)).toBe(count);
      expect(data.companies.rows.reduce((sum, { changes }) => sum + changes[kind], 0)).toBe(count);
    }
  });

  test('has the newest scan first, with completeness, cost and the reason of a tick without a scan', () => {
    const [newest] = data.scans.rows;
    expect(newest).toMatchObject({
      batch: history.lastBatch,
      state: 'finished',
      isEvaluated: true,
      companies: { complete: 6, failed: 1 },
      chargedMicro: 1_200_000n,
    });
    expect(
      data.scans.rows.filter(({ batch }) => batch === null).map(({ state, reason }) => [state, reason]),
    ).toEqual([
      ['skipped', 'the scan before still ran'],
      ['missed', 'no dispatcher was running'],
    ]);
    expect(data.asOf).toEqual(new Date('2026-02-03T01:05:00Z'));
    expect(data.window).toEqual({ from: '2026-01-05', to: '2026-02-03' });
  });

  test('has a value per company and day with a scan, up to the current count', () => {
    expect(data.activity.map(({ company }) => company.key)).toEqual(
      data.companies.rows.map(({ company }) => company.key),
    );
    data.activity.forEach(({ before, days }, i) => {
      expect(before).toBeNull();
      expect(days.length).toBeGreaterThan(26);
      expect(days.at(-1)?.adsActive).toBe(data.companies.rows[i]?.adsActive);
    });
  });

  test('has the same active ads per day as the view ads_daily', async () => {
    const days = listDays('2026-01-05', '2026-02-03');
    const reported = data.activity.flatMap((activity) =>
      activityLine(activity, days).values.map((count, i) => [activity.company.key, days[i], count]),
    );
    const { rows } = await database.owner.pool.query<{
      company_key: string;
      day: string;
      ads_active: number;
    }>(
      `SELECT company_key, day::text, ads_active FROM reports.ads_daily WHERE schedule_id = $1 AND day <= '2026-02-03'`,
      [history.schedule.publicId],
    );
    const viewed = rows.map(({ company_key: key, day, ads_active: count }) => [key, day, count]);
    expect(reported.map(String).sort()).toEqual(viewed.map(String).sort());
  });

  test('has the scans of a change, and the ad before a change', () => {
    const ended = data.changes.rows.find(({ kind }) => kind === 'ended');
    expect(ended?.restsOn).toHaveLength(2);
    expect(ended?.restsOn[1]).toBe(ended?.observedAt.toISOString().slice(0, 10));
    const changed = data.changes.rows.find(({ kind, ad }) => kind === 'changed' && ad.headline !== null);
    expect(changed?.ad.headline).toBe(`${changed?.before?.headline}, now 20 % off`);
  });

  test('has the companies with the largest change of running ads in its last seven days', () => {
    const { week, moves, scansEvaluated, withoutAds } = data.highlights;
    expect(week).toEqual({ from: '2026-01-28', to: '2026-02-03' });
    expect(scansEvaluated).toBe(28);
    expect(withoutAds).toBe(data.companies.rows.filter(({ adsActive }) => adsActive === 0).length);
    const inWeek = data.changes.rows.filter(
      ({ observedAt }) => observedAt.toISOString().slice(0, 10) >= '2026-01-28',
    );
    const differences = new Map<string, number>();
    for (const { company, kind } of inWeek) {
      const step = { new: 1, reactivated: 1, ended: -1, changed: 0 }[kind];
      differences.set(company.key, (differences.get(company.key) ?? 0) + step);
    }
    expect(moves.total).toBe(differences.size);
    expect(moves.rows.length).toBeGreaterThan(1);
    const moved = moves.rows.map(({ company, changes }) => [
      company.key,
      changes.new + changes.reactivated - changes.ended,
    ]);
    expect(moved).toEqual(moves.rows.map(({ company: { key } }) => [key, differences.get(key)]));
    const sizes = [...differences.values()].map(Math.abs).sort((a, b) => b - a);
    expect(moved.map(([, difference]) => Math.abs(Number(difference)))).toEqual(
      sizes.slice(0, moves.rows.length),
    );
    const active = new Map(data.companies.rows.map(({ company, adsActive }) => [company.key, adsActive]));
    for (const { company, adsActive } of moves.rows) expect(adsActive).toBe(active.get(company.key));
  });

  test('has the comparison with the scan before in the report of a scan', async () => {
    const [newest] = data.scans.rows;
    const ofScan = await store.readBatch(accountId, history.lastBatch, bounds);
    expect(ofScan.highlights.scan).toMatchObject({
      isEvaluated: true,
      isFirst: false,
      changes: newest?.changes,
    });
    const oldest = data.scans.rows.findLast(({ batch }) => batch !== null)?.batch ?? '';
    const first = await store.readBatch(accountId, oldest, bounds);
    expect(first.highlights.scan).toMatchObject({ isFirst: true, moves: { total: 0 } });
  });

  test('has the failed companies of the newest scan until a retry succeeds', async () => {
    expect(data.failures).toMatchObject({ batch: history.lastBatch, isRetriable: true });
    expect(data.failures?.companies.rows).toEqual([
      { company: { key: 'd:hoka.com', domain: 'hoka.com', name: 'HOKA' }, reason: 'source_unreadable' },
    ]);
    await retryHoka(database, history.lastBatch);
    const after = await store.readSchedule(accountId, history.schedule.name, month);
    expect(after.failures?.companies).toEqual({ rows: [], total: 0 });
  });

  test('of fewer days ends at the newest scan, and starts with the state before', async () => {
    const week = await store.readSchedule(accountId, history.schedule.publicId, { ...bounds, days: 7 });
    expect(week.window).toEqual({ from: '2026-01-28', to: '2026-02-03' });
    expect(week.scans.total).toBe(7);
    expect(week.baseline).toBe(0);
    expect(week.changes.rows).toEqual(
      data.changes.rows.filter(({ observedAt }) => observedAt >= new Date('2026-01-28')),
    );
    const before = data.activity[0]?.days.findLast(({ day }) => day < '2026-01-28');
    expect(week.activity[0]?.before).toBe(before?.adsActive);
    expect(week.adsActive).toBe(history.active);
  });

  test('starts at the first scan at the earliest', async () => {
    const year = await store.readSchedule(accountId, history.schedule.name, { ...bounds, days: 366 });
    expect(year.window).toEqual(data.window);
    expect(year.changes.total).toBe(history.news);
  });

  test('has at most the requested rows, with the total', async () => {
    const few = await store.readSchedule(accountId, history.schedule.name, { ...month, rowsMax: 5 });
    expect(few.changes.rows).toEqual(data.changes.rows.slice(0, 5));
    expect(few.changes.total).toBe(history.news);
    expect([few.companies.rows.length, few.companies.total]).toEqual([5, 7]);
  });

  test('is not visible to other accounts, and is found by id once the schedule is removed', async () => {
    await expect(store.readSchedule(nobody, history.schedule.name, month)).rejects.toThrow(NotFound);
    await database.owner.pool.query("UPDATE nightshift.schedules SET state = 'removed', next_at = NULL");
    await expect(store.readSchedule(accountId, history.schedule.name, month)).rejects.toThrow(
      'nightshift schedule list',
    );
    const removed = await store.readSchedule(accountId, history.schedule.publicId, month);
    expect(removed.schedule.state).toBe('removed');
    expect(removed.changes.total).toBe(history.news);
  });
});

/** State after `retry`, when the source has answered. */
async function retryHoka({ owner }: TestDatabase, batch: string): Promise<void> {
  await owner.pool.query(
    `INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, generation, company_domain, outcome, ended_at)
      SELECT 1000000 + l.id, l.account_id, l.batch_id, l.operation, l.subject_key, 2, l.company_domain, 'none', now()
      FROM nightshift.all_lookups l JOIN nightshift.batches b ON b.id = l.batch_id WHERE b.public_id = $1 AND l.outcome = 'failed'`,
    [batch],
  );
}
