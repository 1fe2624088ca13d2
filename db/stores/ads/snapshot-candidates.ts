import { sql } from 'drizzle-orm';
import { shortId } from '../../../src/core/companies/platform-id.ts';
import type { ShownIn } from '../../../src/core/ads/ads-answer.ts';
import type {
  AdvertiserCandidates,
  CompanyKeys,
  SnapshotName,
} from '../../../src/core/sources/snapshot-store.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, texts } from '../sql/arrays.ts';

/**
 * Runs at most three statements, however many companies there are. Each takes an array of keys (`= ANY`); the results are
 * assigned to companies here. So there is no join whose plan could be bad on a table that was just loaded.
 */
export async function findCandidates(
  db: Sql,
  snapshotId: number,
  companies: readonly CompanyKeys[],
): Promise<readonly AdvertiserCandidates[]> {
  const mapped = await findIds(db, snapshotId, unique(companies.flatMap(advertiserIdsOf)));
  const named = await findNamed(db, snapshotId, unique(companies.flatMap((company) => company.nameKeys)));
  const labelled = await findLabelled(
    db,
    snapshotId,
    unique(companies.flatMap((company) => company.labelKeys)),
  );
  return companies.map(({ mapping, nameKeys, labelKeys }) => ({
    mapped: mapping.map(({ role, advertiserId }) => ({
      role,
      advertiserKey: mapped.get(shortId(advertiserId)) ?? null,
    })),
    named: unique(nameKeys.flatMap((key) => named.get(key) ?? [])),
    labelled: unique(labelKeys.flatMap((key) => labelled.get(key) ?? [])),
  }));
}

function advertiserIdsOf({ mapping }: CompanyKeys): readonly string[] {
  return mapping.map(({ advertiserId }) => shortId(advertiserId));
}

async function findIds(
  db: Sql,
  snapshotId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  if (ids.length === 0) return new Map();
  const found = await db.execute<{ advertiser_id: string; id: string }>(
    sql`SELECT advertiser_id, id FROM nightshift.advertisers
      WHERE snapshot_id = ${snapshotId} AND advertiser_id = ANY (${texts(ids)})`,
  );
  return new Map(found.rows.map((row) => [row.advertiser_id, BigInt(row.id)]));
}

type Keyed = ReadonlyMap<string, readonly bigint[]>;

async function findNamed(db: Sql, snapshotId: number, keys: readonly string[]): Promise<Keyed> {
  if (keys.length === 0) return new Map();
  const found = await db.execute<{ key: string; advertiser_key: string }>(
    sql`SELECT name_key AS key, advertiser_key FROM nightshift.advertiser_names
      WHERE snapshot_id = ${snapshotId} AND name_key = ANY (${texts(keys)})
      ORDER BY advertiser_key`,
  );
  return group(found.rows, (row) => [row.key, BigInt(row.advertiser_key)]);
}

async function findLabelled(db: Sql, snapshotId: number, keys: readonly string[]): Promise<Keyed> {
  if (keys.length === 0) return new Map();
  const found = await db.execute<{ key: string; advertiser_key: string }>(
    sql`SELECT replace(name_key, ' ', '') AS key, advertiser_key FROM nightshift.advertiser_names
      WHERE snapshot_id = ${snapshotId} AND replace(name_key, ' ', '') = ANY (${texts(keys)})
      ORDER BY advertiser_key`,
  );
  return group(found.rows, (row) => [row.key, BigInt(row.advertiser_key)]);
}

/** The advertisers of a data set that have an ad shown there. */
export async function findShown(
  db: Sql,
  name: SnapshotName,
  keys: readonly bigint[],
  { region, surface }: ShownIn,
): Promise<ReadonlySet<bigint>> {
  if (keys.length === 0) return new Set();
  const { rows } = await db.execute<{ key: string }>(
    sql`SELECT k.key FROM unnest(${bigints(unique(keys))}) AS k(key)
      WHERE EXISTS (SELECT FROM nightshift.snapshot_ads a
        CROSS JOIN LATERAL nightshift.ad_shown(a.ad_id, ${name}, ${region}, ${surface}) s WHERE a.advertiser_key = k.key)`,
  );
  return new Set(rows.map((row) => BigInt(row.key)));
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

function group<Row, Value>(
  rows: readonly Row[],
  entryOf: (row: Row) => readonly [string, Value],
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const row of rows) {
    const [key, value] = entryOf(row);
    const values = groups.get(key);
    if (values === undefined) groups.set(key, [value]);
    else values.push(value);
  }
  return groups;
}
