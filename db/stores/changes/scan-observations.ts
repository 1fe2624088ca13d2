import { sql, type SQL } from 'drizzle-orm';
import type { SearchOptions } from '../../../src/core/ads/ads-answer.ts';
import {
  observationDay,
  sourceKey,
  type ObservationOutcome,
  type ObservationWithoutAds,
  type SeenAd,
} from '../../../src/core/changes/observation.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, texts } from '../sql/arrays.ts';

/** Observation of one company, and its lookup. */
export interface CompanyObservation {
  readonly companyKey: string;
  readonly lookupId: bigint;
  /** Name of the source whose answer counts, without options; null: no source was called. */
  readonly source: string | null;
  readonly observation: ObservationWithoutAds;
  /** Its ads; null without any. */
  readonly answer: AnswerReference | null;
}

/** The first ads of a stored answer. */
export interface AnswerReference {
  readonly answerId: bigint;
  readonly ads: number;
  /** Newest day on which an ad of the answer was seen; null if its source does not report days. */
  readonly newestDay: string | null;
}

/** A page of companies of a batch, in the order of their keys. */
export interface ObservationPage {
  /** Observations of the page. */
  readonly observations: readonly CompanyObservation[];
  /** Cursor of the next page; null after the last one. */
  readonly next: string | null;
}

/** Start of a page. */
export interface ObservationPlace {
  readonly scanId: bigint;
  readonly scheduleId: number;
  readonly batchId: number;
  /** Newest day on which any ad of the batch was seen, by data set. */
  readonly newestSeen: ReadonlyMap<string, string>;
  /** Search options of the scan; null: any. */
  readonly search: SearchOptions | null;
}

/** A lookup with an answer, as `observationColumnsSql` selects it. */
export interface ObservationRow extends Record<string, unknown> {
  readonly id: string;
  readonly subject_key: string;
  readonly outcome: ObservationOutcome;
  readonly partial: boolean;
  readonly truncated: boolean;
  readonly observed_at: string;
  readonly source: string | null;
  readonly reported_too: readonly string[];
}

/**
 * Columns of an observation from its lookup `l`; `r`: the lookup whose answer it reuses, or none. Advertisers that may belong to the company make an
 * answer partial, but not an observation: the ads of the others are complete, and those that are missing have ended.
 */
export const observationColumnsSql: SQL = sql`l.id, l.subject_key, l.outcome,
  l.partial AND l.partial_reason IS DISTINCT FROM 'uncertain_advertisers' AS partial, l.truncated,
  coalesce(l.observed_at, l.ended_at) AS observed_at, l.source,
  to_jsonb(ARRAY(SELECT a ->> 'source' FROM jsonb_array_elements(CASE WHEN l.repeats IS NULL THEN l.source_results ELSE r.source_results END) a
    WHERE a ->> 'reported' = l.outcome)) AS reported_too`;

interface PageRow extends ObservationRow {
  readonly is_new: boolean;
  readonly answer_id: string | null;
  readonly ads: number | null;
  readonly newest_day: string | null;
}

/**
 * Reads the next companies of a scan's batch, by the latest lookup of each. Companies that this scan or a later one has already
 * observed are excluded.
 */
export async function readObservations(
  db: Sql,
  place: ObservationPlace,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ObservationPage> {
  const { scanId, scheduleId, batchId, newestSeen, search } = place;
  const { rows } = await db.execute<PageRow>(
    sql`SELECT ${observationColumnsSql}, l.outcome IN ('found', 'none', 'no_match') AND NOT EXISTS (
          SELECT FROM nightshift.scan_companies c
          WHERE c.schedule_id = ${scheduleId} AND c.company_key = l.subject_key AND c.scan_id >= ${scanId}) AS is_new,
        w.answer_id, w.ads, w.newest_day::text AS newest_day
      FROM (
        SELECT DISTINCT ON (subject_key) * FROM nightshift.lookups
        WHERE batch_id = ${batchId} AND operation = 'ads_search' AND subject_key > ${after}
        ORDER BY subject_key, generation DESC LIMIT ${limit}
      ) l
      LEFT JOIN nightshift.lookups r ON r.id = l.repeats
      LEFT JOIN nightshift.lookup_answers w ON w.lookup_id = l.id
      ORDER BY l.subject_key`,
  );
  const fresh = rows.filter((row) => row.is_new);
  return {
    observations: fresh.map((row) => ({
      companyKey: row.subject_key,
      lookupId: BigInt(row.id),
      source: sourcesOf(row)[0] ?? null,
      observation: toObservation(row, { scanId, newestSeen, search }),
      answer: toReference(row),
    })),
    next: rows.length < limit ? null : (rows.at(-1)?.subject_key ?? null),
  };
}

function toReference({ answer_id: answerId, ads, newest_day: newestDay }: PageRow): AnswerReference | null {
  return answerId === null || ads === null ? null : { answerId: BigInt(answerId), ads, newestDay };
}

/** Converts the answer of a lookup to an observation. */
export function toObservation(
  row: ObservationRow,
  { scanId, newestSeen, search }: Pick<ObservationPlace, 'scanId' | 'newestSeen' | 'search'>,
): ObservationWithoutAds {
  const { outcome, partial, truncated } = row;
  const observedAt = new Date(row.observed_at);
  const names = sourcesOf(row);
  // If several sources report no ads, the latest of their days counts.
  const days = names.map((source) => observationDay(observedAt, newestSeen.get(source) ?? null)).sort();
  const day = days.at(-1) ?? observationDay(observedAt, null);
  const sources = names.map((source) => sourceKey(source, search));
  return { scanId, outcome, partial, truncated, sources, observedAt, day };
}

/** Sources of the observation by name, the first one first. */
export function sourcesOf({
  outcome,
  source,
  reported_too: alsoAnswered,
}: ObservationRow): readonly string[] {
  return [...new Set([...(source === null ? [] : [source]), ...(outcome === 'found' ? [] : alsoAnswered)])];
}

interface SeenRow extends Record<string, unknown>, SeenAdRow {
  readonly lookup_id: string;
}

/** An ad of an answer. */
interface SeenAdRow {
  readonly ad_id: string;
  readonly version_id: string;
  readonly content_hash: string | null;
  readonly start: string | null;
  readonly last_seen: string | null;
}

/** Ads of lookups that have their own identity, in the order of the answers. */
export async function readSeenAds(
  db: Sql,
  lookupIds: readonly bigint[],
): Promise<ReadonlyMap<string, readonly SeenAd[]>> {
  const { rows } = await db.execute<SeenRow>(
    sql`SELECT la.lookup_id, v.ad_id, la.version_id, encode(k.content_hash, 'hex') AS content_hash, la.start::text AS start,
        la.last_seen::text AS last_seen
      FROM nightshift.lookup_ads la
      JOIN nightshift.ad_versions v ON v.id = la.version_id
      JOIN nightshift.ads i ON i.id = v.ad_id AND i.advertiser_id IS NOT NULL
      LEFT JOIN nightshift.ad_version_hashes k ON k.version_id = la.version_id
      WHERE la.lookup_id = ANY (${bigints(lookupIds)})
      ORDER BY la.lookup_id, la.position`,
  );
  const byLookup = new Map<string, SeenAd[]>();
  for (const row of rows) {
    const ads = byLookup.get(row.lookup_id);
    if (ads === undefined) byLookup.set(row.lookup_id, [toSeenAd(row)]);
    else ads.push(toSeenAd(row));
  }
  return byLookup;
}

/** Converts the row of an ad. @throws Error when its version has no content hash. */
export function toSeenAd({
  ad_id,
  version_id,
  content_hash: contentHash,
  start,
  last_seen: lastSeen,
}: SeenAdRow): SeenAd {
  if (contentHash === null) throw new Error(`Version ${version_id} has no content hash yet.`);
  return { adId: BigInt(ad_id), versionId: BigInt(version_id), contentHash, start, lastSeen };
}

/** Data sets of ours, which are older than their use. */
const dataSets: readonly string[] = ['snapshot', 'sample'];

/**
 * Newest day on which any ad of a batch was seen, by data set. An answer that counts with all its ads has its newest day in the
 * reference.
 */
export async function readNewestSeen(db: Sql, batchId: number): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.execute<{ source: string; newest: string }>(
    sql`SELECT n.source, max(n.day)::text AS newest
      FROM (
        SELECT l.source, CASE WHEN r.ads = a.ads THEN r.newest_day
          ELSE (SELECT max(la.last_seen) FROM nightshift.lookup_ads la WHERE la.lookup_id = l.id) END AS day
        FROM nightshift.lookups l
        JOIN nightshift.lookup_answers r ON r.lookup_id = l.id
        JOIN nightshift.answers a ON a.id = r.answer_id
        WHERE l.batch_id = ${batchId} AND l.operation = 'ads_search' AND l.outcome = 'found' AND l.source = ANY (${texts(dataSets)})
      ) n
      WHERE n.day IS NOT NULL GROUP BY n.source`,
  );
  return new Map(rows.map(({ source, newest }) => [source, newest]));
}
