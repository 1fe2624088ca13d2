import { sql, type SQL } from 'drizzle-orm';
import type { Ad } from '../../../src/core/ads/ad.ts';
import type { FoundAds } from '../../../src/core/ads/ads-answer.ts';
import type { Relation } from '../../../src/core/ads/relate.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, ints, texts } from '../sql/arrays.ts';

/** Number of ads that a lookup was given, and the total of its answer. */
export interface GivenAds {
  readonly ads: number;
  readonly total: number;
}

/** Result of a lookup of an account. */
export interface OwnedResult extends LookupResult {
  readonly accountId: number;
}

/**
 * Stores the answers of lookups, each once, and refers each lookup to its answer (`lookup_answers`). Returns the number of ads of
 * each lookup that has any.
 */
export async function referToAnswers(
  db: Sql,
  results: readonly OwnedResult[],
): Promise<ReadonlyMap<bigint, GivenAds>> {
  const matches = results.flatMap(toMatch);
  return new Map([
    ...(await referToAdvertiser(db, matches.filter(hasOneAdvertiser))),
    ...(await mergeAdvertisers(
      db,
      matches.filter((match) => !hasOneAdvertiser(match)),
    )),
    ...(await referToEarlier(db, results)),
    ...(await storeReported(db, results)),
  ]);
}

/** A lookup whose company matched advertisers of a snapshot. */
interface Match {
  readonly lookupId: bigint;
  readonly accountId: number;
  readonly advertisers: readonly { readonly key: bigint; readonly relation: Relation }[];
  readonly adsMax: number | null;
}

function toMatch({ lookupId, accountId, answer }: OwnedResult): readonly Match[] {
  return answer.kind === 'stored'
    ? [{ lookupId, accountId, advertisers: answer.advertisers, adsMax: answer.adsMax ?? null }]
    : [];
}

function hasOneAdvertiser({ advertisers }: Match): boolean {
  return advertisers.length === 1;
}

interface GivenRow extends Record<string, unknown> {
  readonly lookup_id: string;
  readonly ads: number;
  readonly total: number;
}

type Given = ReadonlyMap<bigint, GivenAds>;

const nothing: Given = new Map();

function toGiven(rows: readonly GivenRow[]): Given {
  return new Map(rows.map(({ lookup_id, ads, total }) => [BigInt(lookup_id), { ads, total }]));
}

/** The answer with all ads of an advertiser was made when the snapshot was loaded. */
async function referToAdvertiser(db: Sql, matches: readonly Match[]): Promise<Given> {
  if (matches.length === 0) return nothing;
  const pairs = pairsOf(matches);
  const { rows } = await db.execute<GivenRow>(
    sql`WITH given AS (
        SELECT p.lookup_id, p.account_id, d.answer_id, least(a.ads, p.ads_max) AS ads, a.ads AS total, d.newest_day, p.relation
        FROM ${pairsSql(pairs)}
        JOIN nightshift.advertisers d ON d.id = p.advertiser_key
        JOIN nightshift.answers a ON a.id = d.answer_id
      ), referred AS (
        INSERT INTO nightshift.lookup_answers (lookup_id, answer_id, account_id, ads, newest_day, relations)
        SELECT lookup_id, answer_id, account_id, ads, newest_day, nightshift.packed_relations(ARRAY[relation]) FROM given
      )
      SELECT lookup_id, ads, total FROM given`,
  );
  return toGiven(rows);
}

/** Ads of several advertisers become one answer, newest first. */
async function mergeAdvertisers(db: Sql, matches: readonly Match[]): Promise<Given> {
  if (matches.length === 0) return nothing;
  const pairs = pairsOf(matches);
  const { rows } = await db.execute<GivenRow>(
    sql`WITH seen AS (
        SELECT p.lookup_id, row_number() OVER (ORDER BY p.lookup_id, a.last_seen DESC NULLS LAST, a.ad_id) AS place, a.version_id,
          a.start, a.last_seen, p.relation, p.ads_max, p.account_id
        FROM ${pairsSql(pairs)}
        JOIN nightshift.snapshot_ads a ON a.advertiser_key = p.advertiser_key
      ), ${packSeenSql}`,
  );
  return toGiven(rows);
}

function pairsOf(matches: readonly Match[]) {
  return matches.flatMap(({ lookupId, accountId, advertisers, adsMax }) =>
    advertisers.map(({ key, relation }) => ({ lookupId, accountId, key, relation, adsMax })),
  );
}

function pairsSql(pairs: ReturnType<typeof pairsOf>): SQL {
  return sql`unnest(${bigints(pairs.map((pair) => pair.lookupId))}, ${bigints(pairs.map((pair) => pair.accountId))},
          ${bigints(pairs.map((pair) => pair.key))}, ${texts(pairs.map((pair) => pair.relation))},
          ${ints(pairs.map((pair) => pair.adsMax))}) AS p(lookup_id, account_id, advertiser_key, relation, ads_max)`;
}

/** The answer of an earlier lookup. */
async function referToEarlier(db: Sql, results: readonly OwnedResult[]): Promise<Given> {
  const pairs = results.flatMap(({ lookupId, accountId, answer }) =>
    answer.kind === 'repeated' ? [{ lookupId, accountId, earlier: answer.lookupId }] : [],
  );
  if (pairs.length === 0) return nothing;
  const { rows } = await db.execute<GivenRow>(
    sql`INSERT INTO nightshift.lookup_answers (lookup_id, answer_id, account_id, ads, newest_day, relations)
      SELECT p.lookup_id, e.answer_id, p.account_id, e.ads, e.newest_day, e.relations
      FROM unnest(${bigints(pairs.map((pair) => pair.lookupId))}, ${bigints(pairs.map((pair) => pair.accountId))},
        ${bigints(pairs.map((pair) => pair.earlier))}) AS p(lookup_id, account_id, earlier)
      JOIN nightshift.lookup_answers e ON e.lookup_id = p.earlier
      RETURNING lookup_id, ads, ads AS total`,
  );
  return toGiven(rows);
}

/** Ads that a live source reported: stored by identity and content, then as an answer in the source's order. */
async function storeReported(db: Sql, results: readonly OwnedResult[]): Promise<Given> {
  const seen = results.flatMap(({ lookupId, accountId, answer }) =>
    answer.kind === 'found'
      ? answer.ads.map((ad) => ({ lookupId, accountId, ad, relation: relationOf(ad, answer) }))
      : [],
  );
  if (seen.length === 0) return nothing;
  const { rows } = await db.execute<GivenRow>(
    sql`WITH seen AS (
        SELECT l.lookup_id, l.ord AS place, s.version_id, l.start::date AS start, l.last_seen::date AS last_seen, l.relation,
          NULL::integer AS ads_max, l.account_id
        FROM nightshift.store_ads(${JSON.stringify(seen.map(({ ad }, i) => adJson(ad, i + 1)))}::jsonb) s
        JOIN unnest(${bigints(seen.map((item) => item.lookupId))}, ${bigints(seen.map((item) => item.accountId))},
          ${texts(seen.map((item) => item.ad.start))}, ${texts(seen.map((item) => item.ad.lastSeen))},
          ${texts(seen.map((item) => item.relation))})
          WITH ORDINALITY AS l(lookup_id, account_id, start, last_seen, relation, ord) ON l.ord = s.ord
      ), ${packSeenSql}`,
  );
  return toGiven(rows);
}

/**
 * Continues a statement whose CTE `seen` has the ads of lookups, in the order of `place`: packs them into answers, refers the lookups to them
 * with at most `ads_max` ads, and selects `GivenRow`.
 */
const packSeenSql: SQL = sql`whose AS (
        SELECT lookup_id, min(account_id) AS account_id, max(ads_max) AS ads_max, array_agg(relation ORDER BY place) AS relations
        FROM seen GROUP BY lookup_id
      ), given AS (
        SELECT w.lookup_id, w.account_id, s.answer_id, least(s.ads, w.ads_max) AS ads, s.ads AS total, s.newest_day, w.relations
        FROM (
          SELECT array_agg(lookup_id ORDER BY place) AS keys, array_agg(version_id ORDER BY place) AS versions,
            array_agg(start ORDER BY place) AS starts, array_agg(last_seen ORDER BY place) AS last_days FROM seen
        ) n
        CROSS JOIN LATERAL nightshift.store_answers(n.keys, n.versions, n.starts, n.last_days) s
        JOIN whose w ON w.lookup_id = s.key
      ), referred AS (
        INSERT INTO nightshift.lookup_answers (lookup_id, answer_id, account_id, ads, newest_day, relations)
        SELECT lookup_id, answer_id, account_id, ads, newest_day, nightshift.packed_relations(relations[:ads]) FROM given
      )
      SELECT lookup_id, ads, total FROM given`;

function relationOf({ advertiserId }: Ad, { relations }: FoundAds): Relation {
  return (advertiserId === null ? undefined : relations?.get(advertiserId)) ?? 'own';
}

/** An ad in the form that `nightshift.store_ads` reads. */
function adJson(ad: Ad, ord: number) {
  return {
    ord,
    advertiser_id: ad.advertiserId,
    creative_id: ad.creativeId,
    advertiser_name: ad.advertiserName,
    format: ad.format,
    original_url: ad.originalUrl,
    headline: ad.text?.headline ?? null,
    description: ad.text?.description ?? null,
    display_url: ad.text?.displayUrl ?? null,
    final_url: ad.text?.finalUrl ?? null,
    ad_type: ad.text?.adType ?? null,
    variants: ad.variants,
  };
}
