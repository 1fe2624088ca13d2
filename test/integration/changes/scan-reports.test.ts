import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { platformId } from '../../../src/core/companies/platform-id.ts';
import { createTestDatabase, openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { openHistory, type FixtureHistory } from '../../support/scans/history-fixture.ts';
import { writeWeek } from '../../support/scans/week-fixture.ts';

const nike = 'd:nike.com';
const puma = 'd:puma.com';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let run: FixtureHistory;
let scans: readonly string[];

beforeAll(async () => {
  database = await createTestDatabase();
  run = await openHistory(database, { schedule: 'night' });
  scans = await writeWeek(run);
});

afterAll(() => database.close());

/** Runs a query in the reader's role, which can access only the views. */
async function ask<Row extends object = Record<string, unknown>>(
  query: string,
  { owner }: Pick<TestDatabase, 'owner'> = database,
): Promise<readonly Row[]> {
  const client = await owner.pool.connect();
  try {
    await client.query('SET ROLE nightshift_reader');
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.query('RESET ROLE');
    client.release();
  }
}

describe('reporting views', () => {
  test('have comments, and ads_as_of documents its parameters', async () => {
    const { rows } = await database.owner.pool.query<{ name: string; says: string | null }>(
      `SELECT relname AS name, obj_description(oid, 'pg_class') AS says FROM pg_class
        WHERE relnamespace = 'reports'::regnamespace AND relkind = 'v'
      UNION ALL SELECT proname, obj_description(oid, 'pg_proc') FROM pg_proc WHERE pronamespace = 'reports'::regnamespace`,
    );
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter(({ says }) => says === null || says.length < 20)).toEqual([]);
  });

  test('schedules: one row per schedule with its settings and limits in credits', async () => {
    expect(await ask('SELECT * FROM reports.schedules')).toMatchObject([
      {
        schedule: 'night',
        schedule_id: run.publicId,
        account: 'default',
        cron: '0 2 * * *',
        time_zone: 'UTC',
        state: 'active',
        companies: 2,
        max_credits: '2.5',
        day_credits: null,
        misses_to_end: 2,
        stale_days: 14,
      },
    ]);
  });

  test('scans: each run with completeness, changes and cost, and a tick without a run with the reason', async () => {
    const rows = await ask(
      `SELECT scan, state, reason, companies, companies_complete AS complete, companies_truncated AS truncated,
        companies_partial AS partial, companies_failed AS failed, ads_baseline, ads_new, ads_ended, ads_changed, ads_reactivated,
        credits, batch IS NULL AS without FROM reports.scans ORDER BY due_at`,
    );
    expect(rows.map(({ scan }) => scan)).toEqual(scans);
    expect(rows[0]).toMatchObject({
      companies: 2,
      complete: '1',
      failed: '1',
      ads_baseline: '3',
      credits: '0.2',
    });
    expect(rows[1]).toMatchObject({
      complete: '1',
      truncated: '1',
      ads_new: '1',
      ads_baseline: '1',
      credits: '0.4',
    });
    expect(rows[2]).toMatchObject({ complete: '1', partial: '1', ads_ended: '1' });
    expect(rows[3]).toMatchObject({ ads_ended: '1', ads_changed: '1', failed: '0' });
    expect(rows[4]).toMatchObject({
      state: 'skipped',
      reason: 'the scan before it still ran',
      without: true,
      companies: null,
      complete: '0',
    });
    expect(rows[5]).toMatchObject({ ads_reactivated: '1' });
  });

  test('scan_companies: the result of a scan per company, the first as baseline', async () => {
    expect(
      await ask(
        `SELECT scan, company_key, completeness, is_baseline, ads_active, day::text FROM reports.scan_companies
          WHERE schedule = 'night' AND company_key = '${puma}' ORDER BY observed_at`,
      ),
    ).toEqual([
      {
        scan: scans[1],
        company_key: puma,
        completeness: 'complete',
        is_baseline: true,
        ads_active: 1,
        day: '2026-03-03',
      },
      {
        scan: scans[2],
        company_key: puma,
        completeness: 'partial',
        is_baseline: false,
        ads_active: 0,
        day: '2026-03-05',
      },
    ]);
  });

  test('ads_current: active ads as of their last observation', async () => {
    const rows = await ask(
      `SELECT company_key, creative_id, headline, known_since, start::text, first_scan, last_scan, misses
        FROM reports.ads_current ORDER BY company_key, creative_id`,
    );
    expect(rows).toEqual([
      {
        company_key: nike,
        creative_id: 'google:a',
        headline: 'a, version 1',
        known_since: new Date('2026-03-01T02:00:00Z'),
        start: '2026-02-10',
        first_scan: scans[0],
        last_scan: scans[5],
        misses: 0,
      },
      expect.objectContaining({
        creative_id: 'google:b',
        first_scan: scans[0],
        last_scan: scans[5],
        misses: 0,
      }),
      expect.objectContaining({ creative_id: 'google:c', headline: 'c, version 2', first_scan: scans[1] }),
    ]);
  });

  test('ads_daily: every day from the first answer to today; a day without a scan repeats the day before', async () => {
    const rows = await ask<{ company_key: string; day: string; ads_active: number }>(
      `SELECT company_key, day::text, ads_active FROM reports.ads_daily ORDER BY company_key, day`,
    );
    const nikes = rows.filter(({ company_key: key }) => key === nike);
    expect(nikes.slice(0, 10).map(({ day, ads_active: active }) => [day, active])).toEqual([
      ['2026-03-01', 2],
      ['2026-03-02', 2],
      ['2026-03-03', 3],
      ['2026-03-04', 3],
      ['2026-03-05', 3],
      ['2026-03-06', 2],
      ['2026-03-07', 2],
      ['2026-03-08', 2],
      ['2026-03-09', 3],
      ['2026-03-10', 3],
    ]);
    expect(new Set(nikes.map(({ day }) => day)).size).toBe(nikes.length);
    const [{ today, days } = { today: '', days: 0 }] = await ask<{ today: string; days: number }>(
      `SELECT (now() AT TIME ZONE 'UTC')::date::text AS today, (now() AT TIME ZONE 'UTC')::date - date '2026-03-01' + 1 AS days`,
    );
    expect([nikes.at(-1)?.day, nikes.length]).toEqual([today, days]);
    expect(rows.find(({ company_key: key }) => key === puma)?.day).toBe('2026-03-03');
  });

  test('ads_changes: each change with its scans', async () => {
    const rows = await ask(
      `SELECT kind, reason, creative_id, is_baseline, is_active, rests_on, scan, headline, ran_to::text,
        version_before IS NOT NULL AS has_before
        FROM reports.ads_changes WHERE schedule = 'night' AND created_at > '2026-03-04' ORDER BY created_at, creative_id`,
    );
    expect(rows).toEqual([
      {
        kind: 'ended',
        reason: 'last_seen_long_ago',
        creative_id: 'google:p',
        is_baseline: false,
        is_active: false,
        rests_on: [scans[2]],
        scan: scans[2],
        headline: 'p, version 1',
        ran_to: '2026-03-02',
        has_before: false,
      },
      expect.objectContaining({
        kind: 'ended',
        creative_id: 'google:b',
        rests_on: [scans[2], scans[3]],
        scan: scans[3],
      }),
      expect.objectContaining({
        kind: 'changed',
        headline: 'c, version 2',
        has_before: true,
        is_active: true,
      }),
      expect.objectContaining({ kind: 'reactivated', creative_id: 'google:b', rests_on: [scans[5]] }),
    ]);
    expect(await ask(`SELECT DISTINCT is_baseline FROM reports.ads_changes WHERE kind = 'baseline'`)).toEqual(
      [{ is_baseline: true }],
    );
  });
});

describe('ads_as_of(day, known_at)', () => {
  /** Creatives that ran on a day of March, as known at the end of another day. */
  async function ranOn(day: string, knownOn?: string): Promise<string> {
    const known = knownOn === undefined ? '' : `, '2026-${knownOn}T23:59:59Z'`;
    const rows = await ask<{ creative_id: string }>(
      `SELECT creative_id FROM reports.ads_as_of('2026-${day}'${known}) ORDER BY company_key, creative_id`,
    );
    return rows.map(({ creative_id: creative }) => platformId(creative)).join(' ');
  }

  test('contains an ad on missed days until the miss is known', async () => {
    expect(await ranOn('03-05', '03-05')).toBe('a b c');
    expect(await ranOn('03-05', '03-06')).toBe('a c');
    // It still ran until the last day on which it was seen.
    expect(await ranOn('03-03', '03-06')).toBe('a b c');
  });

  test('contains an ad before its discovery once it is known', async () => {
    expect(await ranOn('03-02', '03-02')).toBe('a b');
    expect(await ranOn('03-02', '03-03')).toBe('a b c p');
    expect(await ranOn('02-15', '03-01')).toBe('a');
    expect(await ranOn('02-09', '03-01')).toBe('');
  });

  test('is empty before the first scan is evaluated', async () => {
    expect(await ranOn('03-01', '02-28')).toBe('');
    expect(await ask(`SELECT * FROM reports.ads_as_of('2026-03-01', '2026-03-01T02:30:00Z')`)).toEqual([]);
  });

  test('contains an ad that ended long ago in its time only', async () => {
    expect(await ranOn('01-31')).toBe('old');
    expect(await ranOn('02-01')).toBe('');
  });

  test('contains a reactivated ad twice, and not in between', async () => {
    expect(await ranOn('03-07')).toBe('a c');
    expect(await ranOn('03-08')).toBe('a b c');
    expect(await ranOn('03-08', '03-08')).toBe('a c');
  });

  test('contains active ads on later days, too', async () => {
    expect(await ranOn('03-20', '03-04')).toBe('a b c p');
  });

  test('returns the version of an ad on that day, as known at that time', async () => {
    const observation = async (day: string, known = `'infinity'`) =>
      (
        await ask(`SELECT headline FROM reports.ads_as_of('${day}', ${known}) WHERE creative_id = 'google:c'`)
      )[0];
    expect(await observation('2026-03-05')).toEqual({ headline: 'c, version 1' });
    expect(await observation('2026-03-06')).toEqual({ headline: 'c, version 2' });
    expect(await observation('2026-03-06', `'2026-03-06T02:30:00Z'`)).toEqual({ headline: 'c, version 1' });
  });

  test('returns the first and last day of an ad, and whether it is active', async () => {
    const rows = await ask(
      `SELECT creative_id, ran_from::text, ran_to::text, is_active FROM reports.ads_as_of('2026-03-02')
        WHERE schedule = 'night' ORDER BY company_key, creative_id`,
    );
    expect(rows).toEqual([
      { creative_id: 'google:a', ran_from: '2026-02-10', ran_to: null, is_active: true },
      { creative_id: 'google:b', ran_from: '2026-03-01', ran_to: '2026-03-03', is_active: false },
      { creative_id: 'google:c', ran_from: '2026-03-02', ran_to: null, is_active: true },
      { creative_id: 'google:p', ran_from: '2026-03-01', ran_to: '2026-03-02', is_active: false },
    ]);
  });

  test('equals ads_current for today', async () => {
    const columns = 'schedule_id, company_key, advertiser_id, creative_id, version_id';
    expect(
      await ask(`SELECT ${columns} FROM reports.ads_as_of((now() AT TIME ZONE 'UTC')::date) ORDER BY 2, 4`),
    ).toEqual(await ask(`SELECT ${columns} FROM reports.ads_current ORDER BY 2, 4`));
  });
});

describe('views of several schedules', () => {
  const found = [{ kind: 'baseline', reason: 'first_scan', ad: 'a', ranFrom: '2026-03-01' }] as const;

  test('show an ad per schedule as that schedule observed it', async () => {
    const shared = await openTestDatabase();
    const [first, second] = [
      await openHistory(shared, { schedule: 'first' }),
      await openHistory(shared, { schedule: 'second' }),
    ];
    for (const { run: write } of [first, second]) {
      await write({ day: '2026-03-01', observations: { [nike]: { changes: found } } });
    }
    const ended = { kind: 'ended', reason: 'not_seen', ad: 'a', ranTo: '2026-03-01' } as const;
    await first.run({ day: '2026-03-02', observations: { [nike]: { changes: [ended] } } });
    const running = [{ schedule: 'second', creative_id: 'google:a' }];
    expect(await ask('SELECT schedule, creative_id FROM reports.ads_current', shared)).toEqual(running);
    expect(await ask(`SELECT schedule, creative_id FROM reports.ads_as_of('2026-03-02')`, shared)).toEqual(
      running,
    );
  });

  test('show the history of a removed schedule, without active ads', async () => {
    const own = await openTestDatabase();
    const removed = await openHistory(own, { schedule: 'removed' });
    await removed.run({ day: '2026-03-01', observations: { [nike]: { changes: found } } });
    await removed.remove('2026-03-03T12:00:00Z');
    expect(await ask('SELECT * FROM reports.ads_current', own)).toEqual([]);
    expect(await ask('SELECT max(day)::text AS day, count(*) FROM reports.ads_daily', own)).toEqual([
      { day: '2026-03-03', count: '3' },
    ]);
    const ranOn = async (day: string, knownAt: string) =>
      (await ask(`SELECT 1 FROM reports.ads_as_of('${day}', '${knownAt}')`, own)).length;
    expect(await ranOn('2026-03-03', 'infinity')).toBe(1);
    expect(await ranOn('2026-03-04', 'infinity')).toBe(0);
    expect(await ranOn('2026-03-04', '2026-03-02T00:00:00Z')).toBe(1);
    expect(await ask('SELECT kind FROM reports.ads_changes', own)).toEqual([{ kind: 'baseline' }]);
  });

  test('show no history of a removed schedule under the same name', async () => {
    const own = await openTestDatabase();
    const removed = await openHistory(own, { schedule: 'night' });
    await removed.run({ day: '2026-03-01', observations: { [nike]: { changes: found } } });
    await removed.remove('2026-03-03T12:00:00Z');
    const anew = await openHistory(own, { schedule: 'night' });
    const other = [{ kind: 'baseline', reason: 'first_scan', ad: 'b', ranFrom: '2026-03-04' }] as const;
    await anew.run({ day: '2026-03-04', observations: { [nike]: { changes: other } } });
    const running = [{ schedule_id: anew.publicId, creative_id: 'google:b' }];
    expect(await ask('SELECT schedule_id, creative_id FROM reports.ads_current', own)).toEqual(running);
    expect(await ask(`SELECT schedule_id, creative_id FROM reports.ads_as_of('2026-03-04')`, own)).toEqual(
      running,
    );
  });

  test('show an ad of an outdated source until the last day it was seen', async () => {
    const own = await openTestDatabase();
    const behind = await openHistory(own, { schedule: 'behind' });
    const late = [{ kind: 'baseline', reason: 'first_scan', ad: 'a', ranFrom: '2026-03-05' }] as const;
    await behind.run({ day: '2026-03-05', observations: { [nike]: { changes: late } } });
    const ended = { kind: 'ended', reason: 'not_seen', ad: 'a', ranTo: '2026-03-03' } as const;
    await behind.run({ day: '2026-03-08', observations: { [nike]: { changes: [ended] } } });
    const days = `SELECT d.day::date::text FROM generate_series(date '2026-03-01', '2026-03-09', '1 day') AS d(day),
      LATERAL reports.ads_as_of(d.day::date)`;
    expect(await ask(days, own)).toEqual([{ day: '2026-03-03' }]);
  });

  test('count a reused answer on the day of its original, and do not change numbers', async () => {
    const own = await openTestDatabase();
    const again = await openHistory(own, { schedule: 'again' });
    await again.run({ day: '2026-03-01', observations: { [nike]: { changes: found } } });
    const more = [{ kind: 'new', ad: 'b', ranFrom: '2026-03-04' }] as const;
    await again.run({ day: '2026-03-04', observations: { [nike]: { changes: more } } });
    await again.run({ day: '2026-03-05', observations: { [nike]: { observedAt: '2026-03-02T09:00:00Z' } } });
    await again.remove('2026-03-05T12:00:00Z');
    expect(await ask('SELECT day::text, ads_active FROM reports.ads_daily ORDER BY day', own)).toEqual(
      [1, 1, 1, 2, 2].map((active, i) => ({ day: `2026-03-0${i + 1}`, ads_active: active })),
    );
  });
});
