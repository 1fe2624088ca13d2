import { sql } from 'drizzle-orm';
import type { SourcePrice, SourcePrices } from '../../../src/core/sources/source-bill.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

/** The price book of the sources in `nightshift.source_prices`: the newest line that is not in the future counts. */
export function createSourcePrices(db: Sql): SourcePrices {
  return {
    list: () => withDatabase(() => listPrices(db)),
    set: (price) => withDatabase(() => setPrice(db, price)),
  };
}

interface PriceRow extends Record<string, unknown> {
  readonly source: string;
  readonly amount: string;
  readonly currency: string;
  readonly unit: string;
  readonly effective_from: string;
  readonly note: string | null;
}

const columns = sql`source, trim_scale(amount)::text AS amount, currency, unit, effective_from, note`;

async function listPrices(db: Sql): Promise<readonly SourcePrice[]> {
  const found = await db.execute<PriceRow>(
    sql`SELECT ${columns} FROM nightshift.source_prices ORDER BY source, effective_from`,
  );
  return found.rows.map(toPrice);
}

async function setPrice(db: Sql, price: Omit<SourcePrice, 'effectiveFrom'>): Promise<SourcePrice> {
  const { source, amount, currency, unit, note } = price;
  const stored = await db.execute<PriceRow>(
    sql`INSERT INTO nightshift.source_prices (source, effective_from, amount, currency, unit, note)
      VALUES (${source}, clock_timestamp(), ${amount}::numeric, ${currency}, ${unit}, ${note}) RETURNING ${columns}`,
  );
  const [row] = stored.rows;
  if (row === undefined) throw new Error('A price was stored and not answered.');
  return toPrice(row);
}

function toPrice({ effective_from: effectiveFrom, ...row }: PriceRow): SourcePrice {
  return { ...row, effectiveFrom: new Date(effectiveFrom) };
}
