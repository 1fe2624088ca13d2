import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../db/connection/client.ts';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createChangeList } from '../../../db/stores/changes/change-list.ts';
import { changeKinds } from '../../../src/core/changes/ad-change.ts';
import { createTestDatabase } from '../../support/db/database.ts';
import { openHistory } from '../../support/scans/history-fixture.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

/** Forty schedules of a hundred scans, five companies and one ad each: enough for the planner to avoid reading whole tables. */
const bulk = [
  `INSERT INTO nightshift.schedules (public_id, account_id, name, cron, time_zone, file_name, file_content, file_options, companies, sources, next_at)
    SELECT 'sch_' || n, account_id, 'bulk ' || n, cron, time_zone, file_name, file_content, file_options, companies, sources, next_at
    FROM nightshift.schedules, generate_series(1, 40) AS n WHERE name = 'night'`,
  `INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, evaluated_at)
    SELECT 'scn_' || s.id || '_' || n, s.account_id, s.id, timestamptz '2026-03-01Z' + n * interval '1 hour', 'tick', 'skipped', now()
    FROM nightshift.schedules s, generate_series(1, 100) AS n WHERE s.name LIKE 'bulk %'`,
  `INSERT INTO nightshift.scan_companies (scan_id, company_key, schedule_id, lookup_id, completeness, is_baseline, source, observed_at, day,
      ads_active)
    SELECT n.id, 'd:' || k || '.com', n.schedule_id, 1, 'complete', false, 'upstream', n.due_at, n.due_at::date, 1
    FROM nightshift.scans n, generate_series(1, 5) AS k WHERE n.state = 'skipped'`,
  `INSERT INTO nightshift.ad_changes (scan_id, company_key, ad_id, account_id, schedule_id, kind, version_id, is_active, rests_on, observed_at)
    SELECT c.scan_id, c.company_key, v.ad_id, s.account_id, s.id, 'changed', v.id, true, ARRAY[c.scan_id], c.observed_at
    FROM nightshift.scan_companies c JOIN nightshift.schedules s ON s.id = c.schedule_id, nightshift.ad_versions v
    WHERE s.name LIKE 'bulk %'`,
  `INSERT INTO nightshift.tracked_companies (schedule_id, company_key, baseline_scan_id, last_scan_id, last_observed_at, last_day,
      last_outcome, last_sources, conclusive_day, conclusive_completeness, conclusive_sources)
    SELECT schedule_id, company_key, min(scan_id), max(scan_id), max(observed_at), max(day), 'found', '{upstream}', max(day), 'complete',
      '{upstream}'
    FROM nightshift.scan_companies WHERE lookup_id = 1 GROUP BY 1, 2 ON CONFLICT DO NOTHING`,
  `INSERT INTO nightshift.tracked_ad_rows (schedule_id, company_key, ad_id, is_active, first_scan_id, last_scan_id, version_id, content_hash, day)
    SELECT t.schedule_id, t.company_key, n, true, t.baseline_scan_id, t.last_scan_id, 1, '', t.last_day
    FROM nightshift.tracked_companies t, generate_series(1000, 1040) AS n`,
  'ANALYZE',
];

beforeAll(async () => {
  database = await createTestDatabase();
  const run = await openHistory(database, { schedule: 'night' });
  const changes = [{ kind: 'baseline', reason: 'first_scan', ad: 'a', ranFrom: '2026-03-01' }] as const;
  await database.owner.pool.query(`INSERT INTO nightshift.accounts (name) VALUES ('small')`);
  const small = await openHistory(database, { schedule: 'small', account: 'small' });
  for (const { run: write } of [run, small]) {
    await write({ day: '2026-03-01', observations: { 'd:nike.com': { changes } } });
  }
  for (const statement of bulk) await database.owner.pool.query(statement);
});

afterAll(() => database.close());

test.each([
  'reports.scans',
  'reports.scan_companies',
  'reports.ads_current',
  'reports.ads_daily',
  'reports.ads_changes',
  "reports.ads_as_of('2026-03-02')",
])('%s: a query for one schedule reads observations, changes and ads of that schedule only', async (view) => {
  const { rows } = await database.owner.pool.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Step }] }>(
    `EXPLAIN (FORMAT JSON) SELECT * FROM ${view} WHERE schedule = 'night'`,
  );
  expect(largeSeqScans(rows[0]?.['QUERY PLAN'][0].Plan)).toEqual([]);
});

test.each([
  { account: 'default', kinds: null },
  { account: 'default', kinds: changeKinds },
  { account: 'small', kinds: null },
  { account: 'small', kinds: changeKinds },
])('the newest changes of account $account, kinds $kinds, are found without a full scan', async (asked) => {
  const accountId = await findAccount(database.app.sql, asked.account);
  const plans: Step[] = [];
  const explaining = {
    execute: async (query: SQL) => {
      const { rows } = await database.app.sql.execute<{ 'QUERY PLAN': readonly [{ readonly Plan: Step }] }>(
        sql`EXPLAIN (FORMAT JSON) ${query}`,
      );
      plans.push(...rows.map((row) => row['QUERY PLAN'][0].Plan));
      return { rows: [] };
    },
  } as unknown as Sql;
  const filter = {
    ...{ schedule: null, kinds: asked.kinds, format: null, companyKey: null, since: null },
    ...{ scan: null, day: null },
  };
  await createChangeList(explaining).list(accountId, filter, { limit: 51, after: null });
  expect(plans.length).toBeGreaterThan(0);
  // Nearly all changes belong to `default`: its newest ones are among the newest of all.
  const isWhole = asked.account === 'default' ? isInNoOrder : isUnbounded;
  expect(plans.flatMap((plan) => largeSeqScans(plan, isWhole))).toEqual([]);
});

interface Step {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Plans?: readonly Step[];
}

/** Large tables that a plan reads completely: those that grow with every scan. */
function largeSeqScans(plan: Step | undefined, isWhole = isUnbounded): readonly string[] {
  const large = ['scan_companies', 'ad_changes', 'tracked_ad_rows'];
  return readWhole(plan, isWhole).filter((table) => large.includes(table));
}

function readWhole(step: Step | undefined, isWhole: (step: Step) => boolean): readonly string[] {
  if (step === undefined) return [];
  const own = isWhole(step) ? [step['Relation Name'] ?? ''] : [];
  return [...own, ...(step.Plans ?? []).flatMap((each) => readWhole(each, isWhole))];
}

/** Reads a table unordered: it cannot stop early. */
function isInNoOrder(step: Step): boolean {
  return step['Node Type'] === 'Seq Scan';
}

/** Reads a table without a bound, in any order. */
function isUnbounded(step: Step): boolean {
  return step['Node Type'].endsWith(' Scan') && (step['Index Cond'] ?? step['Recheck Cond']) === undefined;
}
