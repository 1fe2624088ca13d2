import type { EmailStatus } from '../emails/verdict/verdict.ts';
import type { Outcome } from '../lookups/outcomes.ts';

export const operations = ['ads_search', 'email_validation'] as const;
export type Operation = (typeof operations)[number];

/** Port: the price book. Prices are effective-dated; what counts for a lookup is the price at its hold (DESIGN D9, D10). */
export interface PriceBook {
  /** What an answer with a result costs now, in microcredits. */
  priceNow(operation: Operation): Promise<bigint>;
}

/** How a lookup ended, as far as its price depends on that. */
export interface Priced {
  readonly outcome: Outcome;
  /** Of a lookup that was completed with a verdict; null otherwise. */
  readonly emailStatus: EmailStatus | null;
  /** The lookup whose answer is shown again, where it is; null otherwise. */
  readonly repeats: bigint | null;
}

/**
 * What a finished lookup costs, in microcredits: the price of the hold when ads were found, or when an address got a verdict other
 * than `unknown`; nothing otherwise, and nothing for an answer that is shown again.
 *
 * Service contract §4.1 and §8; of addresses DESIGN D9. The only place where a cost is decided.
 */
export function chargeFor({ outcome, emailStatus, repeats }: Priced, priceMicro: bigint): bigint {
  const isResult = outcome === 'found' || (outcome === 'completed' && emailStatus !== 'unknown');
  return isResult && repeats === null ? priceMicro : 0n;
}
