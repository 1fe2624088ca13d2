import type { Operation } from './price-book.ts';
import { operations } from './price-book.ts';

/** Number of lookups by operation. */
export type LookupCounts = Readonly<Record<Operation, number>>;

/** Recent lookups of an account: those answered, and how many of them had a result that costs. */
export interface HitRate {
  readonly hits: number;
  readonly answered: number;
}

/**
 * Minimum number of answered lookups for an expectation. Our choice: 50 give the share within about 14 points at 95%
 * confidence, which is still useful; 10 would give it within 30.
 */
export const answeredMin = 50;

/** Maximum and expected cost of a batch; microcredits. */
export interface CostEstimate {
  /** Cost if every lookup has a result. */
  readonly ceilingMicro: bigint;
  /** Cost at the account's own hit rates; null if an operation that costs has too few answered lookups. */
  readonly expectedMicro: bigint | null;
}

/** Estimates the cost of new lookups from the known hit rates. */
export function estimateCost(
  lookups: LookupCounts,
  pricesMicro: Readonly<Record<Operation, bigint>>,
  hitRates: Readonly<Partial<Record<Operation, HitRate>>> = {},
): CostEstimate {
  const parts = operations.map((operation) => {
    const ceilingMicro = BigInt(lookups[operation]) * pricesMicro[operation];
    return { ceilingMicro, expectedMicro: expectedOf(ceilingMicro, hitRates[operation]) };
  });
  return {
    ceilingMicro: parts.reduce((sum, part) => sum + part.ceilingMicro, 0n),
    expectedMicro: parts.reduce<bigint | null>(
      (sum, { expectedMicro }) => (sum === null || expectedMicro === null ? null : sum + expectedMicro),
      0n,
    ),
  };
}

/** True when enough lookups were answered for an expectation. */
export function tellsEnough(rate: HitRate | undefined): rate is HitRate {
  return rate !== undefined && rate.answered >= answeredMin;
}

function expectedOf(ceilingMicro: bigint, rate: HitRate | undefined): bigint | null {
  if (ceilingMicro === 0n) return 0n;
  return tellsEnough(rate) ? (ceilingMicro * BigInt(rate.hits)) / BigInt(rate.answered) : null;
}
