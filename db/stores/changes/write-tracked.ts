import { sql } from 'drizzle-orm';
import type { TrackedCompany } from '../../../src/core/changes/tracked-ad.ts';
import type { Sql } from '../../connection/client.ts';
import type { StoredAd } from './tracked-ads.ts';
import type { SeenAnswer } from './tracked-companies.ts';

/** New state of a company, and the rows of its ads that differ. */
export interface TrackedWrite {
  readonly companyKey: string;
  readonly company: TrackedCompany;
  readonly seen: SeenAnswer | null;
  readonly ads: readonly StoredAd[];
}

/** Writes the new state of companies. */
export async function writeTracked(
  db: Sql,
  scheduleId: number,
  writes: readonly TrackedWrite[],
): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.tracked_companies AS t (schedule_id, company_key, baseline_scan_id, last_scan_id, last_observed_at,
        last_day, last_outcome, last_sources, conclusive_day, conclusive_completeness, conclusive_sources, seen_scan_id, seen_day,
        seen_newest_day, seen_fresh_from, seen_answer_id, seen_ads)
      SELECT ${scheduleId}::bigint, n.* FROM jsonb_to_recordset(${JSON.stringify(writes.map(companyJson))}::jsonb)
        AS n(company_key text, baseline_scan_id bigint, last_scan_id bigint, last_observed_at timestamptz, last_day date,
          last_outcome text, last_sources text[], conclusive_day date, conclusive_completeness text, conclusive_sources text[],
          seen_scan_id bigint, seen_day date, seen_newest_day date, seen_fresh_from date, seen_answer_id bigint, seen_ads integer)
      ON CONFLICT (schedule_id, company_key) DO UPDATE SET last_scan_id = excluded.last_scan_id,
        last_observed_at = excluded.last_observed_at, last_day = excluded.last_day, last_outcome = excluded.last_outcome,
        last_sources = excluded.last_sources, conclusive_day = excluded.conclusive_day, conclusive_completeness = excluded.conclusive_completeness,
        conclusive_sources = excluded.conclusive_sources, seen_scan_id = excluded.seen_scan_id, seen_day = excluded.seen_day,
        seen_newest_day = excluded.seen_newest_day, seen_fresh_from = excluded.seen_fresh_from, seen_answer_id = excluded.seen_answer_id,
        seen_ads = excluded.seen_ads`,
  );
  const ads = writes.flatMap(({ companyKey, ads: changed }) => changed.map((ad) => adJson(companyKey, ad)));
  if (ads.length === 0) return;
  await db.execute(
    sql`INSERT INTO nightshift.tracked_ad_rows AS t (schedule_id, company_key, ad_id, is_active, first_scan_id, last_scan_id, version_id,
        source, content_hash, other_sources, day, start, last_seen, missed_in)
      SELECT ${scheduleId}::bigint, n.company_key, n.ad_id, n.is_active, n.first_scan_id, n.last_scan_id, n.version_id, n.source,
        decode(n.content_hash, 'hex'), n.other_sources, n.day, n.start, n.last_seen, n.missed_in
      FROM jsonb_to_recordset(${JSON.stringify(ads)}::jsonb)
        AS n(company_key text, ad_id bigint, is_active boolean, first_scan_id bigint, last_scan_id bigint, version_id bigint,
          source text, content_hash text, other_sources jsonb, day date, start date, last_seen date, missed_in bigint[])
      ON CONFLICT (schedule_id, company_key, ad_id) DO UPDATE SET is_active = excluded.is_active,
        last_scan_id = excluded.last_scan_id, version_id = excluded.version_id, source = excluded.source, content_hash = excluded.content_hash,
        other_sources = excluded.other_sources, day = excluded.day, start = excluded.start, last_seen = excluded.last_seen,
        missed_in = excluded.missed_in`,
  );
}

function companyJson({ companyKey, company, seen }: TrackedWrite) {
  return {
    company_key: companyKey,
    baseline_scan_id: String(company.baselineScanId),
    last_scan_id: String(company.lastScanId),
    last_observed_at: company.lastObservedAt.toISOString(),
    last_day: company.lastDay,
    last_outcome: company.lastOutcome,
    last_sources: company.lastSources,
    conclusive_day: company.conclusive.day,
    conclusive_completeness: company.conclusive.completeness,
    conclusive_sources: company.conclusive.sources,
    ...(seen === null ? {} : seenJson(seen)),
  };
}

function seenJson({ scanId, day, newestDay, freshFrom, answerId, ads }: SeenAnswer) {
  return {
    seen_scan_id: String(scanId),
    seen_day: day,
    seen_newest_day: newestDay,
    seen_fresh_from: freshFrom,
    seen_answer_id: answerId === null ? null : String(answerId),
    seen_ads: ads,
  };
}

function adJson(companyKey: string, { ad, isCarried, isNewest }: StoredAd) {
  const otherSources = ad.otherSources.map(({ source, versionId, contentHash }) => ({
    source,
    version: String(versionId),
    contentHash,
  }));
  return {
    company_key: companyKey,
    ad_id: String(ad.adId),
    is_active: ad.isActive,
    first_scan_id: String(ad.firstScanId),
    last_scan_id: isCarried ? null : String(ad.lastScanId),
    version_id: String(ad.last.versionId),
    source: ad.last.source,
    content_hash: ad.last.contentHash,
    ...(otherSources.length === 0 ? {} : { other_sources: otherSources }),
    day: isCarried ? null : ad.day,
    start: ad.start,
    last_seen: isNewest ? 'infinity' : ad.lastSeen,
    missed_in: ad.missedIn.map(String),
  };
}

/** True when both have the same row. */
export function haveSameRow(one: StoredAd, other: StoredAd): boolean {
  return one === other || JSON.stringify(adJson('', one)) === JSON.stringify(adJson('', other));
}
