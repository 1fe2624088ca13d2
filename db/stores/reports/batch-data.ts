import { and, eq, isNotNull, max, sql, sum, type SQL } from 'drizzle-orm';
import type { BatchData, CompanyOutcome, RejectedRow } from '../../../src/core/reports/batch-data.ts';
import type { ReportBounds } from '../../../src/core/reports/report-data.ts';
import type { CompanyAd, FormatCount } from '../../../src/core/reports/reported-ads.ts';
import type { BatchSummary } from '../../../src/core/batches/batch.ts';
import type { AdsOutcome } from '../../../src/core/work/outcomes.ts';
import type { Sql } from '../../connection/client.ts';
import { batchRows } from '../../schema/batches.ts';
import { lookups } from '../../schema/lookups.ts';
import { readSummary } from '../batches/batch-summaries.ts';
import { hasDetailsSql } from '../ads/read-details.ts';
import { readRankings } from './ad-rankings.ts';
import { readAccountName, readBatchHighlights } from './highlights.ts';
import {
  longestMax,
  readFirstAds,
  shownAdSql,
  toCompany,
  toDetailedAds,
  toFormatCount,
  type CompanyRow,
  type DetailedShownAdRow,
} from '../ads/shown-ads.ts';
import { joinWaitingCompanySql } from '../sql/open-lookups.ts';

/** Maximum number of companies in the list of those with the most ads. */
const mostAdsMax = 12;

/** Reads the data of a batch's report. @throws NotFound as `readSummary` does. */
export async function readBatchData(
  db: Sql,
  accountId: number,
  publicId: string,
  bounds: ReportBounds,
): Promise<BatchData> {
  const summary = await readSummary(db, accountId, publicId);
  const { batchId, lookups, emails, rows } = summary;
  const asOf = await readLastMoment(db, summary);
  return {
    summary,
    account: await readAccountName(db, accountId),
    asOf,
    companies: {
      rows: await readCompanies(db, batchId, inOrderOfList(bounds.rowsMax)),
      total: lookups.total - emails.total,
    },
    outcomes: await readOutcomes(db, batchId),
    rejected: { rows: await readRejected(db, batchId, bounds.rowsMax), total: rows.rejected },
    mostAds: await readMostAds(db, batchId),
    formats: await readFormats(db, batchId),
    longest: await readLongest(db, batchId, bounds),
    ...(await readRankings(db, batchId, bounds)),
    ads: { rows: await readAds(db, batchId, bounds), total: await countAds(db, batchId) },
    highlights: await readBatchHighlights(db, batchId, { asOf, bounds, linksSql: linksSql(batchId) }),
  };
}

async function readLastMoment(db: Sql, { batchId, createdAt, finishedAt }: BatchSummary): Promise<Date> {
  if (finishedAt !== null) return finishedAt;
  const [last] = await db
    .select({ endedAt: max(lookups.endedAt) })
    .from(lookups)
    .where(eq(lookups.batchId, batchId));
  return last?.endedAt ?? createdAt;
}

interface OutcomeRow extends CompanyRow {
  readonly outcome: AdsOutcome | 'open';
  readonly reason: string | null;
  readonly source: string | null;
  readonly ads_count: number;
  readonly is_cut_short: boolean;
  readonly estimate_low: string | null;
  readonly estimate_high: string | null;
}

/** Rows point at the lookup that counts; no row points at a retried one. A lookup without a row is open. */
const companiesSql = (batchId: number): SQL =>
  sql`FROM nightshift.batch_rows r LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
    WHERE r.batch_id = ${batchId} AND r.is_first`;

/** The first companies in an order, of those that meet a condition. */
interface CompanyChoice {
  readonly condition: SQL;
  readonly order: SQL;
  readonly max: number;
}

const inOrderOfList = (max: number): CompanyChoice => ({
  condition: sql``,
  order: sql`r.block_no, r.row_no`,
  max,
});
const withMostAds: CompanyChoice = {
  condition: sql`AND l.ads_count > 0`,
  order: sql`l.ads_count DESC, r.row_no`,
  max: mostAdsMax,
};

/** Companies with the most ads, in descending order. */
export function readMostAds(db: Sql, batchId: number): Promise<readonly CompanyOutcome[]> {
  return readCompanies(db, batchId, withMostAds);
}

async function readCompanies(
  db: Sql,
  batchId: number,
  { condition, order, max: rowsMax }: CompanyChoice,
): Promise<readonly CompanyOutcome[]> {
  const { rows } = await db.execute<OutcomeRow>(
    sql`SELECT coalesce(l.subject_key, w.subject_key) AS company_key, coalesce(l.company_domain, w.company_domain) AS company_domain,
        coalesce(l.company_name, w.company_name) AS company_name, coalesce(l.outcome, 'open') AS outcome, l.reason, l.source,
        coalesce(l.ads_count, 0) AS ads_count, coalesce(l.partial OR l.truncated, false) AS is_cut_short, l.estimate_low, l.estimate_high
      FROM (SELECT r.block_no, r.row_no, r.ads_lookup_id ${companiesSql(batchId)} ${condition} ORDER BY ${order} LIMIT ${rowsMax}) r
      LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
      ${joinWaitingCompanySql(sql`${batchId}`)}
      ORDER BY ${order}`,
  );
  return rows.map((row) => ({
    company: toCompany(row),
    outcome: row.outcome,
    reason: row.reason,
    source: row.source,
    adsCount: row.ads_count,
    isCutShort: row.is_cut_short,
    adsEstimate: toEstimate(row),
  }));
}

function toEstimate({ estimate_low: low, estimate_high: high }: OutcomeRow): CompanyOutcome['adsEstimate'] {
  return low === null || high === null ? null : { low: Number(low), high: Number(high) };
}

/** Number of companies by outcome. */
export async function readOutcomes(db: Sql, batchId: number): Promise<BatchData['outcomes']> {
  const { rows } = await db.execute<{ outcome: AdsOutcome | 'open'; companies: string }>(
    sql`SELECT coalesce(l.outcome, 'open') AS outcome, count(*) AS companies ${companiesSql(batchId)} GROUP BY 1`,
  );
  return new Map(rows.map(({ outcome, companies }) => [outcome, Number(companies)]));
}

async function readRejected(db: Sql, batchId: number, rowsMax: number): Promise<readonly RejectedRow[]> {
  const { lineNo, rejectReason, blockNo, rowNo } = batchRows;
  const rows = await db
    .select({ lineNo, rejectReason })
    .from(batchRows)
    .where(and(eq(batchRows.batchId, batchId), isNotNull(rejectReason)))
    .orderBy(blockNo, rowNo)
    .limit(rowsMax);
  return rows.flatMap((row) =>
    row.rejectReason === null ? [] : [{ lineNo: row.lineNo, reason: row.rejectReason }],
  );
}

/** The ads `la` of the lookups `l` of a batch. Only lookups with the outcome found have ads, and those are never retried. */
export const linksSql = (batchId: number): SQL =>
  sql`nightshift.lookups l JOIN nightshift.lookup_ads la ON la.lookup_id = l.id
    WHERE l.batch_id = ${batchId} AND l.outcome = 'found'`;

/** Number of ads by format, in descending order: from the summaries of the answers, and from the ads of those without one. */
export async function readFormats(db: Sql, batchId: number): Promise<readonly FormatCount[]> {
  const { rows } = await db.execute<{ format: string | null; ads: string }>(
    sql`WITH given AS MATERIALIZED (
        SELECT g.answer_id, g.ads, count(*) AS lookups
        FROM nightshift.lookups l JOIN nightshift.lookup_answers g ON g.lookup_id = l.id
        WHERE l.batch_id = ${batchId} AND l.outcome = 'found' GROUP BY 1, 2
      )
      SELECT left(c.format, 100) AS format, sum(c.ads) AS ads FROM (
        SELECT f.format, f.ads * g.lookups AS ads FROM given g
        JOIN nightshift.answer_summaries s USING (answer_id, ads)
        CROSS JOIN LATERAL unnest(s.formats, s.format_ads) AS f(format, ads)
        UNION ALL
        SELECT v.format, g.lookups FROM given g
        JOIN nightshift.answers a ON a.id = g.answer_id
        CROSS JOIN LATERAL unnest(a.versions[:g.ads]) AS u(version_id)
        JOIN nightshift.ad_versions v ON v.id = u.version_id
        WHERE NOT EXISTS (SELECT FROM nightshift.answer_summaries s WHERE s.answer_id = g.answer_id AND s.ads = g.ads)
      ) c
      GROUP BY 1 ORDER BY ads DESC, left(c.format, 100) COLLATE "C" LIMIT ${longestMax}`,
  );
  return rows.map(toFormatCount);
}

async function countAds(db: Sql, batchId: number): Promise<number> {
  const [counted] = await db
    .select({ ads: sum(lookups.adsCount) })
    .from(lookups)
    .where(and(eq(lookups.batchId, batchId), eq(lookups.outcome, 'found')));
  return Number(counted?.ads ?? 0);
}

/** Ads that ran longest. */
export function readLongest(db: Sql, batchId: number, bounds: ReportBounds): Promise<readonly CompanyAd[]> {
  const rankSql = sql`la.last_seen - la.start`;
  return readFirstAds(db, bounds, { linksSql: linksSql(batchId), rankSql, limit: longestMax });
}

async function readAds(db: Sql, batchId: number, bounds: ReportBounds): Promise<readonly CompanyAd[]> {
  const { rows } = await db.execute<DetailedShownAdRow>(
    sql`SELECT l.subject_key AS company_key, l.company_domain, l.company_name, la.start::text AS start,
        la.last_seen::text AS last_seen, l.id AS lookup_id, ${hasDetailsSql}, ${shownAdSql(bounds)}
      FROM nightshift.batch_rows r
      JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
      JOIN nightshift.lookup_ads la ON la.lookup_id = l.id
      JOIN nightshift.ad_versions v ON v.id = la.version_id
      JOIN nightshift.ads i ON i.id = v.ad_id
      WHERE r.batch_id = ${batchId} AND r.is_first
      ORDER BY r.block_no, r.row_no, la.position LIMIT ${bounds.rowsMax}`,
  );
  return toDetailedAds(db, rows);
}
