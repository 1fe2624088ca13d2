import { ValidationError } from '../errors.ts';
import type { SourcePrice } from './source-bill.ts';

/** Maximum cost of calls to sources, in the currency of their prices. */
export interface Spend {
  /** Exact decimal text. */
  readonly amount: string;
  /** Currency: `USD`, `credits`, `searches`. */
  readonly currency: string;
}

/** Form of an amount with its currency, such as `5USD` or `0.5 credits`. */
const spendForm = /^(\d{1,9}(?:\.\d{1,9})?) ?([A-Za-z][A-Za-z_-]{0,30})$/;

/** Parses an amount with its currency; null for anything else, and for nothing. */
export function parseSpend(text: string): Spend | null {
  const [, amount, currency] = spendForm.exec(text.trim()) ?? [];
  if (amount === undefined || currency === undefined || Number(amount) === 0) return null;
  return { amount, currency };
}

/** Formats an amount as `parseSpend` reads it. */
export function spendText({ amount, currency }: Spend): string {
  return `${amount} ${currency}`;
}

/**
 * Rejects a bound that cannot be held: the price of a source is not known, or is in another currency.
 *
 * @param charging ids of the sources that charge for calls.
 * @param prices the price book, by source, oldest first.
 * @param where option or field of the bound, for the error.
 * @throws ValidationError naming the source and the remedy.
 */
export function assertSpendable(
  spend: Spend,
  charging: readonly string[],
  prices: readonly SourcePrice[],
  where: string,
): void {
  const { amount, currency } = spend;
  for (const source of charging) {
    const price = prices.findLast((line) => line.source === source);
    if (price?.currency === currency) continue;
    const state = price === undefined ? 'has no price' : `has its price in ${price.currency}`;
    throw new ValidationError(
      `${where} ${amount}${currency}: ${source} ${state}, so that a bound in ${currency} cannot be held. ` +
        `Set the price: nightshift prices source ${source} AMOUNT --currency ${currency}` +
        (price === undefined ? ' --unit UNIT.' : `, or give the bound in ${price.currency}.`),
      { where },
    );
  }
}
