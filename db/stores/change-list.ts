import assert from 'node:assert/strict';
import { sql, type SQL } from 'drizzle-orm';
import type { Ad } from '../../src/core/ads/ad.ts';
import { NotFound } from '../../src/core/errors.ts';
import type { ChangeKind, ChangeReason } from '../../src/core/scans/ad-change.ts';
import type {
  ChangeFilter,
  ChangeList,
  ChangePlace,
  ListedChange,
} from '../../src/core/scans/change-list.ts';
import { withDatabase, type Sql } from '../client.ts';
import { texts } from './arrays.ts';
import { readAdVersions } from './read-ads.ts';

/** What changed, from `ad_changes`. */
export function createChangeList(db: Sql): ChangeList {
  return {
    list: (accountId, filter, page) => withDatabase(() => listChanges(db, accountId, filter, page)),
  };
}

interface ChangeRow extends Record<string, unknown> {
  readonly scan_id: string;
  readonly company_key: string;
  readonly ad_id: string;
  readonly schedule: string;
  readonly schedule_id: string;
  readonly scan: string;
  readonly company_domain: string | null;
  readonly company_name: string | null;
  readonly kind: ChangeKind;
  readonly reason: ChangeReason | null;
  readonly version_id: string;
  readonly version_before: string | null;
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
  { limit, after }: { readonly limit: number; readonly after: ChangePlace | null },
): Promise<readonly ListedChange[]> {
  const conditions = [
    sql`h.account_id = ${accountId}`,
    ...(await filterSql(db, accountId, filter)),
    ...placeSql(after),
  ];
  const { rows } = await db.execute<ChangeRow>(
    sql`SELECT h.scan_id, h.company_key, h.ad_id, c.name AS schedule, c.public_id AS schedule_id, s.public_id AS scan, l.company_domain,
        l.company_name, h.kind, h.reason, h.version_id, h.version_before, h.ran_from::text AS ran_from, h.ran_to::text AS ran_to,
        to_jsonb(ARRAY(SELECT r.public_id FROM nightshift.scans r WHERE r.id = ANY (h.rests_on) ORDER BY r.id)) AS rests_on,
        h.observed_at, h.created_at
      FROM (
        SELECT * FROM nightshift.ad_changes h WHERE ${sql.join(conditions, sql` AND `)}
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

async function filterSql(
  db: Sql,
  accountId: number,
  { schedule, kinds, companyKey, since, ageMsMax }: ChangeFilter,
): Promise<readonly SQL[]> {
  return [
    // What is asked of news alone is answered from an index of those.
    ...(kinds?.includes('baseline') === true ? [] : [sql`h.kind <> 'baseline'`]),
    ...(kinds === null ? [] : [sql`h.kind = ANY (${texts(kinds)})`]),
    ...(schedule === null ? [] : [sql`h.schedule_id = ${await findSchedule(db, accountId, schedule)}`]),
    ...(companyKey === null ? [] : [sql`h.company_key = ${companyKey}`]),
    ...(since === null ? [] : [sql`h.created_at >= ${since.toISOString()}::timestamptz`]),
    ...(ageMsMax === null
      ? []
      : [sql`h.created_at >= now() - ${ageMsMax}::double precision * interval '1 millisecond'`]),
  ];
}

function placeSql(after: ChangePlace | null): readonly SQL[] {
  if (after === null) return [];
  const { scanId, companyKey, adId } = after;
  return [
    sql`h.scan_id <= ${scanId}`,
    sql`(h.scan_id < ${scanId} OR (h.company_key, h.ad_id) > (${companyKey}, ${adId}))`,
  ];
}

/** By its id also one that was removed: its name may belong to another by now. */
async function findSchedule(db: Sql, accountId: number, named: string): Promise<string> {
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT id FROM nightshift.schedules
      WHERE account_id = ${accountId} AND (public_id = ${named} OR name = ${named} AND state <> 'removed')
      ORDER BY public_id = ${named} DESC LIMIT 1`,
  );
  const [row] = rows;
  if (row === undefined)
    throw new NotFound(
      `There is no schedule ${named}. \`nightshift schedule list\` lists the schedules there are.`,
    );
  return row.id;
}

function toChange(row: ChangeRow, ads: ReadonlyMap<string, Ad>): ListedChange {
  const look = (versionId: string) => {
    const ad = ads.get(versionId);
    assert(ad !== undefined, `Version ${versionId} of an ad that changed is gone.`);
    return ad;
  };
  return {
    schedule: row.schedule,
    scheduleId: row.schedule_id,
    scan: row.scan,
    companyKey: row.company_key,
    companyDomain: row.company_domain,
    companyName: row.company_name,
    kind: row.kind,
    reason: row.reason,
    ad: look(row.version_id),
    before: row.version_before === null ? null : look(row.version_before),
    ranFrom: row.ran_from,
    ranTo: row.ran_to,
    restsOn: row.rests_on,
    observedAt: new Date(row.observed_at),
    createdAt: new Date(row.created_at),
    place: { scanId: BigInt(row.scan_id), companyKey: row.company_key, adId: BigInt(row.ad_id) },
  };
}
