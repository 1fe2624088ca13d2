import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../db/client.ts';
import { createTestDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let reader: Database;

const [schedules, scans, companies, ads] = [60, 10, 10, 10];

/** Sixty schedules of ten scans of ten companies with ten ads each; a change for every ad in every scan. */
beforeAll(async () => {
  database = await createTestDatabase();
  reader = openDatabase({
    url: database.url,
    role: 'nightshift_reader',
    connectionsMax: 2,
    name: 'nightshift test',
    onIdleError: () => undefined,
  });
  const run = (text: string) => database.owner.pool.query(text);
  await run(`INSERT INTO nightshift.schedules (public_id, account_id, name, cron, time_zone, file_name, list, reading, companies, sources,
      next_at)
    SELECT 'sch_' || i, 1, 'schedule ' || i, '0 2 * * *', 'UTC', 'x', '', '{}', 1, '{}', now() FROM generate_series(1, ${schedules}) i`);
  await run(`INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state)
    SELECT 'scn_' || i || '_' || s, 1, s, now(), 'manual', 'missed' FROM generate_series(1, ${scans}) i, generate_series(1, ${schedules}) s`);
  await run(
    `INSERT INTO nightshift.ads (advertiser_id, creative_id) SELECT 'AR', 'CR' || i FROM generate_series(1, ${companies * ads}) i`,
  );
  await run(`INSERT INTO nightshift.ad_versions (ad_id, content_hash) SELECT id, '' FROM nightshift.ads`);
  await run(`INSERT INTO nightshift.scan_companies (scan_id, company_key, schedule_id, lookup_id, completeness, is_baseline, observed_at, day,
      ads_active)
    SELECT s.id, 'd:company-' || c, s.schedule_id, s.id * 100 + c, 'complete', false, now() - s.id * interval '1 hour', now()::date, 10
    FROM nightshift.scans s, generate_series(1, ${companies}) c`);
  await run(`INSERT INTO nightshift.ad_changes (scan_id, company_key, ad_id, account_id, schedule_id, kind, version_id, is_active, ran_from,
      rests_on, observed_at)
    SELECT s.id, 'd:company-' || (a.id - 1) / ${ads}, a.id, 1, s.schedule_id, 'new', a.id, true, now()::date, ARRAY[s.id], now()
    FROM nightshift.scans s, nightshift.ads a`);
  await run(`INSERT INTO nightshift.tracked_ads (schedule_id, company_key, ad_id, is_active, first_scan_id, last_scan_id, version_id, look, day)
    SELECT s.id, 'd:company-' || (a.id - 1) / ${ads}, a.id, true, s.id, s.id, a.id, '', now()::date
    FROM nightshift.schedules s, nightshift.ads a`);
  await run('ANALYZE');
});

afterAll(async () => {
  await reader.close();
  await database.close();
});

test.each([
  ['ad_changes', `SELECT * FROM reports.ads_changes WHERE schedule = 'schedule 7'`],
  [
    'ad_changes',
    `SELECT * FROM reports.ads_changes WHERE schedule_id = 'sch_7' AND is_news ORDER BY scan_no DESC LIMIT 20`,
  ],
  ['ad_changes', `SELECT kind, count(*) FROM reports.ads_changes WHERE scan = 'scn_3_7' GROUP BY 1`],
  ['ad_changes', `SELECT * FROM reports.ads_as_of(current_date) WHERE schedule = 'schedule 7'`],
  [
    'ad_changes',
    `SELECT count(*) FROM reports.ads_as_of(current_date, now()) WHERE schedule_id = 'sch_7' AND company_key = 'd:company-3'`,
  ],
  ['tracked_ads', `SELECT * FROM reports.ads_current WHERE schedule = 'schedule 7'`],
  [
    'scan_companies',
    `SELECT day, sum(ads_active) FROM reports.ads_daily WHERE schedule = 'schedule 7' GROUP BY 1`,
  ],
  ['scan_companies', `SELECT * FROM reports.scan_companies WHERE schedule = 'schedule 7'`],
  ['scan_companies', `SELECT * FROM reports.scans WHERE schedule = 'schedule 7'`],
])('of %s nothing but what is asked about is read: %s', async (table, query) => {
  const { rows } = await reader.sql.execute<{ 'QUERY PLAN': string }>(sql.raw(`EXPLAIN ${query}`));
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).not.toContain(`Seq Scan on ${table}`);
  expect(plan).toMatch(new RegExp(`Index.* (on|using) ${table}_`));
});
