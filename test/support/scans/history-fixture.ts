import type { ChangeKind, ChangeReason } from '../../../src/core/changes/ad-change.ts';
import type { Completeness } from '../../../src/core/changes/observation.ts';
import type { TestDatabase } from '../db/database.ts';

/** A change of an ad, named by its creative. Omitted fields follow from the kind. */
export interface FixtureChange {
  readonly kind: ChangeKind;
  readonly ad: string;
  readonly reason?: ChangeReason;
  /** Number of the content hash of its versions now and before; from 1. Default 1. */
  readonly observation?: number;
  readonly observationBefore?: number;
  readonly isActive?: boolean;
  readonly ranFrom?: string;
  readonly ranTo?: string;
  /** Runs behind the change, counted from 1. Default: its own run. */
  readonly restsOn?: readonly number[];
}

/** Observation of one company in a run. */
export interface FixtureObservation {
  /** Default: `complete`. */
  readonly completeness?: Completeness;
  readonly changes?: readonly FixtureChange[];
  /** Running ads that it does not contain. */
  readonly missed?: readonly string[];
  /** Time of the source's answer. Default: 2 o'clock of the run's day. */
  readonly observedAt?: string;
}

/** A scan with all its results. */
export interface FixtureRun {
  /** `YYYY-MM-DD`; the scan is due at 2 o'clock UTC, and evaluated an hour later, unless `knownAt` says otherwise. */
  readonly day: string;
  readonly knownAt?: string;
  /** Observations by company key. */
  readonly observations: Readonly<Record<string, FixtureObservation>>;
  /** Number of companies without a result. */
  readonly failed?: number;
}

/** A schedule whose history a test writes into the tables, run by run. */
export interface FixtureHistory {
  readonly schedule: string;
  readonly publicId: string;
  /** Writes a run. Returns the public id of its scan. */
  readonly run: (run: FixtureRun) => Promise<string>;
  /** Adds the results of a retry of companies to a run, counted from 1. */
  readonly retry: (nth: number, run: FixtureRun) => Promise<void>;
  /** Writes a tick without a scan. */
  readonly addTickWithoutScan: (day: string, state: 'skipped' | 'missed', reason: string) => Promise<string>;
  readonly remove: (at: string) => Promise<void>;
}

/** Adds a schedule of daily scans to an account, without a history. */
export async function openHistory(
  { owner }: Pick<TestDatabase, 'owner'>,
  { schedule, account = 'default' }: { readonly schedule: string; readonly account?: string },
): Promise<FixtureHistory> {
  const write = <Row>(sql: string, values: readonly unknown[]) =>
    owner.pool.query<Row & object>(sql, [...values]).then(({ rows }) => rows);
  const made = await write<{ id: string; public_id: string }>(scheduleSql, [schedule, account]);
  const { id: scheduleId, public_id: publicId } = onlyOf(made);
  const scanIds: string[] = [];

  async function writeScan(day: string, run: FixtureRun | null, state: string, reason: string | null) {
    const scan = onlyOf(
      await write<{ id: string; public_id: string }>(run === null ? tickSql : scanSql, [
        scheduleId,
        `${day}T02:00:00Z`,
        state,
        reason,
        ...(run === null ? [] : [knownAtOf(run), Object.keys(run.observations).length, run.failed ?? 0]),
      ]),
    );
    scanIds.push(scan.id);
    return scan;
  }

  async function writeObservation(
    scanId: string,
    run: FixtureRun,
    companyKey: string,
    observation: FixtureObservation,
  ) {
    const { changes = [], missed = [], completeness = 'complete' } = observation;
    const observedAt = observation.observedAt ?? `${run.day}T02:00:00Z`;
    const place = [scanId, companyKey];
    for (const change of changes) {
      const { kind, ad, reason = null, ranFrom = null, ranTo = null } = change;
      const restsOn = change.restsOn?.map((nth) => scanIds[nth - 1] ?? null) ?? [scanId];
      const isActive = change.isActive ?? kind !== 'ended';
      const observations = [change.observation ?? 1, change.observationBefore ?? null];
      const reported = [kind, reason, ad, ...observations, isActive, ranFrom, ranTo, restsOn];
      await write(changeSql, [...place, ...reported, observedAt, knownAtOf(run)]);
    }
    await write(seenSql, [...place, missed]);
    await write(observationSql, [...place, completeness, observedAt, knownAtOf(run)]);
  }

  async function writeObservations(scanId: string, run: FixtureRun) {
    for (const [companyKey, observation] of Object.entries(run.observations)) {
      await writeObservation(scanId, run, companyKey, observation);
    }
  }

  return {
    schedule,
    publicId,
    run: async (run) => {
      const scan = await writeScan(run.day, run, 'finished', null);
      await writeObservations(scan.id, run);
      return scan.public_id;
    },
    retry: async (nth, run) => {
      const scanId = scanIds[nth - 1] ?? '';
      await write(retrySql, [scanId, knownAtOf(run)]);
      await writeObservations(scanId, run);
    },
    addTickWithoutScan: async (day, state, reason) => (await writeScan(day, null, state, reason)).public_id,
    remove: async (at) => {
      await write(removeSql, [scheduleId, at]);
    },
  };
}

function knownAtOf({ day, knownAt = `${day}T03:00:00Z` }: FixtureRun): string {
  return knownAt;
}

function onlyOf<T>([row]: readonly T[]): T {
  if (row === undefined) throw new Error('Nothing was written.');
  return row;
}

const scheduleSql = `
  INSERT INTO nightshift.schedules (public_id, account_id, name, cron, time_zone, file_name, file_content, file_options, companies, sources,
    max_credits_micro, next_at, created_at)
  SELECT nightshift.new_id('sch'), id, $1, '0 2 * * *', 'UTC', 'competitors.csv', '', '{}', 2, ARRAY['upstream'], 2500000,
    '2099-01-01', '2026-02-28Z'
  FROM nightshift.accounts WHERE name = $2
  RETURNING id, public_id`;

const tickSql = `
  INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, reason)
  SELECT nightshift.new_id('scn'), account_id, id, $2, 'tick', $3, $4 FROM nightshift.schedules WHERE id = $1
  RETURNING id, public_id`;

/** Scan with a batch of this many companies, of which the last ones failed; each of the others was charged 0.2 credits. */
const scanSql = `
  WITH batch AS (
    INSERT INTO nightshift.batches (public_id, account_id, file_name, identity, content_sha256, operations, header, column_map, sources,
      state, lookups_total)
    SELECT nightshift.new_id('bat'), account_id, file_name, uuid_send(gen_random_uuid()), '', '{ads_search}', '{company}', '{}',
      sources, 'finished', $6::integer + $7::integer
    FROM nightshift.schedules WHERE id = $1
    RETURNING id, account_id
  ), chunk AS (
    INSERT INTO nightshift.chunks (account_id, batch_id, first_lookup_id, last_lookup_id, state, price_micro, lookups, found, failed,
      charged_micro)
    SELECT account_id, id, 1, 1, 'done', 200000, $6::integer + $7::integer, $6, $7, 200000 * $6 FROM batch
  )
  INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, reason, batch_id, created_at, begun_at,
    finished_at, evaluated_at, evaluations)
  SELECT nightshift.new_id('scn'), account_id, $1, $2::timestamptz, 'tick', $3, $4, id, $2, $2, $2::timestamptz + interval '30 min',
    $5, 1
  FROM batch
  RETURNING id, public_id`;

const retrySql = `
  UPDATE nightshift.scans SET evaluated_at = $2, evaluations = evaluations + 1 WHERE id = $1`;

const changeSql = `
  WITH scan AS (SELECT * FROM nightshift.scans WHERE id = $1),
  fresh_ad AS (
    INSERT INTO nightshift.ads (advertiser_id, creative_id) VALUES ('AR-' || replace($2, ':', '-'), $5) ON CONFLICT DO NOTHING RETURNING id
  ),
  ad AS (
    SELECT id FROM fresh_ad UNION ALL
    SELECT id FROM nightshift.ads WHERE advertiser_id = 'AR-' || replace($2, ':', '-') AND creative_id = $5
  ),
  fresh_version AS (
    INSERT INTO nightshift.ad_versions (ad_id, content_hash, advertiser_name, format, original_url, headline)
    SELECT id, sha256(l::text::bytea), 'Advertiser of ' || $2, 'Image', 'https://ads.example/' || $5, $5 || ', version ' || l
    FROM ad, unnest(ARRAY[$6, $7]::integer[]) AS l WHERE l IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING id, ad_id, content_hash
  ),
  version AS (
    SELECT * FROM fresh_version UNION ALL
    SELECT v.id, v.ad_id, v.content_hash FROM nightshift.ad_versions v JOIN ad ON v.ad_id = ad.id
  ),
  tracked AS (
    INSERT INTO nightshift.tracked_ad_rows AS t (schedule_id, company_key, ad_id, is_active, first_scan_id, last_scan_id, version_id, source,
      content_hash, day, start, last_seen)
    SELECT scan.schedule_id, $2, v.ad_id, $8, scan.id, scan.id, v.id, 'upstream', v.content_hash, ($12::timestamptz AT TIME ZONE 'UTC')::date, $9, $10
    FROM scan, version v WHERE v.content_hash = sha256($6::text::bytea)
    ON CONFLICT (schedule_id, company_key, ad_id)
      DO UPDATE SET is_active = excluded.is_active, version_id = excluded.version_id, content_hash = excluded.content_hash
  )
  INSERT INTO nightshift.ad_changes (scan_id, company_key, ad_id, account_id, schedule_id, kind, reason, version_id, version_before,
    is_active, ran_from, ran_to, rests_on, observed_at, created_at)
  SELECT scan.id, $2, v.ad_id, scan.account_id, scan.schedule_id, $3, $4, v.id,
    (SELECT b.id FROM version b WHERE b.content_hash = sha256($7::text::bytea)), $8, $9, $10, $11, $12::timestamptz, $13
  FROM scan, version v WHERE v.content_hash = sha256($6::text::bytea)`;

/** Marks the running ads of a company as seen or missed in this run. */
const seenSql = `
  UPDATE nightshift.tracked_ad_rows t
  SET last_scan_id = CASE WHEN i.creative_id = ANY ($3) THEN t.last_scan_id ELSE n.id END,
    missed_in = CASE WHEN i.creative_id = ANY ($3) THEN t.missed_in || n.id ELSE '{}' END
  FROM nightshift.scans n, nightshift.ads i
  WHERE n.id = $1 AND t.schedule_id = n.schedule_id AND t.company_key = $2 AND i.id = t.ad_id AND t.is_active`;

const observationSql = `
  WITH tracked AS (
    INSERT INTO nightshift.tracked_companies AS t (schedule_id, company_key, baseline_scan_id, last_scan_id, last_observed_at, last_day,
      last_outcome, last_sources, conclusive_day, conclusive_completeness, conclusive_sources)
    SELECT schedule_id, $2, id, id, $4::timestamptz, ($4::timestamptz AT TIME ZONE 'UTC')::date, 'found', '{upstream}',
      ($4::timestamptz AT TIME ZONE 'UTC')::date, $3, '{upstream}' FROM nightshift.scans WHERE id = $1
    ON CONFLICT (schedule_id, company_key) DO UPDATE SET last_scan_id = excluded.last_scan_id
    RETURNING baseline_scan_id
  )
  INSERT INTO nightshift.scan_companies (scan_id, company_key, schedule_id, lookup_id, completeness, is_baseline, source, observed_at, day,
    ads_active, created_at)
  SELECT n.id, $2, n.schedule_id, 1, $3, t.baseline_scan_id = n.id, 'upstream', $4::timestamptz,
    ($4::timestamptz AT TIME ZONE 'UTC')::date,
    (SELECT count(*) FROM nightshift.tracked_ads a WHERE a.schedule_id = n.schedule_id AND a.company_key = $2 AND a.is_active), $5
  FROM nightshift.scans n, tracked t WHERE n.id = $1`;

const removeSql = `
  UPDATE nightshift.schedules SET state = 'removed', next_at = NULL, state_since = $2 WHERE id = $1`;
