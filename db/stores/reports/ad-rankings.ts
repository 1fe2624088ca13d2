import { sql } from 'drizzle-orm';
import type { ReportBounds } from '../../../src/core/reports/report-data.ts';
import type { AdRankings } from '../../../src/core/reports/reported-ads.ts';
import type { Sql } from '../../connection/client.ts';
import { detailsAsOfSql } from '../ads/read-details.ts';
import { longestMax, shownAdSql, toDetailedAds, type DetailedShownAdRow } from '../ads/shown-ads.ts';

interface RankedRow extends DetailedShownAdRow {
  readonly by_reach: boolean;
}

/**
 * Ads of a batch with the largest reach, and those really shown longest, as of their lookups. One pass over the ads of the batch, and none
 * while no source has reported details of any ad.
 */
export async function readRankings(db: Sql, batchId: number, bounds: ReportBounds): Promise<AdRankings> {
  const { rows } = await db.execute<RankedRow>(
    sql`WITH known AS MATERIALIZED (
        SELECT l.id AS lookup_id, la.position, la.start, la.last_seen, la.version_id, v.ad_id,
          coalesce(d.times_shown_upper, d.times_shown_lower) AS reach, coalesce(d.times_shown_lower, 0) AS reach_lower,
          coalesce(la.last_seen - la.start + 1, 0) - d.days_not_shown AS days
        FROM nightshift.lookups l
        JOIN nightshift.lookup_ads la ON la.lookup_id = l.id
        JOIN nightshift.ad_versions v ON v.id = la.version_id
        CROSS JOIN LATERAL (
          SELECT d.times_shown_lower, d.times_shown_upper, d.days_not_shown FROM nightshift.ad_details d
          WHERE ${detailsAsOfSql(sql`v.ad_id`)} ORDER BY d.recorded_at DESC LIMIT 1
        ) d
        WHERE l.batch_id = ${batchId} AND l.outcome = 'found' AND (SELECT EXISTS (SELECT FROM nightshift.ad_details))
      ), ranked AS (
        (SELECT k.*, true AS by_reach, row_number() OVER (ORDER BY reach DESC, reach_lower DESC, lookup_id, position) AS place
          FROM known k WHERE reach IS NOT NULL ORDER BY place LIMIT ${longestMax})
        UNION ALL
        (SELECT k.*, false, row_number() OVER (ORDER BY days DESC, lookup_id, position) AS place
          FROM known k WHERE days IS NOT NULL ORDER BY place LIMIT ${longestMax})
      )
      SELECT l.subject_key AS company_key, l.company_domain, l.company_name, k.start::text AS start, k.last_seen::text AS last_seen,
        k.lookup_id, k.ad_id, true AS has_details, k.by_reach, ${shownAdSql(bounds)}
      FROM ranked k
      JOIN nightshift.lookups l ON l.id = k.lookup_id
      JOIN nightshift.ad_versions v ON v.id = k.version_id
      JOIN nightshift.ads i ON i.id = k.ad_id
      ORDER BY k.by_reach, k.place`,
  );
  const ads = await toDetailedAds(db, rows);
  return {
    largestReach: ads.filter((_, i) => rows[i]?.by_reach === true),
    longestShown: ads.filter((_, i) => rows[i]?.by_reach === false),
  };
}
