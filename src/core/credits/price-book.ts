import type { AdsOutcome } from '../outcomes.ts';

export const operations = ['ads_search', 'email_validation'] as const;
export type Operation = (typeof operations)[number];

/** Port: the price book. Prices are effective-dated; what counts for a lookup is the price at its hold (DESIGN D9, D10). */
export interface PriceBook {
  /** What an answer with a result costs now, in microcredits. */
  priceNow(operation: Operation): Promise<bigint>;
}

/**
 * What a finished lookup costs, in microcredits: the price of the hold when ads were found, nothing otherwise.
 *
 * Service contract §4.1 and §8. The only place where a cost is decided.
 */
export function chargeFor(outcome: AdsOutcome, priceMicro: bigint): bigint {
  return outcome === 'found' ? priceMicro : 0n;
}
