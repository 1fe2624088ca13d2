import { sql } from 'drizzle-orm';
import type { ReportBounds } from '../../../src/core/reports/report-data.ts';
import type {
  Bounded,
  CompanyAd,
  FormatCount,
  NamedCompany,
} from '../../../src/core/reports/reported-ads.ts';
import type { CompanyActivity, CompanyNow, Completeness } from '../../../src/core/reports/schedule-data.ts';
import type { Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';
import { namedBySql, type HistoryPart } from '../sql/history-part.ts';
import { toChangeCounts } from '../schedules/schedule-changes.ts';
import {
  longestMax,
  shownAdSql,
  toCompany,
  toCompanyAd,
  toFormatCount,
  type CompanyRow,
  type ShownAdRow,
} from '../ads/shown-ads.ts';

interface NowRow extends CompanyRow {
  readonly ads_active: number;
  readonly completeness: Completeness;
  readonly observed_at: string;
  readonly changes: Readonly<Record<string, number>> | null;
  readonly total: string;
}

/** Companies that a scan has observed, with the last observation; in descending order of their ads. */
export async function readCompaniesNow(
  db: Sql,
  { scheduleId, firstScanId }: HistoryPart,
  rowsMax: number,
): Promise<Bounded<CompanyNow>> {
  const { rows } = await db.execute<NowRow>(
    sql`SELECT t.company_key, l.company_domain, l.company_name, c.ads_active, c.completeness, c.observed_at, k.changes,
        count(*) OVER () AS total
      FROM nightshift.tracked_companies t
      JOIN nightshift.scan_companies c ON c.scan_id = t.last_scan_id AND c.company_key = t.company_key
      LEFT JOIN nightshift.lookups l ON l.id = c.lookup_id
      LEFT JOIN (
        SELECT n.company_key, jsonb_object_agg(n.kind, n.n) AS changes FROM (
          SELECT company_key, kind, count(*) AS n FROM nightshift.ad_changes
          WHERE schedule_id = ${scheduleId} AND scan_id >= ${firstScanId}::bigint GROUP BY 1, 2) n
        GROUP BY 1
      ) k ON k.company_key = t.company_key
      WHERE t.schedule_id = ${scheduleId}
      ORDER BY c.ads_active DESC, t.company_key COLLATE "C" LIMIT ${rowsMax}`,
  );
  return { rows: rows.map(toCompanyNow), total: Number(rows[0]?.total ?? 0) };
}

function toCompanyNow(row: NowRow): CompanyNow {
  return {
    company: toCompany(row),
    adsActive: row.ads_active,
    completeness: row.completeness,
    observedAt: new Date(row.observed_at),
    changes: toChangeCounts(row.changes ?? {}),
  };
}

interface ActivityRow extends Record<string, unknown> {
  readonly company_key: string;
  /** Null: before the first day of the report. */
  readonly day: string | null;
  readonly ads_active: number;
}

/**
 * Counts running ads of these companies after the last scan of each day, and before the first day. An observation counts on the
 * day of the newest answer so far, as in `reports.ads_daily`.
 */
export async function readActivity(
  db: Sql,
  { scheduleId, from }: HistoryPart,
  companies: readonly NamedCompany[],
): Promise<readonly CompanyActivity[]> {
  const { rows } = await db.execute<ActivityRow>(
    sql`SELECT DISTINCT ON (a.company_key, a.told_day) a.company_key, a.told_day::text AS day, a.ads_active FROM (
        SELECT x.*, CASE WHEN x.day >= ${from}::date THEN x.day END AS told_day FROM (
          SELECT c.company_key, c.scan_id, c.ads_active,
            (max(c.observed_at) OVER (PARTITION BY c.company_key ORDER BY c.scan_id) AT TIME ZONE 'UTC')::date AS day
          FROM nightshift.scan_companies c
          JOIN nightshift.tracked_companies t ON t.schedule_id = c.schedule_id AND t.company_key = c.company_key
          WHERE c.schedule_id = ${scheduleId} AND c.scan_id >= t.baseline_scan_id
            AND c.company_key = ANY (${texts(companies.map(({ key }) => key))})
        ) x
      ) a ORDER BY a.company_key, a.told_day, a.scan_id DESC`,
  );
  return companies.map((company) => {
    const own = rows.filter((row) => row.company_key === company.key);
    return {
      company,
      before: own.find(({ day }) => day === null)?.ads_active ?? null,
      days: own.flatMap(({ day, ads_active: adsActive }) => (day === null ? [] : [{ day, adsActive }])),
    };
  });
}

/** Formats of running ads, in descending order, and their total. */
export async function readFormatsNow(
  db: Sql,
  scheduleId: number,
): Promise<{ readonly rows: readonly FormatCount[]; readonly adsActive: number }> {
  const { rows } = await db.execute<{ format: string | null; ads: string; in_all: string }>(
    sql`SELECT left(v.format, 100) AS format, count(*) AS ads, sum(count(*)) OVER () AS in_all
      FROM nightshift.tracked_ad_rows t JOIN nightshift.ad_versions v ON v.id = t.version_id
      WHERE t.schedule_id = ${scheduleId} AND t.is_active
      GROUP BY 1 ORDER BY ads DESC, left(v.format, 100) COLLATE "C" LIMIT ${longestMax}`,
  );
  return { rows: rows.map(toFormatCount), adsActive: Number(rows[0]?.in_all ?? 0) };
}

/** Running ads that have run longest, by the days of their source. */
export async function readLongestNow(
  db: Sql,
  scheduleId: number,
  bounds: ReportBounds,
): Promise<readonly CompanyAd[]> {
  const { rows } = await db.execute<ShownAdRow>(
    sql`SELECT p.company_key, l.company_domain, l.company_name, p.start::text AS start, p.last_seen::text AS last_seen,
        ${shownAdSql(bounds)}
      FROM (
        SELECT * FROM nightshift.tracked_ads
        WHERE schedule_id = ${scheduleId} AND is_active AND start IS NOT NULL AND last_seen IS NOT NULL
        ORDER BY last_seen - start DESC, company_key COLLATE "C", ad_id LIMIT ${longestMax}
      ) p
      JOIN nightshift.ad_versions v ON v.id = p.version_id
      JOIN nightshift.ads i ON i.id = p.ad_id
      ${namedBySql}
      ORDER BY p.last_seen - p.start DESC, p.company_key COLLATE "C", p.ad_id`,
  );
  return rows.map(toCompanyAd);
}
