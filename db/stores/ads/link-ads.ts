import { sql } from 'drizzle-orm';
import type { Ad } from '../../../src/core/ads/ad.ts';
import type { FoundAds } from '../../../src/core/ads/ads-answer.ts';
import type { Relation } from '../../../src/core/ads/relate.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, ints, texts } from '../sql/arrays.ts';

/** The ads that a lookup was linked to, and the total of its answer. */
export interface LinkedAds {
  readonly ads: number;
  readonly total: number;
}

/**
 * Links each lookup of an account to the ads of its answer, and records their advertisers (`lookup_advertisers`). Returns the
 * number of ads of each lookup.
 */
export async function linkAds(
  db: Sql,
  accountId: number,
  results: readonly LookupResult[],
): Promise<ReadonlyMap<bigint, LinkedAds>> {
  const counts = new Map<bigint, LinkedAds>();
  await linkStoredAds(db, accountId, results, counts);
  await linkRepeatedAds(db, accountId, results, counts);
  await storeAndLinkAds(db, accountId, results, counts);
  return counts;
}

interface LinkedRow extends Record<string, unknown> {
  readonly lookup_id: string;
  readonly ads: number;
  readonly total: number;
}

/** Ads that are already in the store (a snapshot's): linked by one statement inside the database, newest first. */
async function linkStoredAds(
  db: Sql,
  accountId: number,
  results: readonly LookupResult[],
  counts: Map<bigint, LinkedAds>,
): Promise<void> {
  const pairs = results.flatMap(({ lookupId, answer }) =>
    answer.kind === 'stored'
      ? answer.advertisers.map(({ key, relation }) => ({
          lookupId,
          key,
          relation,
          adsMax: answer.adsMax ?? null,
        }))
      : [],
  );
  if (pairs.length === 0) return;
  const rows = await db.execute<LinkedRow>(
    sql`WITH pairs AS (
        SELECT * FROM unnest(${bigints(pairs.map((pair) => pair.lookupId))}, ${bigints(pairs.map((pair) => pair.key))},
          ${texts(pairs.map((pair) => pair.relation))}, ${ints(pairs.map((pair) => pair.adsMax))})
          AS p(lookup_id, advertiser_key, relation, ads_max)
      ), seen AS (
        SELECT p.lookup_id, row_number() OVER (PARTITION BY p.lookup_id ORDER BY a.last_seen DESC NULLS LAST, a.ad_id) AS position,
          a.version_id, a.start, a.last_seen, nullif(p.relation, 'own') AS relation, p.ads_max
        FROM pairs p JOIN nightshift.snapshot_ads a ON a.advertiser_key = p.advertiser_key
      ), whose AS (
        INSERT INTO nightshift.lookup_advertisers (lookup_id, subject, account_id)
        SELECT p.lookup_id, d.advertiser_id, ${accountId} FROM pairs p JOIN nightshift.advertisers d ON d.id = p.advertiser_key
        WHERE EXISTS (SELECT FROM nightshift.snapshot_ads a WHERE a.advertiser_key = p.advertiser_key)
      ), links AS (
        INSERT INTO nightshift.lookup_ads (lookup_id, position, version_id, start, last_seen, relation)
        SELECT lookup_id, position, version_id, start, last_seen, relation FROM seen WHERE ads_max IS NULL OR position <= ads_max
      )
      SELECT lookup_id, count(*)::integer AS total, coalesce(least(count(*), max(ads_max)), count(*))::integer AS ads
      FROM seen GROUP BY lookup_id`,
  );
  for (const { lookup_id, ads, total } of rows.rows) counts.set(BigInt(lookup_id), { ads, total });
}

/** The ads of an earlier answer, in the same versions. */
async function linkRepeatedAds(
  db: Sql,
  accountId: number,
  results: readonly LookupResult[],
  counts: Map<bigint, LinkedAds>,
): Promise<void> {
  const pairs = results.flatMap(({ lookupId, answer }) =>
    answer.kind === 'repeated' ? [{ lookupId, earlier: answer.lookupId }] : [],
  );
  if (pairs.length === 0) return;
  const rows = await db.execute<{ lookup_id: string; ads: number }>(
    sql`WITH links AS (
        INSERT INTO nightshift.lookup_ads (lookup_id, position, version_id, start, last_seen, relation)
        SELECT p.lookup_id, e.position, e.version_id, e.start, e.last_seen, e.relation
        FROM unnest(${bigints(pairs.map((pair) => pair.lookupId))}, ${bigints(pairs.map((pair) => pair.earlier))})
          AS p(lookup_id, earlier)
        JOIN nightshift.lookup_ads e ON e.lookup_id = p.earlier
        RETURNING lookup_id
      ), whose AS (
        INSERT INTO nightshift.lookup_advertisers (lookup_id, subject, account_id)
        SELECT p.lookup_id, s.subject, ${accountId}
        FROM unnest(${bigints(pairs.map((pair) => pair.lookupId))}, ${bigints(pairs.map((pair) => pair.earlier))})
          AS p(lookup_id, earlier)
        JOIN nightshift.lookup_advertisers s ON s.lookup_id = p.earlier
      )
      SELECT lookup_id, count(*)::integer AS ads FROM links GROUP BY lookup_id`,
  );
  for (const { lookup_id, ads } of rows.rows) counts.set(BigInt(lookup_id), { ads, total: ads });
}

/** Ads that a live source reported: stored by identity and content, then linked in the source's order. */
async function storeAndLinkAds(
  db: Sql,
  accountId: number,
  results: readonly LookupResult[],
  counts: Map<bigint, LinkedAds>,
): Promise<void> {
  const seen = results.flatMap(({ lookupId, answer }) =>
    answer.kind === 'found'
      ? answer.ads.map((ad, i) => ({ lookupId, position: i + 1, ad, relation: relationOf(ad, answer) }))
      : [],
  );
  if (seen.length === 0) return;
  await db.execute(
    sql`INSERT INTO nightshift.lookup_ads (lookup_id, position, version_id, start, last_seen, relation)
      SELECT l.lookup_id, l.position, s.version_id, l.start::date, l.last_seen::date, nullif(l.relation, 'own')
      FROM nightshift.store_ads(${JSON.stringify(seen.map(({ ad }, i) => adJson(ad, i + 1)))}::jsonb) s
      JOIN unnest(${bigints(seen.map((item) => item.lookupId))}, ${ints(seen.map((item) => item.position))},
        ${texts(seen.map((item) => item.ad.start))}, ${texts(seen.map((item) => item.ad.lastSeen))},
        ${texts(seen.map((item) => item.relation))})
        WITH ORDINALITY AS l(lookup_id, position, start, last_seen, relation, ord) ON l.ord = s.ord`,
  );
  await writeLookupAdvertisers(db, accountId, seen);
  for (const { lookupId, answer } of results)
    if (answer.kind === 'found') counts.set(lookupId, { ads: answer.ads.length, total: answer.ads.length });
}

/** Advertisers are identified by their ids; an ad that consists only of text by its hash. */
async function writeLookupAdvertisers(
  db: Sql,
  accountId: number,
  seen: readonly { readonly lookupId: bigint; readonly ad: Ad }[],
): Promise<void> {
  const subjects = new Map<bigint, Set<string>>();
  const withTexts = new Set<bigint>();
  for (const { lookupId, ad } of seen) {
    const own = subjects.get(lookupId) ?? new Set();
    subjects.set(lookupId, own);
    if (ad.advertiserId === null) withTexts.add(lookupId);
    else own.add(ad.advertiserId);
  }
  const pairs = [...subjects].flatMap(([lookupId, own]) =>
    [...own].map((subject) => ({ lookupId, subject })),
  );
  await db.execute(
    sql`INSERT INTO nightshift.lookup_advertisers (lookup_id, subject, account_id)
      SELECT s.lookup_id, s.subject, ${accountId}::bigint
      FROM unnest(${bigints(pairs.map((pair) => pair.lookupId))}, ${texts(pairs.map((pair) => pair.subject))})
        AS s(lookup_id, subject)
      UNION ALL
      SELECT DISTINCT la.lookup_id, encode(i.text_hash, 'hex'), ${accountId}::bigint
      FROM nightshift.lookup_ads la
      JOIN nightshift.ad_versions v ON v.id = la.version_id
      JOIN nightshift.ads i ON i.id = v.ad_id
      WHERE la.lookup_id = ANY (${bigints([...withTexts])}) AND i.text_hash IS NOT NULL`,
  );
}

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
