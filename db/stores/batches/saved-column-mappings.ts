import { sql } from 'drizzle-orm';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import type { BatchState } from '../../../src/core/batches/batch.ts';
import type {
  EarlierBatch,
  SavedColumnMappings,
  ListUse,
  RememberedColumns,
} from '../../../src/core/batches/saved-column-mapping.ts';
import type { HitRate } from '../../../src/core/credits/estimate.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';

/** Store of the column mappings of an account's batches. */
export function createSavedColumnMappings(db: Sql): SavedColumnMappings {
  return {
    findColumns: (accountId, header) => withDatabase(() => findColumns(db, accountId, header)),
    findEarlier: (accountId, use) => withDatabase(() => findEarlier(db, accountId, use)),
    readHitRates: (accountId, sources) => withDatabase(() => readHitRates(db, accountId, sources)),
  };
}

/** An account with a scan every hour has that many batches in three weeks. */
const batchesRemembered = 500;

async function findColumns(
  db: Sql,
  accountId: number,
  header: readonly string[],
): Promise<RememberedColumns | null> {
  const found = await db.execute<{
    public_id: string;
    file_name: string;
    created_at: string;
    header: readonly string[];
    column_map: Readonly<Record<string, number>>;
  }>(
    sql`SELECT b.public_id, b.file_name, b.created_at, b.header, b.column_map
      FROM (
        SELECT * FROM nightshift.batches WHERE account_id = ${accountId} AND deleted_at IS NULL ORDER BY id DESC LIMIT ${batchesRemembered}
      ) b
      WHERE b.header = ${texts(header)} AND b.state <> 'loading'
      ORDER BY b.id DESC LIMIT 1`,
  );
  const [row] = found.rows;
  if (row === undefined) return null;
  const fields = Object.entries(row.column_map).flatMap(([field, index]) => {
    const column = row.header[index];
    return column === undefined ? [] : [[field, column] as const];
  });
  return {
    batch: row.public_id,
    fileName: row.file_name,
    createdAt: new Date(row.created_at),
    fields: Object.fromEntries(fields),
  };
}

async function findEarlier(
  db: Sql,
  accountId: number,
  { contentSha256, sheet, operations, columnMap, sources, search }: ListUse,
): Promise<EarlierBatch | null> {
  const { region, surface, adsMax, ownOnly } = search;
  // For a batch that was submitted before search options existed.
  const anyway = JSON.stringify(anySearch);
  const found = await db.execute<{
    public_id: string;
    file_name: string;
    created_at: string;
    state: BatchState;
    charged_micro: string;
  }>(
    sql`SELECT b.public_id, b.file_name, b.created_at, b.state,
        (SELECT coalesce(sum(c.charged_micro), 0) FROM nightshift.chunks c WHERE c.batch_id = b.id) AS charged_micro
      FROM (
        SELECT * FROM nightshift.batches WHERE account_id = ${accountId} AND deleted_at IS NULL ORDER BY id DESC LIMIT ${batchesRemembered}
      ) b
      WHERE b.content_sha256 = ${Buffer.from(contentSha256, 'hex')} AND b.sheet IS NOT DISTINCT FROM ${sheet}
        AND b.operations = ${texts(operations)}
        AND b.column_map = ${JSON.stringify(columnMap)}::jsonb AND b.sources = ${texts(sources)}
        AND jsonb_strip_nulls(coalesce(b.search, ${anyway}::jsonb) - 'ageMsMax')
          = jsonb_strip_nulls(${JSON.stringify({ region, surface, adsMax, ownOnly })}::jsonb)
        AND b.state NOT IN ('loading', 'cancelled') AND b.purged_at IS NULL
      ORDER BY b.id DESC LIMIT 1`,
  );
  const [row] = found.rows;
  if (row === undefined) return null;
  return {
    batch: row.public_id,
    fileName: row.file_name,
    createdAt: new Date(row.created_at),
    state: row.state,
    chargedMicro: BigInt(row.charged_micro),
  };
}

/** Number of batches that count, each with its last chunks: a few hundred thousand lookups at most, summed over counted rows. */
const batchesCounted = 50;
const chunksCounted = 100;

async function readHitRates(
  db: Sql,
  accountId: number,
  sources: readonly string[],
): Promise<Readonly<Partial<Record<Operation, HitRate>>>> {
  const rates = await db.execute<{ operation: Operation; hits: string; answered: string }>(
    sql`SELECT c.operation, sum(c.found + c.valid + c.invalid + c.catch_all) AS hits,
        sum(c.found + c.none + c.no_match + c.valid + c.invalid + c.catch_all + c.unknown) AS answered
      FROM (
        SELECT id, sources FROM nightshift.batches WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${batchesCounted}
      ) b CROSS JOIN LATERAL (
        SELECT * FROM nightshift.chunks WHERE batch_id = b.id ORDER BY id DESC LIMIT ${chunksCounted}
      ) c
      WHERE c.operation = 'email_validation' OR b.sources = ${texts(sources)}
      GROUP BY c.operation`,
  );
  return Object.fromEntries(
    rates.rows.map(({ operation, hits, answered }) => [
      operation,
      { hits: Number(hits), answered: Number(answered) },
    ]),
  );
}
