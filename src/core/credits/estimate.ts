import type { Operation } from './price-book.ts';
import { operations } from './price-book.ts';

/** Number of lookups by operation. */
export type LookupCounts = Readonly<Record<Operation, number>>;

/** Recent lookups of an account: those answered, and those of them with a result that costs. */
export interface HitRate {
  readonly hits: number;
  readonly answered: number;
}

/**
 * Answered lookups below which nothing is expected of the next ones; our choice: with 50 the share is known to within some 14 points
 * nineteen times of twenty, which is still a help; with 10 it would be 30.
 */
export const answeredMin = 50;

/** Maximum and expected cost of a batch; microcredits. */
export interface CostEstimate {
  /** Every lookup has a result. */
  readonly ceilingMicro: bigint;
  /** By the account's own hit rates; null where an operation that costs has too few answered lookups to say. */
  readonly expectedMicro: bigint | null;
}

/** Prices lookups that are not made yet, by the hit rates that are known. */
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

/** True when enough lookups were answered to go by. */
export function tellsEnough(rate: HitRate | undefined): rate is HitRate {
  return rate !== undefined && rate.answered >= answeredMin;
}

function expectedOf(ceilingMicro: bigint, rate: HitRate | undefined): bigint | null {
  if (ceilingMicro === 0n) return 0n;
  return tellsEnough(rate) ? (ceilingMicro * BigInt(rate.hits)) / BigInt(rate.answered) : null;
}
