import { sql, type SQL } from 'drizzle-orm';
import type { ResultFilter } from '../../../src/core/batches/result-filter.ts';
import type { Sql } from '../../connection/client.ts';
import { booleans, ints } from './arrays.ts';
import { blockConditions } from './result-conditions.ts';

/** Rows of a block; `nightshift.drop_blocks` knows it too. */
export const rowsPerBlock = 32;

/** Blocks that are looked at first; then so many times as many, as long as too little was found. */
const firstWindow = 16;
const windowGrowth = 4;
const windowMax = 8192;
/** Blocks that lie apart and are looked at by one statement: the first of them may have enough. */
const blocksPerSearch = 32;

/** A batch, and where in it a search begins. */
export interface SearchedBatch {
  readonly batchId: number;
  readonly rowsTotal: number;
  readonly fromRow: number;
}

/**
 * Looks through some rows for the first results, up to so many; in the order of the rows. `rows` is what to select from: the rows `r`, and
 * beside them `s.in_ads`, whether words that are searched for may stand in their ads.
 */
export type SearchRows<T> = (rows: SQL, limit: number) => Promise<readonly T[]>;

/**
 * Finds the first results of a batch, up to `limit`, in the order of its rows.
 *
 * Block by block: those that say they have nothing are passed over, and the rows of the others are looked at themselves, in windows that
 * grow. So a page of what there is much of costs a few blocks, and one of what there is little of costs a look at all blocks and at the
 * rows of a few. A batch without blocks is looked through row by row.
 */
export async function searchBlocks<T>(
  db: Sql,
  filter: ResultFilter,
  { batchId, rowsTotal, fromRow }: SearchedBatch,
  { limit, search }: { readonly limit: number; readonly search: SearchRows<T> },
): Promise<readonly T[]> {
  const found: T[] = [];
  const blocks = Math.ceil(rowsTotal / rowsPerBlock);
  let first = Math.floor((fromRow - 1) / rowsPerBlock);
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

/** A block that may have something. */
interface PromisingBlock {
  readonly block: number;
  readonly inAds: boolean;
}

/** Finds blocks that may match, and rows without a block. */
async function findPromising(
  db: Sql,
  filter: ResultFilter,
  { batchId, first, last }: { readonly batchId: number; readonly first: number; readonly last: number },
): Promise<readonly PromisingBlock[]> {
  const every = Array.from({ length: last - first + 1 }, (_, i) => ({ block: first + i, inAds: true }));
  const says = blockConditions(filter);
  if (says === null) return every;
  const { rows } = await db.execute<{
    hopeless: readonly number[] | null;
    in_rows: readonly number[] | null;
  }>(
    sql`SELECT array_agg(b.block_no) FILTER (WHERE b.may_have IS NOT TRUE) AS hopeless,
        array_agg(b.block_no) FILTER (WHERE b.may_have AND NOT (${says.wordsInAds})) AS in_rows
      FROM (
        SELECT b.block_no, b.ad_text, (${says.mayHave}) AS may_have FROM nightshift.row_blocks b
        WHERE b.batch_id = ${batchId} AND b.block_no BETWEEN ${first} AND ${last} OFFSET 0
      ) b`,
  );
  const hopeless = new Set(rows[0]?.hopeless ?? []);
  const inRows = new Set(rows[0]?.in_rows ?? []);
  return every
    .filter(({ block }) => !hopeless.has(block))
    .map(({ block }) => ({ block, inAds: !inRows.has(block) }));
}

/** Selects blocks to search together: neighbours of a kind, however many, or a few that lie apart. */
function firstPart(blocks: readonly PromisingBlock[]): readonly PromisingBlock[] {
  return blocks.slice(0, Math.max(countNeighbours(blocks), blocksPerSearch));
}

/** Counts the leading blocks that are neighbours of a kind. */
function countNeighbours(blocks: readonly PromisingBlock[]): number {
  const [first] = blocks;
  const end = blocks.findIndex(
    ({ block, inAds }, i) => block !== (first?.block ?? 0) + i || inAds !== first?.inAds,
  );
  return end === -1 ? blocks.length : end;
}

/**
 * The rows of some blocks. Those of neighbours of a kind are read in their order, and no further than needed. Others are read block by
 * block, each by its key: what is joined to them is planned for as many rows as there are, not for all of the batch.
 */
function rowsSql(
  blocks: readonly PromisingBlock[],
  { batchId, fromRow }: Pick<SearchedBatch, 'batchId' | 'fromRow'>,
): SQL {
  const [first] = blocks;
  if (first !== undefined && countNeighbours(blocks) === blocks.length) {
    const from = Math.max(fromRow, first.block * rowsPerBlock + 1);
    return sql`(SELECT ${first.inAds}::boolean AS in_ads) s JOIN nightshift.batch_rows r ON r.batch_id = ${batchId}
      AND r.row_no BETWEEN ${from} AND ${(first.block + blocks.length) * rowsPerBlock}`;
  }
  return sql`unnest(${ints(blocks.map(({ block }) => block))}, ${booleans(blocks.map(({ inAds }) => inAds))})
      AS s(block_no, in_ads)
    CROSS JOIN LATERAL (
      SELECT * FROM nightshift.batch_rows r WHERE r.batch_id = ${batchId} AND r.row_no >= ${fromRow}
        AND r.row_no BETWEEN s.block_no * ${rowsPerBlock} + 1 AND (s.block_no + 1) * ${rowsPerBlock}
      LIMIT ${rowsPerBlock}
    ) r`;
}
