import { sql } from 'drizzle-orm';
import type { Ad } from '../../src/core/ads/ad.ts';
import type { LookupResult } from '../../src/core/outcomes.ts';
import type { Sql } from '../client.ts';
import { bigints, ints, texts } from './arrays.ts';

/** Links each lookup to the ads of its answer; answers how many ads each got. */
export async function linkAds(
  db: Sql,
  results: readonly LookupResult[],
): Promise<ReadonlyMap<bigint, number>> {
  const counts = new Map<bigint, number>();
  await linkStoredAds(db, results, counts);
  await storeAndLinkAds(db, results, counts);
  return counts;
}

/** Ads that are in the store already (a snapshot's): linked by one statement, newest first, without leaving the database. */
async function linkStoredAds(
  db: Sql,
  results: readonly LookupResult[],
  counts: Map<bigint, number>,
): Promise<void> {
  const pairs = results.flatMap(({ lookupId, answer }) =>
    answer.kind === 'stored'
      ? answer.advertiserKeys.map((advertiserKey) => ({ lookupId, advertiserKey }))
      : [],
  );
  if (pairs.length === 0) return;
  const rows = await db.execute<{ lookup_id: string; ads: number }>(
    sql`WITH links AS (
        INSERT INTO nightshift.lookup_ads (lookup_id, position, version_id, start, last_seen)
        SELECT p.lookup_id, row_number() OVER (PARTITION BY p.lookup_id ORDER BY a.last_seen DESC NULLS LAST, a.ad_id),
          a.version_id, a.start, a.last_seen
        FROM unnest(${bigints(pairs.map((pair) => pair.lookupId))},
          ${bigints(pairs.map((pair) => pair.advertiserKey))}) AS p(lookup_id, advertiser_key)
        JOIN nightshift.snapshot_ads a ON a.advertiser_key = p.advertiser_key
        RETURNING lookup_id
      )
      SELECT lookup_id, count(*)::integer AS ads FROM links GROUP BY lookup_id`,
  );
  for (const row of rows.rows) counts.set(BigInt(row.lookup_id), row.ads);
}

/** Ads that a live source reported: stored by identity and content, then linked in the source's order. */
async function storeAndLinkAds(
  db: Sql,
  results: readonly LookupResult[],
  counts: Map<bigint, number>,
): Promise<void> {
  const seen = results.flatMap(({ lookupId, answer }) =>
    answer.kind === 'found' ? answer.ads.map((ad, i) => ({ lookupId, position: i + 1, ad })) : [],
  );
  if (seen.length === 0) return;
  await db.execute(
    sql`INSERT INTO nightshift.lookup_ads (lookup_id, position, version_id, start, last_seen)
      SELECT l.lookup_id, l.position, s.version_id, l.start::date, l.last_seen::date
      FROM nightshift.store_ads(${JSON.stringify(seen.map(({ ad }, i) => adJson(ad, i + 1)))}::jsonb) s
      JOIN unnest(${bigints(seen.map((item) => item.lookupId))}, ${ints(seen.map((item) => item.position))},
        ${texts(seen.map((item) => item.ad.start))}, ${texts(seen.map((item) => item.ad.lastSeen))})
        WITH ORDINALITY AS l(lookup_id, position, start, last_seen, ord) ON l.ord = s.ord`,
  );
  for (const item of seen) counts.set(item.lookupId, (counts.get(item.lookupId) ?? 0) + 1);
}

/** An ad as `nightshift.store_ads` reads it. */
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
