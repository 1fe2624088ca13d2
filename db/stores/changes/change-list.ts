import assert from 'node:assert/strict';
import { sql, type SQL } from 'drizzle-orm';
import type { Ad } from '../../../src/core/ads/ad.ts';
import type { Since } from '../../../src/core/time/parse-since.ts';
import type { ChangeKind, ChangeReason } from '../../../src/core/changes/ad-change.ts';
import type {
  ChangeFilter,
  ChangeList,
  ChangePlace,
  ListedChange,
  ZonedDay,
} from '../../../src/core/changes/change-list.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';
import { readAdVersions } from '../ads/read-ads.ts';
import { listChangedDays } from './changed-days.ts';
import { findSchedule } from '../schedules/schedule-rows.ts';
import { withZone } from '../sql/with-zone.ts';

/** Store of changes, from `ad_changes`. */
export function createChangeList(db: Sql): ChangeList {
  return {
    list: (accountId, filter, page) => inZoneOf(filter, () => listChanges(db, accountId, filter, page)),
    days: (accountId, filter, page) =>
      withDatabase(() => withZone(filter.timeZone, () => listChangedDays(db, accountId, filter, page))),
    count: (accountId, filter) => inZoneOf(filter, () => countChanges(db, accountId, filter)),
  };
}

function inZoneOf<T>({ day }: ChangeFilter, query: () => Promise<T>): Promise<T> {
  return withDatabase(() => (day === null ? query() : withZone(day.timeZone, query)));
}

interface ChangeRow extends Record<string, unknown> {
  readonly scan_id: string;
  readonly company_key: string;
  readonly ad_id: string;
  readonly schedule: string;
  readonly schedule_id: string;
  readonly scan: string;
  readonly due_at: string;
  readonly time_zone: string;
  readonly company_domain: string | null;
  readonly company_name: string | null;
  readonly kind: ChangeKind;
  readonly reason: ChangeReason | null;
  readonly version_id: string;
  readonly version_before: string | null;
  readonly ran_from: string | null;
  readonly ran_to: string | null;
  readonly rests_on: readonly string[];
  readonly rests_on_at: readonly string[];
  readonly observed_at: string;
  readonly created_at: string;
}

async function listChanges(
  db: Sql,
  accountId: number,
  filter: ChangeFilter,
  { limit, after }: { readonly limit: number; readonly after: ChangePlace | null },
): Promise<readonly ListedChange[]> {
  const conditions = [await filterSql(db, accountId, filter), ...placeSql(after)];
  const { rows } = await db.execute<ChangeRow>(
    sql`SELECT h.scan_id, h.company_key, h.ad_id, c.name AS schedule, c.public_id AS schedule_id, s.public_id AS scan, s.due_at, c.time_zone,
        l.company_domain, l.company_name, h.kind, h.reason, h.version_id, h.version_before, h.ran_from::text AS ran_from, h.ran_to::text AS ran_to,
        to_jsonb(ARRAY(SELECT r.public_id FROM nightshift.scans r WHERE r.id = ANY (h.rests_on) ORDER BY r.id)) AS rests_on,
        to_jsonb(ARRAY(SELECT coalesce(r.begun_at, r.due_at) FROM nightshift.scans r WHERE r.id = ANY (h.rests_on) ORDER BY r.id)) AS rests_on_at,
        h.observed_at, h.created_at
      FROM (
        SELECT h.* FROM nightshift.ad_changes h JOIN nightshift.scans n ON n.id = h.scan_id
        WHERE ${sql.join(conditions, sql` AND `)}
        ORDER BY h.scan_id DESC, h.company_key, h.ad_id LIMIT ${limit}
      ) h
      JOIN nightshift.schedules c ON c.id = h.schedule_id
      JOIN nightshift.scans s ON s.id = h.scan_id
      LEFT JOIN nightshift.scan_companies k ON k.scan_id = h.scan_id AND k.company_key = h.company_key
      LEFT JOIN nightshift.lookups l ON l.id = k.lookup_id
      ORDER BY h.scan_id DESC, h.company_key, h.ad_id`,
  );
  const versions = rows.flatMap(({ version_id: now, version_before: before }) => [
    now,
    ...(before === null ? [] : [before]),
  ]);
  const ads = await readAdVersions(db, versions.map(BigInt));
  return rows.map((row) => toChange(row, ads));
}

async function countChanges(
  db: Sql,
  accountId: number,
  filter: ChangeFilter,
): Promise<ReadonlyMap<ChangeKind, number>> {
  const { rows } = await db.execute<{ kind: ChangeKind; changes: string }>(
    sql`SELECT h.kind, count(*) AS changes FROM nightshift.ad_changes h JOIN nightshift.scans n ON n.id = h.scan_id
      WHERE ${await filterSql(db, accountId, filter)} GROUP BY h.kind`,
  );
  return new Map(rows.map(({ kind, changes }) => [kind, Number(changes)]));
}

/**
 * Conditions on changes `h` and their scans `n`. An index excludes baselines; baselines are found scan by scan, so that an
 * account does not read the changes of other accounts.
 */
async function filterSql(
  db: Sql,
  accountId: number,
  { schedule, kinds, format, companyKey, since, scan, day }: ChangeFilter,
): Promise<SQL> {
  return sql.join(
    [
      sql`h.account_id = ${accountId} AND n.account_id = ${accountId}`,
      ...(kinds?.includes('baseline') === true ? [] : [sql`h.kind <> 'baseline'`]),
      ...(kinds === null ? [] : [sql`h.kind = ANY (${texts(kinds)})`]),
      ...(format === null ? [] : [ofFormatSql(format)]),
      ...(schedule === null ? [] : [ofScheduleSql(await findSchedule(db, accountId, schedule))]),
      ...(companyKey === null ? [] : [sql`h.company_key = ${companyKey}`]),
      ...(since === null ? [] : [sinceSql(since)]),
      ...(scan === null
        ? []
        : [sql`h.scan_id = ANY (ARRAY(${ownScans(accountId)} AND s.public_id = ${scan}))`]),
      ...(day === null ? [] : [sql`h.scan_id = ANY (ARRAY(${ownScans(accountId)} AND ${begunOnSql(day)}))`]),
    ],
    sql` AND `,
  );
}

function ofFormatSql(format: string): SQL {
  return sql`EXISTS (
    SELECT FROM nightshift.ad_versions v WHERE v.id = h.version_id AND lower(v.format) = lower(${format}))`;
}

function ofScheduleSql(scheduleId: number): SQL {
  return sql`h.schedule_id = ${scheduleId} AND n.schedule_id = ${scheduleId}`;
}

/** Read first: there are few scans, and each is found in the index without baselines. */
function ownScans(accountId: number): SQL {
  return sql`SELECT s.id FROM nightshift.scans s WHERE s.account_id = ${accountId}`;
}

function begunOnSql({ day, timeZone }: ZonedDay): SQL {
  const startOf = (each: SQL) => sql`(${each}::timestamp AT TIME ZONE ${timeZone})`;
  return sql`coalesce(s.begun_at, s.due_at) >= ${startOf(sql`${day}::date`)}
    AND coalesce(s.begun_at, s.due_at) < ${startOf(sql`(${day}::date + 1)`)}`;
}

/** A change is determined when its scan is evaluated: a scan whose last evaluation is older has none. */
function sinceSql(since: Since): SQL {
  const at =
    since.kind === 'age'
      ? sql`now() - ${since.ageMs}::double precision * interval '1 millisecond'`
      : sql`${since.at.toISOString()}::timestamptz`;
  return sql`n.evaluated_at >= ${at} AND h.created_at >= ${at}`;
}

function placeSql(after: ChangePlace | null): readonly SQL[] {
  if (after === null) return [];
  const { scanId, companyKey, adId } = after;
  return [
    sql`h.scan_id <= ${scanId}`,
    sql`(h.scan_id < ${scanId} OR (h.company_key, h.ad_id) > (${companyKey}, ${adId}))`,
  ];
}

function toChange(row: ChangeRow, ads: ReadonlyMap<string, Ad>): ListedChange {
  const observation = (versionId: string) => {
    const ad = ads.get(versionId);
    assert(ad !== undefined, `Version ${versionId} of an ad that changed is gone.`);
    return ad;
  };
  return {
    schedule: row.schedule,
    scheduleId: row.schedule_id,
    scan: row.scan,
    dueAt: new Date(row.due_at),
    timeZone: row.time_zone,
    companyKey: row.company_key,
    companyDomain: row.company_domain,
    companyName: row.company_name,
    kind: row.kind,
    reason: row.reason,
    ad: observation(row.version_id),
    before: row.version_before === null ? null : observation(row.version_before),
    ranFrom: row.ran_from,
    ranTo: row.ran_to,
    restsOn: row.rests_on,
    restsOnAt: row.rests_on_at.map((at) => new Date(at)),
    observedAt: new Date(row.observed_at),
    createdAt: new Date(row.created_at),
    place: { scanId: BigInt(row.scan_id), companyKey: row.company_key, adId: BigInt(row.ad_id) },
  };
}
