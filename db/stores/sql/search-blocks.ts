import { sql, type SQL } from 'drizzle-orm';
import type { ResultFilter } from '../../../src/core/batches/result-filter.ts';
import type { Sql } from '../../connection/client.ts';
import { booleans, ints } from './arrays.ts';
import { blockConditions } from './result-conditions.ts';
import { blockOf, rowsPerBlock } from '../../../src/core/batches/row-blocks.ts';

/** Number of blocks in the first window, and factor of the next one while too few results were found. */
const firstWindow = 16;
const windowGrowth = 4;
const windowMax = 8192;
/** Maximum number of separate blocks per statement: the first of them may have enough results. */
const blocksPerSearch = 32;

/** A batch, and the start of a search in it. */
export interface SearchedBatch {
  readonly batchId: number;
  readonly rowsTotal: number;
  readonly fromRow: number;
}

/**
 * Searches some rows for the first results, at most `limit`, in the order of the rows. `rows` is the relation to select from:
 * the rows `r`, and `s.in_ads`, whether the words can occur in their ads.
 */
export type SearchRows<T> = (rows: SQL, limit: number) => Promise<readonly T[]>;

/**
 * Finds the first results of a batch, at most `limit`, in the order of its rows.
 *
 * Blocks without a match are skipped, and the rows of the others are read in growing windows. So a page of frequent results
 * costs a few blocks, and one of rare results costs a scan of all blocks and the rows of a few. A batch without blocks is
 * searched row by row.
 */
export async function searchBlocks<T>(
  db: Sql,
  filter: ResultFilter,
  { batchId, rowsTotal, fromRow }: SearchedBatch,
  { limit, search }: { readonly limit: number; readonly search: SearchRows<T> },
): Promise<readonly T[]> {
  const found: T[] = [];
  const blocks = Math.ceil(rowsTotal / rowsPerBlock);
  let first = blockOf(fromRow);
  let size = firstWindow;
  while (first < blocks && found.length < limit) {
    const last = Math.min(first + size, blocks) - 1;
    const promising = await findPromising(db, filter, { batchId, first, last });
    for (let at = 0; at < promising.length && found.length < limit;) {
      const part = firstPart(promising.slice(at));
      found.push(...(await search(rowsSql(part, { batchId, fromRow }), limit - found.length)));
      at += part.length;
    }
    first += size;
    size = Math.min(size * windowGrowth, windowMax);
  }
  return found;
}

const noTextsSql = sql`CROSS JOIN (SELECT '' AS ad_text) t`;

/** Texts of the ads in the rows of block `b`. */
const adTextsSql = sql`CROSS JOIN LATERAL (
    SELECT coalesce(string_agg(s.texts, E'\\n'), '') AS ad_text FROM nightshift.answer_summaries s
    WHERE s.answer_id = ANY (b.answers) OFFSET 0
  ) t`;

/** A block that may match. */
export interface PromisingBlock {
  readonly block: number;
  /** True when the words can occur in the ads of its rows. */
  readonly inAds: boolean;
}

/** Finds blocks that may match, and rows without a block. */
export async function findPromising(
  db: Sql,
  filter: ResultFilter,
  { batchId, first, last }: { readonly batchId: number; readonly first: number; readonly last: number },
): Promise<readonly PromisingBlock[]> {
  const every = Array.from({ length: last - first + 1 }, (_, i) => ({
    block: first + i,
    inAds: true,
  })).filter(({ block }) => hasRows(filter, block));
  const says = blockConditions(filter);
  if (says === null) return every;
  const { rows } = await db.execute<{
    hopeless: readonly number[] | null;
    in_rows: readonly number[] | null;
  }>(
    sql`SELECT array_agg(t.block_no) FILTER (WHERE t.may_have IS NOT TRUE) AS hopeless,
        array_agg(t.block_no) FILTER (WHERE t.may_have AND NOT (${says.wordsInAds})) AS in_rows
      FROM (
        SELECT b.block_no, t.ad_text, (${says.mayHave}) AS may_have FROM nightshift.search_blocks b
        ${filter.words.length === 0 ? noTextsSql : adTextsSql}
        WHERE b.batch_id = ${batchId} AND b.block_no BETWEEN ${first} AND ${last} OFFSET 0
      ) t`,
  );
  const hopeless = new Set(rows[0]?.hopeless ?? []);
  const inRows = new Set(rows[0]?.in_rows ?? []);
  return every
    .filter(({ block }) => !hopeless.has(block))
    .map(({ block }) => ({ block, inAds: !inRows.has(block) }));
}

/** True when the filter names a row of the block, or no rows. */
function hasRows({ rows }: ResultFilter, block: number): boolean {
  return rows === null || rows.some((range) => blockOf(range.first) <= block && block <= blockOf(range.last));
}

/** Selects blocks to search together: any number of consecutive blocks, or a few separate ones. */
function firstPart(blocks: readonly PromisingBlock[]): readonly PromisingBlock[] {
  return blocks.slice(0, Math.max(countNeighbours(blocks), blocksPerSearch));
}

/** Counts the leading consecutive blocks of a kind. */
function countNeighbours(blocks: readonly PromisingBlock[]): number {
  const [first] = blocks;
  const end = blocks.findIndex(
    ({ block, inAds }, i) => block !== (first?.block ?? 0) + i || inAds !== first?.inAds,
  );
  return end === -1 ? blocks.length : end;
}

/**
 * Rows of some blocks. Consecutive blocks are read in order, and no further than needed. Others are read block by block, each
 * by key, so that joins are planned for their number of rows, not for the whole batch.
 */
function rowsSql(
  blocks: readonly PromisingBlock[],
  { batchId, fromRow }: Pick<SearchedBatch, 'batchId' | 'fromRow'>,
): SQL {
  const [first] = blocks;
  if (first !== undefined && countNeighbours(blocks) === blocks.length) {
    return sql`(SELECT ${first.inAds}::boolean AS in_ads) s JOIN nightshift.batch_rows r ON r.batch_id = ${batchId}
      AND r.block_no BETWEEN ${first.block} AND ${first.block + blocks.length - 1} AND r.row_no >= ${fromRow}`;
  }
  return rowsOfBlocksSql(blocks, batchId, sql`r.row_no >= ${fromRow}`);
}

/** Rows of some blocks for which a condition holds, each block by key. The relation is that of `SearchRows`. */
export function rowsOfBlocksSql(blocks: readonly PromisingBlock[], batchId: number, condition: SQL): SQL {
  return sql`unnest(${ints(blocks.map(({ block }) => block))}, ${booleans(blocks.map(({ inAds }) => inAds))})
      AS s(block_no, in_ads)
    CROSS JOIN LATERAL (
      SELECT * FROM nightshift.batch_rows r WHERE r.batch_id = ${batchId} AND r.block_no = s.block_no AND ${condition}
      LIMIT ${rowsPerBlock}
    ) r`;
}
