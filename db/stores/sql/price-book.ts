import { sql, type SQL } from 'drizzle-orm';
import type { Operation, PriceBook } from '../../../src/core/credits/price-book.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { prices } from '../../schema/credits.ts';

/** A line of the price book. */
export interface PriceLine {
  readonly operation: Operation;
  readonly amountMicro: bigint;
  readonly effectiveFrom: Date;
  readonly note: string;
}

/** The price book in `nightshift.prices`: the newest line that is not in the future applies. */
export function createPriceBook(db: Sql): PriceBook & { readLines(): Promise<readonly PriceLine[]> } {
  return {
    priceNow: (operation) => withDatabase(() => priceNow(db, operation)),
    readLines: () => withDatabase(() => readLines(db)),
  };
}

/** The current line of the price book at the time of the transaction: one row, `amount_micro`. */
export function priceNowSql(operation: Operation): SQL {
  return sql`SELECT amount_micro FROM nightshift.prices WHERE operation = ${operation} AND effective_from <= now()
    ORDER BY effective_from DESC LIMIT 1`;
}

/** Price of an answer with a result at the time of the caller's transaction, in microcredits. */
export async function priceNow(db: Sql, operation: Operation): Promise<bigint> {
  const result = await db.execute<{ amount_micro: string }>(priceNowSql(operation));
  const row = result.rows[0];
  if (row === undefined) throw new Error(`The price book has no price for ${operation}.`);
  return BigInt(row.amount_micro);
}

function readLines(db: Sql): Promise<readonly PriceLine[]> {
  const { operation, amountMicro, effectiveFrom, note } = prices;
  return db
    .select({ operation, amountMicro, effectiveFrom, note })
    .from(prices)
    .orderBy(operation, effectiveFrom);
}
