import type { Sql } from '../../../db/connection/client.ts';
import { addListPrices } from '../../../db/stores/sources/list-prices.ts';
import type { SourcePrice } from '../../core/sources/source-bill.ts';
import { liveSources } from '../../sources/registry.ts';

/** Stores the prices of the vendors' lists, as the sources declare them. @throws DatabaseUnavailable */
export async function addVendorPrices(db: Sql): Promise<void> {
  await addListPrices(db, listPrices);
}

const listPrices: readonly SourcePrice[] = liveSources.flatMap(({ id: source, price }) => {
  if (price?.kind !== 'list') return [];
  const { amount, currency, unit, note, since } = price;
  return [{ source, amount, currency, unit, note, effectiveFrom: new Date(since) }];
});
