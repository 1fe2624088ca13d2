import { sql } from 'drizzle-orm';
import type { ListMemory, RememberedColumns } from '../../src/core/batch/list-memory.ts';
import type { HitRate } from '../../src/core/credits/estimate.ts';
import type { Operation } from '../../src/core/credits/price-book.ts';
import { withDatabase, type Sql } from '../client.ts';
import { texts } from './arrays.ts';

/** What the batches of an account remember of its lists. */
export function createListMemory(db: Sql): ListMemory {
  return {
    findColumns: (accountId, header) => withDatabase(() => findColumns(db, accountId, header)),
    readHitRates: (accountId, sources) => withDatabase(() => readHitRates(db, accountId, sources)),
  };
}

/** An account that scans every hour has that many batches in three weeks. */
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
        SELECT * FROM nightshift.batches WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${batchesRemembered}
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

/** Of each of the last batches the last chunks: some hundred thousand lookups at most, summed over rows that are counted already. */
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
