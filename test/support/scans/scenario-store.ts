import { roundRows, versionRows, type LookupRow, type ScanRow, type VersionRow } from './scenario-rows.ts';
import type { Scenario } from './scenario.ts';
import type { TestDatabase } from '../db/database.ts';

export type Query = <Row extends object>(
  text: string,
  ...values: readonly unknown[]
) => Promise<readonly Row[]>;

/**
 * Stores scenarios like the producer, the workers and the dispatcher: one schedule each, by the number of the scenario, with
 * ended scans that are not evaluated.
 */
export async function openScenarioStore(database: TestDatabase, stories: readonly Scenario[]) {
  const query: Query = async <Row extends object>(text: string, ...values: readonly unknown[]) =>
    (await database.owner.pool.query<Row>(text, [...values])).rows;
  await addSchedules(query, stories);
  await addVersions(query, versionRows(stories));
  const rounds = roundRows(stories);
  return {
    query,
    rounds: rounds.length,
    /** Stores a round of all scenarios, counted from 0. */
    storeRound: async (number: number): Promise<void> => {
      const { scans = [], lookups = [], retried = [] } = rounds[number] ?? {};
      await addScans(query, scans);
      await addLookups(query, lookups);
      await query(
        `UPDATE nightshift.scans SET retried_at = clock_timestamp() WHERE public_id = ANY ($1)`,
        retried.map((key) => `scn_${key}`),
      );
      await query('ANALYZE');
    },
    /** Counts the scans that were not evaluated since the last round. */
    countWaiting: async (): Promise<number> => {
      const rows = await query<{ waiting: number }>(
        `SELECT count(*)::integer AS waiting FROM nightshift.scans WHERE evaluated_at IS NULL OR retried_at IS NOT NULL`,
      );
      return rows[0]?.waiting ?? 0;
    },
  };
}

async function addSchedules(query: Query, stories: readonly Scenario[]): Promise<void> {
  await query(
    `INSERT INTO nightshift.schedules (id, public_id, account_id, name, cron, time_zone, file_name, file_content, file_options, companies, sources,
      misses_to_end, stale_days, next_at) OVERRIDING SYSTEM VALUE
    SELECT 1000 + s.no, 'sch_' || s.no, a.id, 'story ' || s.no, '0 2 * * *', 'UTC', 'list.csv', '', '{}', 3, '{main}', s.misses_to_end,
      s.stale_days, now() + interval '1 day'
    FROM jsonb_to_recordset($1::jsonb) AS s(no integer, misses_to_end integer, stale_days integer)
    JOIN nightshift.accounts a ON a.name = 'default'`,
    JSON.stringify(
      stories.map(({ settings }, no) => ({
        no,
        misses_to_end: settings.missesToEnd,
        stale_days: settings.staleDays,
      })),
    ),
  );
}

async function addVersions(query: Query, versions: readonly VersionRow[]): Promise<void> {
  const rows = `jsonb_to_recordset($1::jsonb) AS v(hash text, fixture integer, ad integer, has_ids boolean, version integer, observation text)`;
  const textHash = `sha256(convert_to(v.fixture || '/' || v.ad, 'UTF8'))`;
  await query(
    `INSERT INTO nightshift.ads (advertiser_id, creative_id, text_hash)
    SELECT DISTINCT CASE WHEN v.has_ids THEN 'AR-' || v.fixture END, CASE WHEN v.has_ids THEN 'CR-' || v.ad END,
      CASE WHEN NOT v.has_ids THEN ${textHash} END
    FROM ${rows}`,
    JSON.stringify(versions),
  );
  // The name of the advertiser is not part of the content hash: versions with the same hash differ in it.
  await query(
    `INSERT INTO nightshift.ad_versions (ad_id, content_hash, advertiser_name, format, headline)
    SELECT i.id, decode(v.hash, 'hex'), v.version, 'Text', v.observation
    FROM ${rows} JOIN nightshift.ads i ON CASE WHEN v.has_ids THEN i.advertiser_id = 'AR-' || v.fixture AND i.creative_id = 'CR-' || v.ad
      ELSE i.text_hash = ${textHash} END`,
    JSON.stringify(versions),
  );
}

async function addScans(query: Query, scans: readonly ScanRow[]): Promise<void> {
  const rows = `jsonb_to_recordset($1::jsonb) AS s(key text, schedule integer, scan integer)`;
  await query(
    `INSERT INTO nightshift.batches (public_id, account_id, file_name, state, identity, is_current, content_sha256, operations, header,
      column_map, sources, loaded_at, finished_at)
    SELECT 'bat_' || s.key, a.id, 'list.csv', 'finished', '', false, '', '{ads_search}', '{}', '{}', '{main}', now(), now()
    FROM ${rows} JOIN nightshift.accounts a ON a.name = 'default'`,
    JSON.stringify(scans),
  );
  await query(
    `INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, batch_id, begun_at, finished_at)
    SELECT 'scn_' || s.key, b.account_id, 1000 + s.schedule, now(), 'manual', 'finished', b.id, now(), now()
    FROM ${rows} JOIN nightshift.batches b ON b.public_id = 'bat_' || s.key ORDER BY s.schedule, s.scan`,
    JSON.stringify(scans),
  );
}

async function addLookups(query: Query, lookups: readonly LookupRow[]): Promise<void> {
  const ads = lookups.flatMap(({ id, ads: own }) => own.map((ad) => ({ id, ...ad })));
  await query(
    `WITH seen AS (
      SELECT l.id, l.ord, v.id AS version_id, l.start, l.last_seen
      FROM jsonb_to_recordset($2::jsonb) AS l(id bigint, ord integer, hash text, start date, last_seen date)
      JOIN nightshift.ad_versions v ON v.content_hash = decode(l.hash, 'hex')
    ), given AS (
      SELECT s.* FROM (
        SELECT array_agg(id ORDER BY ord) AS keys, array_agg(version_id ORDER BY ord) AS versions,
          array_agg(start ORDER BY ord) AS starts, array_agg(last_seen ORDER BY ord) AS last_days FROM seen
      ) n
      CROSS JOIN LATERAL nightshift.store_answers(n.keys, n.versions, n.starts, n.last_days) s
    )
    INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, generation, company_domain, outcome, reason, source,
      source_results, partial, truncated, ads_count, ended_at, observed_at, repeats, answer_id, newest_day)
    SELECT l.id, b.account_id, b.id, 'ads_search', l.company, l.generation, substr(l.company, 3), l.outcome, l.reason, l.source,
      nullif(l.asked, 'null'), l.partial, l.truncated, jsonb_array_length(l.ads), l.ended_at, l.observed_at, l.repeats, g.answer_id, g.newest_day
    FROM jsonb_to_recordset($1::jsonb) AS l(id bigint, key text, company text, generation smallint, outcome text, reason text,
      source text, asked jsonb, partial boolean, truncated boolean, ended_at timestamptz, observed_at timestamptz, repeats bigint, ads jsonb)
    JOIN nightshift.batches b ON b.public_id = 'bat_' || l.key
    LEFT JOIN given g ON g.key = l.id`,
    JSON.stringify(lookups),
    JSON.stringify(ads.map((ad, ord) => ({ ...ad, ord }))),
  );
}
