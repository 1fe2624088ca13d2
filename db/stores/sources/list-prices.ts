import { sql } from 'drizzle-orm';
import type { SourcePrice } from '../../../src/core/sources/source-bill.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

/**
 * Adds list prices of sources that the price book does not know yet. A source with a price keeps it, because the operator may
 * have set it. Processes that start at the same time add a price once.
 */
export async function addListPrices(db: Sql, prices: readonly SourcePrice[]): Promise<void> {
  await withDatabase(() =>
    db.execute(
      sql`INSERT INTO nightshift.source_prices (source, effective_from, amount, currency, unit, note)
        SELECT list.source, list.effective_from, list.amount, list.currency, list.unit, list.note
        FROM jsonb_to_recordset(${JSON.stringify(prices.map(toRow))}::jsonb)
          AS list (source text, effective_from timestamptz, amount numeric, currency text, unit text, note text)
        WHERE NOT EXISTS (SELECT FROM nightshift.source_prices AS known WHERE known.source = list.source)
        ON CONFLICT DO NOTHING`,
    ),
  );
}

function toRow({ effectiveFrom, ...price }: SourcePrice) {
  return { ...price, effective_from: effectiveFrom };
}
