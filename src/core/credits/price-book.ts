import type { EmailStatus } from '../emails/verdict/verdict.ts';
import type { Outcome } from '../work/outcomes.ts';

export const operations = ['ads_search', 'email_validation'] as const;
export type Operation = (typeof operations)[number];

/**
 * Port: the price book. Prices are effective-dated; the price at the time of the hold applies to a lookup
 * (docs/architecture/decisions/0009-microcredits.md and docs/architecture/decisions/0010-set-based-ledger.md).
 */
export interface PriceBook {
  /** Current price of an answer with a result, in microcredits. */
  priceNow(operation: Operation): Promise<bigint>;
}

/** Reads the current price of each operation, in microcredits. */
export async function readPrices(prices: PriceBook): Promise<Readonly<Record<Operation, bigint>>> {
  const read = operations.map(async (operation) => [operation, await prices.priceNow(operation)] as const);
  return Object.fromEntries(await Promise.all(read)) as Readonly<Record<Operation, bigint>>;
}

/** The parts of an outcome that determine its price. */
export interface Priced {
  readonly outcome: Outcome;
  /** Verdict of a completed validation; null otherwise. */
  readonly emailStatus: EmailStatus | null;
  /** The lookup whose answer is reused; null for a new answer. */
  readonly repeats: bigint | null;
}

/**
 * Computes the charge of a finished lookup, in microcredits: the price of the hold if ads were found, or if an address got a
 * verdict other than `unknown`; 0 otherwise, and 0 for a reused answer. docs/architecture/contract.md, 4.1 and 8; for addresses
 * docs/architecture/decisions/0009-microcredits.md. The only place where a cost is decided.
 */
export function chargeFor({ outcome, emailStatus, repeats }: Priced, priceMicro: bigint): bigint {
  const isResult = outcome === 'found' || (outcome === 'completed' && emailStatus !== 'unknown');
  return isResult && repeats === null ? priceMicro : 0n;
}
