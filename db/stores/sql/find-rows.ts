import { sql } from 'drizzle-orm';
import { wantsNothing, type ResultFilter } from '../../../src/core/batches/result-filter.ts';
import type { Sql } from '../../connection/client.ts';
import { adIsWantedSql, askedTablesSql, rowIsWantedSql } from './result-conditions.ts';
import { ints } from './arrays.ts';
import { rowsOfBlocksSql, searchBlocks, type PromisingBlock, type SearchedBatch } from './search-blocks.ts';

/** Set by `searchBlocks`. */
const wordsInAds = sql`s.in_ads`;

/** Numbers of the first rows that match a filter, in order. */
export async function findRows(
  db: Sql,
  filter: ResultFilter,
  batch: SearchedBatch,
  limit: number,
): Promise<readonly number[]> {
  if (wantsNothing(filter)) return [];
  const wanted = rowIsWantedSql(batch.batchId, filter, { wordsInAds, rowByRow: true });
  return searchBlocks(db, filter, batch, {
    limit,
    search: async (rowsOfSpans, limitHere) => {
      const { rows } = await db.execute<{ row_no: number }>(
        sql`SELECT r.row_no FROM ${rowsOfSpans}
          LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
          ${askedTablesSql(filter)}
          WHERE ${wanted}
          ORDER BY r.block_no, r.row_no LIMIT ${limitHere}`,
      );
      return rows.map((row) => row.row_no);
    },
  });
}

/** Some rows of a batch, and the blocks that have them. */
export interface RowsOfBlocks {
  readonly batchId: number;
  readonly blocks: readonly PromisingBlock[];
  readonly rowNos: readonly number[];
}

/** Numbers of those of some rows that match a filter. */
export async function findMatching(
  db: Sql,
  filter: ResultFilter,
  { batchId, blocks, rowNos }: RowsOfBlocks,
): Promise<ReadonlySet<number>> {
  const some = rowsOfBlocksSql(blocks, batchId, sql`r.row_no = ANY (${ints(rowNos)})`);
  const { rows } = await db.execute<{ row_no: number }>(
    sql`SELECT r.row_no FROM ${some}
      LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
      ${askedTablesSql(filter)}
      WHERE ${rowIsWantedSql(batchId, filter, { wordsInAds, rowByRow: true })}`,
  );
  return new Set(rows.map((row) => row.row_no));
}

/** An ad in a row of a batch: its link. */
export interface AdOfRow {
  readonly rowNo: number;
  readonly lookupId: bigint;
  readonly position: number;
}

/** The first ads that match a filter after the given place, in the order of the rows and of their answers. */
export async function findAdsOfRows(
  db: Sql,
  filter: ResultFilter,
  batch: SearchedBatch & { readonly afterPosition: number },
  limit: number,
): Promise<readonly AdOfRow[]> {
  if (wantsNothing(filter)) return [];
  const wanted = adIsWantedSql(batch.batchId, filter, { wordsInAds });
  // `OFFSET 0`: beyond `join_collapse_limit` tables, Postgres would otherwise join the ads of all lookups first.
  return searchBlocks(db, filter, batch, {
    limit,
    search: async (rowsOfSpans, limitHere) => {
      const { rows } = await db.execute<{ row_no: number; lookup_id: string; position: number }>(
        sql`SELECT r.row_no, la.lookup_id, la.position FROM ${rowsOfSpans}
          JOIN nightshift.lookups l ON l.id = r.ads_lookup_id AND l.outcome = 'found'
          ${askedTablesSql(filter)}
          CROSS JOIN LATERAL (SELECT * FROM nightshift.lookup_ads a WHERE a.lookup_id = l.id OFFSET 0) la
          JOIN nightshift.ad_versions v ON v.id = la.version_id
          JOIN nightshift.ads i ON i.id = v.ad_id
          WHERE (r.row_no > ${batch.fromRow} OR la.position > ${batch.afterPosition}) AND ${wanted}
          ORDER BY r.block_no, r.row_no, la.position LIMIT ${limitHere}`,
      );
      return rows.map((row) => ({
        rowNo: row.row_no,
        lookupId: BigInt(row.lookup_id),
        position: row.position,
      }));
    },
  });
}
