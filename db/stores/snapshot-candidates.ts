import { sql } from 'drizzle-orm';
import type { AdvertiserCandidates, CompanyKeys } from '../../src/core/ads/snapshot-store.ts';
import type { Sql } from '../client.ts';
import { texts } from './arrays.ts';

interface Scope {
  readonly snapshotId: number;
  readonly accountId: number;
}

type Mapped = AdvertiserCandidates['mapped'][number];

/**
 * Three statements at most, however many companies. Each asks with an array of keys (`= ANY`) and gives what has one of them; which
 * company that is for is put together here. So there is no join whose plan could go wrong on a table that was just loaded.
 */
export async function findCandidates(
  db: Sql,
  scope: Scope,
  companies: readonly CompanyKeys[],
): Promise<readonly AdvertiserCandidates[]> {
  const mapped = await findMapped(db, scope, unique(companies.map((company) => company.companyKey)));
  const named = await findNamed(db, scope, unique(companies.flatMap((company) => company.nameKeys)));
  const labelled = await findLabelled(db, scope, unique(companies.flatMap((company) => company.labelKeys)));
  return companies.map(({ companyKey, nameKeys, labelKeys }) => ({
    mapped: mapped.get(companyKey) ?? [],
    named: unique(nameKeys.flatMap((key) => named.get(key) ?? [])),
    labelled: unique(labelKeys.flatMap((key) => labelled.get(key) ?? [])),
  }));
}

async function findMapped(
  db: Sql,
  { snapshotId, accountId }: Scope,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly Mapped[]>> {
  const found = await db.execute<{
    company_key: string;
    role: Mapped['role'];
    advertiser_key: string | null;
  }>(
    sql`SELECT m.company_key, m.role, a.id AS advertiser_key
      FROM nightshift.company_advertisers m
      LEFT JOIN nightshift.advertisers a ON a.snapshot_id = ${snapshotId} AND a.advertiser_id = m.advertiser_id
      WHERE m.account_id = ${accountId} AND m.company_key = ANY (${texts(keys)})
      ORDER BY a.id`,
  );
  return group(found.rows, (row) => [
    row.company_key,
    { role: row.role, advertiserKey: row.advertiser_key === null ? null : BigInt(row.advertiser_key) },
  ]);
}

type Keyed = ReadonlyMap<string, readonly bigint[]>;

async function findNamed(db: Sql, { snapshotId }: Scope, keys: readonly string[]): Promise<Keyed> {
  if (keys.length === 0) return new Map();
  const found = await db.execute<{ key: string; advertiser_key: string }>(
    sql`SELECT name_key AS key, advertiser_key FROM nightshift.advertiser_names
      WHERE snapshot_id = ${snapshotId} AND name_key = ANY (${texts(keys)})
      ORDER BY advertiser_key`,
  );
  return group(found.rows, (row) => [row.key, BigInt(row.advertiser_key)]);
}

async function findLabelled(db: Sql, { snapshotId }: Scope, keys: readonly string[]): Promise<Keyed> {
  if (keys.length === 0) return new Map();
  const found = await db.execute<{ key: string; advertiser_key: string }>(
    sql`SELECT replace(name_key, ' ', '') AS key, advertiser_key FROM nightshift.advertiser_names
      WHERE snapshot_id = ${snapshotId} AND replace(name_key, ' ', '') = ANY (${texts(keys)})
      ORDER BY advertiser_key`,
  );
  return group(found.rows, (row) => [row.key, BigInt(row.advertiser_key)]);
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
