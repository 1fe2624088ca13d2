import { sql, type SQL } from 'drizzle-orm';
import { fullId } from '../../../src/core/companies/platform-id.ts';
import type { AdvertiserCount, FacetCount, Facets } from '../../../src/core/batches/facets.ts';
import type { Sql } from '../../connection/client.ts';
import { blockOf } from '../../../src/core/batches/row-blocks.ts';
import { summarizeAnswers } from './summarize-answers.ts';

const reasonsMax = 20;
const formatsMax = 20;
const advertisersMax = 100;

/** Counts the facets of a batch; ads only in the first `adRowsMax` rows if it is set. A million ads take seconds. */
export async function countFacets(db: Sql, batchId: number, adRowsMax: number | null): Promise<Facets> {
  const rows = await countRows(db, batchId);
  const ads = await countAds(db, batchId, adRowsMax);
  return { ...rows, ...ads, adsOfRows: Math.min(adRowsMax ?? rows.rows, rows.rows) };
}

interface RowCount extends Record<string, unknown> {
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly status: string | null;
  readonly recommendation: string | null;
  /** Grouping mask of the facet: all bits except its own, the first one highest. */
  readonly grouping: number;
  readonly rows: string;
}

async function countRows(
  db: Sql,
  batchId: number,
): Promise<Pick<Facets, 'rows' | 'outcomes' | 'reasons' | 'emailStatuses' | 'recommendations'>> {
  const { rows } = await db.execute<RowCount>(
    sql`SELECT outcome, reason, status, recommendation, grouping(outcome, reason, status, recommendation) AS grouping, count(*) AS rows
      FROM (
        SELECT CASE WHEN r.reject_reason IS NOT NULL THEN 'rejected' WHEN r.ads_lookup_id IS NOT NULL THEN coalesce(l.outcome, 'open') END
            AS outcome, coalesce(r.reject_reason, l.reason, m.reason) AS reason, e.status, e.recommendation
        FROM nightshift.batch_rows r
        LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
        LEFT JOIN nightshift.lookups m ON m.id = r.email_lookup_id
        LEFT JOIN nightshift.email_results e ON e.lookup_id = m.id
        WHERE r.batch_id = ${batchId}
      ) s
      GROUP BY GROUPING SETS ((outcome), (reason), (status), (recommendation))
      ORDER BY count(*) DESC, coalesce(outcome, reason, status, recommendation) COLLATE "C"`,
  );
  const of = (grouping: number) => rows.filter((row) => row.grouping === grouping);
  const outcomes = of(0b0111);
  return {
    rows: outcomes.reduce((sum, row) => sum + Number(row.rows), 0),
    outcomes: toCounts(outcomes.map(({ outcome, rows: count }) => [outcome, count])),
    reasons: toCounts(of(0b1011).map(({ reason, rows: count }) => [reason, count])).slice(0, reasonsMax),
    emailStatuses: toCounts(of(0b1101).map(({ status, rows: count }) => [status, count])),
    recommendations: toCounts(of(0b1110).map(({ recommendation, rows: count }) => [recommendation, count])),
  };
}

/** Leaves out entries without a value. */
function toCounts(found: readonly (readonly [value: string | null, count: string])[]): readonly FacetCount[] {
  return found.flatMap(([value, count]) => (value === null ? [] : [{ value, count: Number(count) }]));
}

interface AdCount extends Record<string, unknown> {
  readonly format: string | null;
  readonly advertiser_id: string | null;
  readonly name: string | null;
  /** 1: a format; 2: an advertiser; 3: all. */
  readonly grouping: number;
  readonly ads: string;
}

async function countAds(
  db: Sql,
  batchId: number,
  rowsMax: number | null,
): Promise<Pick<Facets, 'ads' | 'formats' | 'advertisers'>> {
  const given = sql`SELECT g.answer_id, g.ads FROM nightshift.batch_rows r
    JOIN nightshift.lookup_answers g ON g.lookup_id = r.ads_lookup_id
    WHERE r.batch_id = ${batchId} AND ${withinSql(rowsMax)}`;
  await summarizeAnswers(db, given);
  const { rows } = await db.execute<AdCount>(
    sql`WITH given AS MATERIALIZED (
        SELECT answer_id, ads, count(*) AS rows FROM (${given}) g GROUP BY 1, 2
      ), summed AS MATERIALIZED (
        SELECT g.rows, s.* FROM given g JOIN nightshift.answer_summaries s USING (answer_id, ads)
      )
      SELECT * FROM (
      SELECT 1 AS grouping, coalesce(max(u.format), '') AS format, NULL AS advertiser_id, NULL AS name, sum(s.rows * u.ads) AS ads
      FROM summed s, unnest(s.formats, s.format_ads) AS u(format, ads) GROUP BY lower(u.format)
      UNION ALL
      (SELECT 2, NULL, u.id, max(u.name), sum(s.rows * u.ads)
      FROM summed s, unnest(s.advertisers, s.advertiser_names, s.advertiser_ads) AS u(id, name, ads) GROUP BY u.id
      ORDER BY 5 DESC, u.id COLLATE "C" LIMIT ${advertisersMax})
      UNION ALL
      SELECT 3, NULL, NULL, NULL, (SELECT coalesce(sum(rows * ads), 0) FROM given)
      ) c ORDER BY grouping, ads DESC, coalesce(lower(format), advertiser_id) COLLATE "C"`,
  );
  return {
    ads: Number(rows.find((row) => row.grouping === 3)?.ads ?? 0),
    formats: rows
      .flatMap((row) =>
        row.grouping === 1 && row.format !== null && row.format !== ''
          ? [{ value: row.format, count: Number(row.ads) }]
          : [],
      )
      .slice(0, formatsMax),
    advertisers: rows.flatMap(toAdvertiser),
  };
}

function withinSql(rowsMax: number | null): SQL {
  return rowsMax === null ? sql`true` : sql`r.block_no <= ${blockOf(rowsMax)} AND r.row_no <= ${rowsMax}`;
}

function toAdvertiser(row: AdCount): readonly AdvertiserCount[] {
  if (row.grouping !== 2 || row.advertiser_id === null) return [];
  return [{ advertiserId: fullId(row.advertiser_id), name: row.name, count: Number(row.ads) }];
}
