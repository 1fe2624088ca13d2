import { sql, type SQL } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openTestPool } from '../support/database.ts';
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
} from '../support/scan-desk.ts';

/** A desk, and the reader's own connection beside it. */
async function openReports() {
  const desk = await openScanDesk();
  const reader = openTestPool(desk.database.url, { role: 'nightshift_reader' });
  const read = async (query: SQL) => (await reader.sql.execute(query)).rows;
  return { desk, read };
}

/**
 * Five nights of two companies: `a` runs all the time and looks otherwise from day 2 on, `b` was last seen on day 0, `c` begins on day 1,
 * `old` has not run for long, and `late` was missed by the first night. Of globex.com nothing is heard on day 1.
 */
const nights: readonly ScanAnswers[] = [
  {
    'acme.com': foundAds(['a', 'b', adOf('old', { lastSeen: scanDay(-40) })]),
    'globex.com': foundAds(['g']),
  },
  { 'acme.com': foundAds(['a', adOf('c', { start: scanDay(1) })]), 'globex.com': failedLookup },
  {
    'acme.com': foundAds([adOf('a', { format: 'Image' }), 'c', adOf('late', { start: scanDay(-8) })]),
    'globex.com': noAds(),
  },
  { 'acme.com': foundAds(['c'], { truncated: true }), 'globex.com': noAds() },
  { 'acme.com': foundAds([adOf('a', { format: 'Image' }), 'b', 'c', 'late']), 'globex.com': noAds() },
];

/** Plays the nights on days 0, 1, 2, 4 and 5, and evaluates each; answers the scans, and the moments after each evaluation. */
async function playNights(desk: ScanDesk) {
  const schedule = await desk.addSchedule('rivals', ['acme.com', 'globex.com']);
  const scans: HandMadeScan[] = [];
  const moments: string[] = [];
  for (const [i, answers] of nights.entries()) {
    scans.push(await desk.play(schedule, nightDays[i] ?? 0, answers));
    await desk.evaluate();
    const [row] = await desk.query<{ now: string }>('SELECT now()::text AS now');
    moments.push(row?.now ?? '');
  }
  return { schedule, scans, moments };
}

const nightDays = [0, 1, 2, 4, 5];

test('ads_changes tells every change, with the scans it rests on, and which of them are news', async () => {
  const { desk, read } = await openReports();
  const { scans } = await playNights(desk);
  const changes = await read(
    sql`SELECT company_domain, creative_id, kind, reason, is_news, scan, rests_on, ran_from::text, ran_to::text
      FROM reports.ads_changes WHERE schedule = 'rivals' AND scan_no > (SELECT min(scan_no) FROM reports.scans)
      ORDER BY scan_no, company_key, creative_id`,
  );
  const [, second, third, , fifth] = scans.map(({ publicId }) => publicId);
  expect(changes).toEqual([
    change({ creative_id: 'c', kind: 'new', is_news: true, scan: second, ran_from: scanDay(1) }),
    change({ creative_id: 'a', kind: 'changed', is_news: true, scan: third }),
    {
      ...change({
        creative_id: 'b',
        kind: 'ended',
        reason: 'not_seen',
        is_news: true,
        scan: third,
        ran_to: scanDay(0),
      }),
      rests_on: [second, third],
    },
    change({
      creative_id: 'late',
      kind: 'baseline',
      reason: 'missed_earlier',
      scan: third,
      ran_from: scanDay(-8),
    }),
    change({ creative_id: 'b', kind: 'reactivated', is_news: true, scan: fifth, ran_from: scanDay(5) }),
    {
      ...change({
        creative_id: 'g',
        kind: 'ended',
        reason: 'not_seen',
        is_news: true,
        scan: fifth,
        ran_to: scanDay(0),
      }),
      company_domain: 'globex.com',
      rests_on: [scans[3]?.publicId, fifth],
    },
  ]);
});

function change({ scan, ...changes }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const nothing = { reason: null, is_news: false, ran_from: null, ran_to: null };
  return { company_domain: 'acme.com', ...nothing, scan, rests_on: [scan], ...changes };
}

test('scans count what they were heard to have, what they changed, and what they cost', async () => {
  const { desk, read } = await openReports();
  const { schedule, scans } = await playNights(desk);
  await desk.query(
    `INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, reason, ticks)
    VALUES ('scn_missed', $1, $2, now(), 'tick', 'missed', 'nobody was there', 3)`,
    [desk.accountId, schedule.scheduleId],
  );
  const rows = await read(
    sql`SELECT scan, state, companies, complete, truncated, partial, unconfirmed_empty, failed, ads_new, ads_reactivated, ads_ended,
        ads_changed, ads_baseline, credits, ticks FROM reports.scans WHERE schedule_id = ${schedule.publicId} ORDER BY scan_no`,
  );
  const row = (values: readonly unknown[]) =>
    Object.fromEntries(
      [
        'complete',
        'truncated',
        'partial',
        'unconfirmed_empty',
        'failed',
        'ads_new',
        'ads_reactivated',
        'ads_ended',
        'ads_changed',
        'ads_baseline',
        'credits',
      ].map((name, i) => [name, values[i]]),
    );
  expect(rows).toMatchObject([
    {
      scan: scans[0]?.publicId,
      companies: 2,
      ...row(['2', '0', '0', '0', '0', '0', '0', '0', '0', '4', '0.4']),
    },
    row(['1', '0', '0', '0', '1', '1', '0', '0', '0', '0', '0.2']),
    row(['1', '0', '0', '1', '0', '0', '0', '1', '1', '1', '0.2']),
    row(['1', '1', '0', '0', '0', '0', '0', '0', '0', '0', '0.2']),
    row(['2', '0', '0', '0', '0', '0', '1', '1', '0', '0', '0.2']),
    { scan: 'scn_missed', state: 'missed', ticks: 3, companies: null, failed: null, credits: '0' },
  ]);
});

test('scan_companies tells how complete each answer is; schedules, how sure a schedule wants to be', async () => {
  const { desk, read } = await openReports();
  await playNights(desk);
  const rows = await read(
    sql`SELECT company_domain, completeness, is_baseline, outcome, source, day::text, ads_active FROM reports.scan_companies
      WHERE schedule = 'rivals' ORDER BY company_key, scan_no`,
  );
  const look = (domain: string, day: number, completeness: string, active: number, outcome = 'found') => ({
    company_domain: domain,
    completeness,
    is_baseline: day === 0,
    outcome,
    source: 'serpapi',
    day: scanDay(day),
    ads_active: active,
  });
  expect(rows).toEqual([
    look('acme.com', 0, 'complete', 2),
    look('acme.com', 1, 'complete', 3),
    look('acme.com', 2, 'complete', 3),
    look('acme.com', 4, 'truncated', 3),
    look('acme.com', 5, 'complete', 4),
    look('globex.com', 0, 'complete', 1),
    look('globex.com', 2, 'unconfirmed_empty', 1, 'none'),
    look('globex.com', 4, 'complete', 1, 'none'),
    look('globex.com', 5, 'complete', 0, 'none'),
  ]);
  const schedules = await read(
    sql`SELECT schedule, account, state, cron, time_zone, companies, misses_to_end, stale_days, max_credits FROM reports.schedules`,
  );
  expect(schedules).toEqual([
    {
      ...{
        schedule: 'rivals',
        account: 'default',
        state: 'active',
        cron: '0 2 * * *',
        time_zone: 'UTC',
        companies: 2,
      },
      ...{ misses_to_end: 2, stale_days: 14, max_credits: null },
    },
  ]);
});

test('ads_current has the ads that run, as they look now, and how long nobody has seen them', async () => {
  const { desk, read } = await openReports();
  const { scans } = await playNights(desk);
  await desk.play({ scheduleId: 1, publicId: '', name: 'rivals', companies: ['acme.com'] }, 6, {
    'acme.com': foundAds(['c', 'b']),
  });
  await desk.evaluate();
  const ads = await read(
    sql`SELECT company_domain, creative_id, format, start::text, first_scan, misses, seen_at::date::text AS seen_on,
        looked_at::date::text AS looked_on FROM reports.ads_current ORDER BY creative_id`,
  );
  const running = (creative_id: string, format: string, start: string, first: number, misses: number) => ({
    ...{ company_domain: 'acme.com', creative_id, format, start, first_scan: scans[first]?.publicId, misses },
    ...{ seen_on: scanDay(misses === 0 ? 6 : 5), looked_on: scanDay(6) },
  });
  expect(ads).toEqual([
    running('a', 'Image', '2025-01-01', 0, 1),
    running('b', 'Text', '2025-01-01', 0, 0),
    running('c', 'Text', '2025-01-01', 1, 0),
    running('late', 'Text', '2025-01-01', 2, 1),
  ]);
});

test('ads_daily goes from the first scan to today, and carries on over days without a scan', async () => {
  const { desk, read } = await openReports();
  await playNights(desk);
  const days = await read(
    sql`SELECT company_domain, day::text, ads_active, is_scanned, completeness FROM reports.ads_daily
      WHERE schedule = 'rivals' AND day <= ${scanDay(7)} ORDER BY company_domain, day`,
  );
  const say = (domain: string, active: readonly number[], scanned: readonly number[]) =>
    active.map((count, day) => [domain, scanDay(day), count, scanned.includes(day)]);
  expect(
    days.map((row) => [row['company_domain'], row['day'], row['ads_active'], row['is_scanned']]),
  ).toEqual([
    ...say('acme.com', [2, 3, 3, 3, 3, 4, 4, 4], [0, 1, 2, 4, 5]),
    ...say('globex.com', [1, 1, 1, 1, 1, 0, 0, 0], [0, 2, 4, 5]),
  ]);
  expect(days.slice(8, 12).map((row) => row['completeness'])).toEqual([
    'complete',
    'complete',
    'unconfirmed_empty',
    'unconfirmed_empty',
  ]);
  const [span] = await read(
    sql`SELECT max(day) = (now() AT TIME ZONE 'UTC')::date AS to_today, count(*) = count(DISTINCT (company_key, day)) AS once
      FROM reports.ads_daily`,
  );
  expect(span).toEqual({ to_today: true, once: true });
});

test('ads_daily ends with the day that its schedule was removed', async () => {
  const { desk, read } = await openReports();
  await playNights(desk);
  await desk.query(
    `UPDATE nightshift.schedules SET state = 'removed', next_at = NULL, state_since = '${scanDay(8)}T12:00:00Z'`,
  );
  expect(await read(sql`SELECT max(day)::text AS last FROM reports.ads_daily`)).toEqual([
    { last: scanDay(8) },
  ]);
});

test('an answer that is shown again says nothing of a day since', async () => {
  const { desk, read } = await openReports();
  const schedule = await desk.addSchedule('rivals', ['acme.com'], { missesToEnd: 1 });
  const first = await desk.play(schedule, 0, { 'acme.com': foundAds(['a', 'b']) });
  await desk.play(schedule, 1, { 'acme.com': foundAds(['a']) });
  const [asked] = await desk.query<{ id: string }>(
    `SELECT id FROM nightshift.lookups WHERE batch_id = ${first.batchId}`,
  );
  await desk.play(schedule, 2, {
    'acme.com': { answer: { kind: 'repeated', lookupId: BigInt(asked?.id ?? 0) } },
  });
  await desk.evaluate();
  const days = await read(
    sql`SELECT ads_active FROM reports.ads_daily WHERE day <= ${scanDay(2)} ORDER BY day`,
  );
  expect(days.map((row) => row['ads_active'])).toEqual([2, 1, 1]);
});

test('ads_as_of tells which ads ran on a day, as far as was known at a moment and not after it', async () => {
  const { desk, read } = await openReports();
  const { moments } = await playNights(desk);
  const asOf = async (day: number, knownAfter: number | null) => {
    const known = knownAfter === null ? sql`now()` : sql`${moments[knownAfter]}::timestamptz`;
    const rows = await read(
      sql`SELECT creative_id FROM reports.ads_as_of(${scanDay(day)}::date, ${known}) WHERE schedule = 'rivals' ORDER BY 1`,
    );
    return rows.map((row) => row['creative_id']).join(' ');
  };
  // What was known after the first night, and what is known of the same day now: one ad had been missed.
  expect(await asOf(0, 0)).toBe('a b g');
  expect(await asOf(0, null)).toBe('a b g late');
  // Before anything was known nothing was; of days before the first night what the source says of them.
  const [before] = await desk.query<{ at: string }>(
    `SELECT (min(created_at) - interval '1 microsecond')::text AS at FROM nightshift.ad_changes`,
  );
  expect(
    await read(sql`SELECT FROM reports.ads_as_of(${scanDay(0)}::date, ${before?.at}::timestamptz)`),
  ).toEqual([]);
  expect(await asOf(-40, null)).toBe('a b g old');
  expect(await asOf(-39, null)).toBe('a b g');
  // Missed once an ad still runs, as far as is known; once it has ended, it has not run since it was last seen.
  expect(await asOf(1, 1)).toBe('a b c g');
  expect(await asOf(1, 2)).toBe('a c g late');
  expect(await asOf(2, 2)).toBe('a c g late');
  expect(await asOf(5, null)).toBe('a b c late');
  expect(await asOf(1, null)).toBe('a c late');
});

test('ads_as_of says how an ad looked that day, and since when it runs', async () => {
  const { desk, read } = await openReports();
  const { moments, scans } = await playNights(desk);
  const look = async (day: number, known: SQL) => {
    const [row] = await read(
      sql`SELECT (SELECT v.format FROM reports.ads v WHERE v.version_id = r.version_id LIMIT 1) AS format, ran_from::text,
          ran_to::text, first_scan
        FROM reports.ads_as_of(${scanDay(day)}::date, ${known}) r WHERE creative_id = 'a'`,
    );
    return row;
  };
  const known = { ran_from: '2025-01-01', ran_to: null, first_scan: scans[0]?.publicId };
  expect(await look(1, sql`now()`)).toEqual({ format: 'Text', ...known });
  expect(await look(2, sql`now()`)).toEqual({ format: 'Image', ...known });
  expect(await look(2, sql`${moments[1]}::timestamptz`)).toEqual({ format: 'Text', ...known });
  const [gone] = await read(
    sql`SELECT ran_to::text FROM reports.ads_as_of(${scanDay(0)}::date) WHERE creative_id = 'g'`,
  );
  expect(gone).toEqual({ ran_to: scanDay(0) });
});

test('what ran at the end of a day, as was known then, is the count of that day', async () => {
  const { desk, read } = await openReports();
  const { moments } = await playNights(desk);
  for (const [i, day] of nightDays.entries()) {
    const counted = await read(
      sql`SELECT company_key, count(*)::integer AS ads_active FROM reports.ads_as_of(${scanDay(day)}::date, ${moments[i]}::timestamptz)
        WHERE ran_to IS NULL GROUP BY 1 ORDER BY 1`,
    );
    const daily = await read(
      sql`SELECT company_key, ads_active FROM reports.ads_daily WHERE day = ${scanDay(day)} AND ads_active > 0 ORDER BY 1`,
    );
    expect(counted).toEqual(daily);
  }
});

test('the reader sees every account, and each by its name', async () => {
  const { desk, read } = await openReports();
  await playNights(desk);
  const [other] = await desk.query<{ id: string }>(`SELECT nightshift.create_account('other') AS id`);
  await desk.query(`UPDATE nightshift.schedules SET account_id = $1`, [other?.id]);
  for (const view of ['schedules', 'scan_companies', 'ads_current', 'ads_daily', 'ads_changes'])
    expect(await read(sql`SELECT DISTINCT account FROM reports.${sql.raw(view)}`)).toEqual([
      { account: 'other' },
    ]);
});

test('a company that nobody could identify is told, though nothing is known of it', async () => {
  const { desk, read } = await openReports();
  const schedule = await desk.addSchedule('rivals', ['acme.com']);
  await desk.play(schedule, 0, { 'acme.com': noMatch });
  await desk.evaluate();
  expect(await read(sql`SELECT completeness, is_baseline, outcome FROM reports.scan_companies`)).toEqual([
    { completeness: 'unconfirmed_empty', is_baseline: false, outcome: 'no_match' },
  ]);
  expect(await read(sql`SELECT FROM reports.ads_current`)).toEqual([]);
});
