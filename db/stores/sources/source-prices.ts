import { sql } from 'drizzle-orm';
import type { SourcePrice, SourcePrices } from '../../../src/core/sources/source-bill.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { sourcePrices } from '../../schema/sources.ts';

/** The price book of the sources in `nightshift.source_prices`: the newest line that is not in the future applies. */
export function createSourcePrices(db: Sql): SourcePrices {
  return {
    list: () => withDatabase(() => listPrices(db)),
    set: (price) => withDatabase(() => setPrice(db, price)),
  };
}

/** Columns of a price; the amount without trailing zeros. */
const columns = {
  source: sourcePrices.source,
  amount: sql`trim_scale(${sourcePrices.amount})`.mapWith(sourcePrices.amount),
  currency: sourcePrices.currency,
  unit: sourcePrices.unit,
  effectiveFrom: sourcePrices.effectiveFrom,
  note: sourcePrices.note,
};

function listPrices(db: Sql): Promise<readonly SourcePrice[]> {
  return db.select(columns).from(sourcePrices).orderBy(sourcePrices.source, sourcePrices.effectiveFrom);
}

async function setPrice(db: Sql, price: Omit<SourcePrice, 'effectiveFrom'>): Promise<SourcePrice> {
  const { source, amount, currency, unit, note } = price;
  const [stored] = await db
    .insert(sourcePrices)
    .values({ source, effectiveFrom: sql`clock_timestamp()`, amount, currency, unit, note })
    .returning(columns);
  if (stored === undefined) throw new Error('A price was stored and not answered.');
  return stored;
}
