import { sql, type SQL } from 'drizzle-orm';
import type { ResultFilter } from '../../src/core/results/result-filter.ts';
import type { Sql } from '../client.ts';
import { booleans, ints } from './arrays.ts';
import { blockConditions } from './result-conditions.ts';

/** Rows of a block; `nightshift.drop_blocks` knows it too. */
export const rowsPerBlock = 64;

/** Blocks that are looked at first; then so many times as many, as long as too little was found. */
const firstWindow = 16;
const windowGrowth = 4;
const windowMax = 4096;
/** Blocks whose rows are looked at by one statement: the first of them may have enough. */
const blocksPerSearch = 128;

/** A batch, and where in it a search begins. */
export interface SearchedBatch {
  readonly batchId: number;
  readonly rowsTotal: number;
  readonly fromRow: number;
}

/**
 * Looks through the rows `r` that `spans` joins, for the first results, up to so many; in the order of the rows. `spans` is `s`, with the
 * numbers `s.lo` to `s.hi`; `s.in_ads` says whether words that are searched for may stand in their ads.
 */
export type SearchSpans<T> = (spans: SQL, limit: number) => Promise<readonly T[]>;

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
  { limit, search }: { readonly limit: number; readonly search: SearchSpans<T> },
): Promise<readonly T[]> {
  const found: T[] = [];
  const blocks = Math.ceil(rowsTotal / rowsPerBlock);
  let first = Math.floor((fromRow - 1) / rowsPerBlock);
  let size = firstWindow;
  while (first < blocks && found.length < limit) {
    const last = Math.min(first + size, blocks) - 1;
    const promising = await findPromising(db, filter, { batchId, first, last });
    for (let at = 0; at < promising.length && found.length < limit; at += blocksPerSearch) {
      const spans = spansSql(promising.slice(at, at + blocksPerSearch));
      found.push(...(await search(spans, limit - found.length)));
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

/** Those that say they may, and those that there are none of. */
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
    sql`SELECT array_agg(block_no) FILTER (WHERE may_have IS NOT TRUE) AS hopeless,
        array_agg(block_no) FILTER (WHERE may_have AND NOT in_ads) AS in_rows
      FROM (
        SELECT b.block_no, (${says.mayHave}) AS may_have, (${says.wordsInAds}) AS in_ads FROM nightshift.row_blocks b
        WHERE b.batch_id = ${batchId} AND b.block_no BETWEEN ${first} AND ${last} OFFSET 0
      ) s`,
  );
  const hopeless = new Set(rows[0]?.hopeless ?? []);
  const inRows = new Set(rows[0]?.in_rows ?? []);
  return every
    .filter(({ block }) => !hopeless.has(block))
    .map(({ block }) => ({ block, inAds: !inRows.has(block) }));
}

/** Blocks as spans of rows; neighbours of a kind make one. */
function spansSql(blocks: readonly PromisingBlock[]): SQL {
  const goesOn = (one: PromisingBlock | undefined, other: PromisingBlock | undefined) =>
    one !== undefined && other !== undefined && one.block + 1 === other.block && one.inAds === other.inAds;
  const from = blocks.filter((block, i) => !goesOn(blocks[i - 1], block));
  const to = blocks.filter((block, i) => !goesOn(block, blocks[i + 1]));
  const lo = from.map(({ block }) => block * rowsPerBlock + 1);
  const hi = to.map(({ block }) => (block + 1) * rowsPerBlock);
  // One span by itself is read in order, and no further than needed.
  return lo.length === 1
    ? sql`(SELECT ${lo[0]}::integer AS lo, ${hi[0]}::integer AS hi, ${from[0]?.inAds === true}::boolean AS in_ads) s`
    : sql`unnest(${ints(lo)}, ${ints(hi)}, ${booleans(from.map(({ inAds }) => inAds))}) AS s(lo, hi, in_ads)`;
}
