import { sql, type SQL } from 'drizzle-orm';
import type { Since } from '../../src/core/read-since.ts';
import type { ChangeKind, ChangeReason } from '../../src/core/scans/ad-change.ts';
import type {
  ChangeCursor,
  ChangeFilter,
  ChangeList,
  ListedChange,
} from '../../src/core/scans/change-list.ts';
import { withDatabase, type Sql } from '../client.ts';
import { texts } from './arrays.ts';
import { isNamed, noSuchSchedule } from './schedule-rows.ts';

/** The changes that the scans of an account found. */
export function createChangeList(db: Sql): ChangeList {
  return {
    list: (accountId, filter, page) => withDatabase(() => listChanges(db, accountId, filter, page)),
    count: (accountId, filter) => withDatabase(() => countChanges(db, accountId, filter)),
  };
}

interface ChangeRow extends Record<string, unknown> {
  readonly scan_id: string;
  readonly ad_id: string;
  readonly company_key: string;
  readonly company_domain: string | null;
  readonly company_name: string | null;
  readonly schedule: string;
  readonly schedule_id: string;
  readonly scan: string;
  readonly due_at: string;
  readonly kind: ChangeKind;
  readonly reason: ChangeReason | null;
  readonly advertiser_id: string | null;
  readonly creative_id: string | null;
  readonly advertiser_name: string | null;
  readonly format: string | null;
  readonly headline: string | null;
  readonly original_url: string | null;
  readonly version_id: string;
  readonly version_before: string | null;
  readonly is_active: boolean;
  readonly ran_from: string | null;
  readonly ran_to: string | null;
  readonly rests_on: readonly string[];
  readonly observed_at: string;
  readonly created_at: string;
}

async function listChanges(
  db: Sql,
  accountId: number,
  filter: ChangeFilter,
  { limit, after }: { readonly limit: number; readonly after: ChangeCursor | null },
): Promise<readonly ListedChange[]> {
  const wanted = await wantedSql(db, accountId, filter);
  const found = await db.execute<ChangeRow>(
    sql`SELECT c.scan_id, c.ad_id, c.company_key, l.company_domain, l.company_name, s.name AS schedule, s.public_id AS schedule_id,
        n.public_id AS scan, n.due_at, c.kind, c.reason, i.advertiser_id, i.creative_id, v.advertiser_name, v.format, v.headline,
        v.original_url, c.version_id, c.version_before, c.is_active, c.ran_from::text AS ran_from, c.ran_to::text AS ran_to,
        ARRAY(SELECT r.public_id FROM unnest(c.rests_on) WITH ORDINALITY AS o(scan_id, position)
          JOIN nightshift.scans r ON r.id = o.scan_id ORDER BY o.position) AS rests_on,
        c.observed_at, c.created_at
      FROM nightshift.scans n
      JOIN nightshift.schedules s ON s.id = n.schedule_id
      JOIN nightshift.ad_changes c ON c.scan_id = n.id
      JOIN nightshift.ads i ON i.id = c.ad_id
      JOIN nightshift.ad_versions v ON v.id = c.version_id
      LEFT JOIN nightshift.scan_companies k ON k.scan_id = c.scan_id AND k.company_key = c.company_key
      LEFT JOIN nightshift.lookups l ON l.id = k.lookup_id
      WHERE ${wanted} AND ${afterSql(after)}
      ORDER BY n.id DESC, c.company_key COLLATE "C", c.ad_id LIMIT ${limit}`,
  );
  return found.rows.map(toChange);
}

async function countChanges(
  db: Sql,
  accountId: number,
  filter: ChangeFilter,
): Promise<ReadonlyMap<ChangeKind, number>> {
  const wanted = await wantedSql(db, accountId, filter);
  const found = await db.execute<{ kind: ChangeKind; changes: string }>(
    sql`SELECT c.kind, count(*) AS changes FROM nightshift.scans n JOIN nightshift.ad_changes c ON c.scan_id = n.id
      WHERE ${wanted} GROUP BY c.kind`,
  );
  return new Map(found.rows.map(({ kind, changes }) => [kind, Number(changes)]));
}

/** Of scans `n` and their changes `c`. */
async function wantedSql(db: Sql, accountId: number, filter: ChangeFilter): Promise<SQL> {
  const { schedule, kinds, companyKey, since } = filter;
  return sql.join(
    [
      sql`n.account_id = ${accountId} AND c.kind = ANY (${texts(kinds)})`,
      ...(schedule === null
        ? []
        : [sql`n.schedule_id = ${await findSchedule(db, accountId, schedule)}::bigint`]),
      ...(companyKey === null ? [] : [sql`c.company_key = ${companyKey}`]),
      ...(since === null ? [] : [knownSinceSql(since)]),
    ],
    sql` AND `,
  );
}

/** A change is made when its scan is evaluated: a scan that was last evaluated before has none. */
function knownSinceSql(since: Since): SQL {
  const at =
    since.kind === 'age'
      ? sql`now() - ${since.ageMs} * interval '1 millisecond'`
      : sql`${since.at.toISOString()}::timestamptz`;
  return sql`n.evaluated_at >= ${at} AND c.created_at >= ${at}`;
}

/** The name of a removed schedule may be another one's by now. */
async function findSchedule(db: Sql, accountId: number, schedule: string): Promise<string> {
  const found = await db.execute<{ id: string }>(
    sql`SELECT s.id FROM nightshift.schedules s
      WHERE ${isNamed(accountId, schedule)} AND (s.state <> 'removed' OR s.public_id = ${schedule})`,
  );
  const [row] = found.rows;
  if (row === undefined) throw noSuchSchedule(schedule);
  return row.id;
}

function afterSql(after: ChangeCursor | null): SQL {
  if (after === null) return sql`true`;
  const { scanId, companyKey, adId } = after;
  return sql`n.id <= ${scanId}
    AND (n.id < ${scanId} OR (c.company_key COLLATE "C", c.ad_id) > (${companyKey}::text COLLATE "C", ${adId}::bigint))`;
}

function toChange(row: ChangeRow): ListedChange {
  return {
    scanId: BigInt(row.scan_id),
    adId: BigInt(row.ad_id),
    companyKey: row.company_key,
    companyDomain: row.company_domain,
    companyName: row.company_name,
    schedule: row.schedule,
    scheduleId: row.schedule_id,
    scan: row.scan,
    dueAt: new Date(row.due_at),
    kind: row.kind,
    reason: row.reason,
    advertiserId: row.advertiser_id,
    creativeId: row.creative_id,
    advertiserName: row.advertiser_name,
    format: row.format,
    headline: row.headline,
    originalUrl: row.original_url,
    versionId: BigInt(row.version_id),
    versionBefore: row.version_before === null ? null : BigInt(row.version_before),
    isActive: row.is_active,
    ranFrom: row.ran_from,
    ranTo: row.ran_to,
    restsOn: row.rests_on,
    observedAt: new Date(row.observed_at),
    createdAt: new Date(row.created_at),
  };
}
