import { sql } from 'drizzle-orm';
import type { ShownIn } from '../../../src/core/ads/ads-answer.ts';
import { shortId } from '../../../src/core/companies/platform-id.ts';
import {
  candidatesMax,
  type AdvertiserCandidates,
  type CompanyKeys,
  type SnapshotAdvertiser,
  type SnapshotName,
} from '../../../src/core/sources/snapshot-store.ts';
import { group } from '../../../src/core/group.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, ints, texts } from '../sql/arrays.ts';
import { wordNumber } from './word-number.ts';

/**
 * Runs at most five statements, however many companies there are; two if no company is mapped and none has too many candidates. Each takes an
 * array of keys (`= ANY`, or one probe of an index for each); the results are assigned to companies here. So there is no join whose plan could
 * be bad on a table that was just loaded.
 */
export async function findCandidates(
  db: Sql,
  snapshotId: number,
  companies: readonly CompanyKeys[],
): Promise<readonly AdvertiserCandidates[]> {
  const mapped = await findIds(db, snapshotId, unique(companies.flatMap(advertiserIdsOf)));
  const found = await findByWords(db, snapshotId, companies);
  const advertisers = await findAdvertisers(db, unique(found.flatMap(({ keys }) => keys)));
  return companies.map(({ mapping }, i) => ({
    mapped: mapping.map(({ role, advertiserId }) => ({
      role,
      advertiserKey: mapped.get(shortId(advertiserId)) ?? null,
    })),
    advertisers: (found[i]?.keys ?? []).flatMap((key) => advertisers.get(key) ?? []),
    isBounded: found[i]?.isBounded === true,
  }));
}

/** Keys of the advertisers that share a word with a company. */
interface Found {
  readonly keys: readonly bigint[];
  readonly isBounded: boolean;
}

async function findByWords(
  db: Sql,
  snapshotId: number,
  companies: readonly CompanyKeys[],
): Promise<readonly Found[]> {
  const numbers = companies.map(({ words }) => words.map(wordNumber));
  const byWord = await findWords(db, snapshotId, unique(numbers.flat()));
  const found = numbers.map((words) => unique(words.flatMap((word) => byWord.get(word) ?? [])));
  const exact = await findExact(
    db,
    snapshotId,
    companies.filter((_, i) => isTooMany(found[i])),
  );
  return companies.map((company, i) => {
    const keys = found[i] ?? [];
    return isTooMany(keys)
      ? { keys: sorted(exact.get(company) ?? []), isBounded: true }
      : { keys: sorted(keys), isBounded: false };
  });
}

function isTooMany(keys: readonly bigint[] | undefined): boolean {
  return keys !== undefined && keys.length > candidatesMax;
}

function sorted(keys: readonly bigint[]): readonly bigint[] {
  return [...keys].sort((one, other) => (one < other ? -1 : 1));
}

/** At most one advertiser more than the maximum for each word. */
async function findWords(
  db: Sql,
  snapshotId: number,
  words: readonly number[],
): Promise<ReadonlyMap<number, readonly bigint[]>> {
  if (words.length === 0) return new Map();
  const { rows } = await db.execute<{ word: number; advertiser_key: string }>(
    sql`SELECT u.word, w.advertiser_key FROM unnest(${ints(words)}) AS u(word)
      CROSS JOIN LATERAL (
        SELECT n.advertiser_key FROM nightshift.advertiser_words n
        WHERE n.word = u.word AND n.snapshot_id = ${snapshotId}
        ORDER BY n.advertiser_key LIMIT ${candidatesMax + 1}
      ) w`,
  );
  return group(rows, (row) => [row.word, BigInt(row.advertiser_key)]);
}

/** For companies with too many candidates: the advertisers whose whole name is the company's, or its domain's label. */
async function findExact(
  db: Sql,
  snapshotId: number,
  companies: readonly CompanyKeys[],
): Promise<ReadonlyMap<CompanyKeys, readonly bigint[]>> {
  if (companies.length === 0) return new Map();
  const named = await findNamed(db, snapshotId, unique(companies.flatMap((company) => company.nameKeys)));
  const labelled = await findLabelled(
    db,
    snapshotId,
    unique(companies.flatMap((company) => company.labelKeys)),
  );
  return new Map(
    companies.map((company) => [
      company,
      unique([
        ...company.nameKeys.flatMap((key) => named.get(key) ?? []),
        ...company.labelKeys.flatMap((key) => labelled.get(key) ?? []),
      ]).slice(0, candidatesMax),
    ]),
  );
}

async function findAdvertisers(
  db: Sql,
  keys: readonly bigint[],
): Promise<ReadonlyMap<bigint, SnapshotAdvertiser>> {
  if (keys.length === 0) return new Map();
  const { rows } = await db.execute<AdvertiserRow>(
    sql`SELECT d.id, d.advertiser_id, d.disclosed_name, d.legal_name, d.location, coalesce(a.ads, 0) AS ads_count
      FROM nightshift.advertisers d LEFT JOIN nightshift.answers a ON a.id = d.answer_id
      WHERE d.id = ANY (${bigints(keys)})`,
  );
  return new Map(rows.map((row) => [BigInt(row.id), toAdvertiser(row)]));
}

interface AdvertiserRow extends Record<string, unknown> {
  readonly id: string;
  readonly advertiser_id: string;
  readonly disclosed_name: string | null;
  readonly legal_name: string | null;
  readonly location: string | null;
  readonly ads_count: number;
}

function toAdvertiser(row: AdvertiserRow): SnapshotAdvertiser {
  return {
    key: BigInt(row.id),
    advertiserId: row.advertiser_id,
    disclosedName: row.disclosed_name,
    legalName: row.legal_name,
    location: row.location,
    adsCount: row.ads_count,
  };
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
