import { z } from '@hono/zod-openapi';
import { creditsNumber } from '../../core/credits/credits.ts';
import {
  answeredMin,
  estimateCost,
  tellsEnough,
  type HitRate,
  type LookupCounts,
} from '../../core/credits/estimate.ts';
import { operations, type Operation } from '../../core/credits/price-book.ts';

const count = z.int().min(0);

const hitRate = z.object({
  operation: z.enum(operations),
  price: z.number().openapi({ description: 'Credits for a lookup with a result.' }),
  lookups: count.openapi({ description: 'Number of lookups, within `limit`.' }),
  rate: z
    .number()
    .nullable()
    .openapi({
      description: `Share of the answered lookups that had a result, from 0 to 1. Null with fewer than ${answeredMin} answered lookups.`,
    }),
  answered: count.openapi({
    description:
      'Number of answered lookups that the rate is based on: those of the last 50 batches; for companies, from the same sources.',
  }),
});

/** Body of a cost estimate. */
export const estimateBody = z
  .object({
    floor: z.number(),
    ceiling: z.number().openapi({
      description: 'Cost if every lookup within `limit` has a result, regardless of `max_credits`.',
    }),
    expected: z.number().nullable().openapi({
      description:
        'Expected cost by the hit rates of the account. Null if an operation with a price has too few answered lookups.',
    }),
    at_most: z.number().openapi({
      description: 'Maximum cost: `ceiling`, or `max_credits` if that is less.',
    }),
    balance: z.number().openapi({ description: 'Credits that the account can spend now.' }),
    hit_rates: z.array(hitRate).openapi({ description: 'Hit rates by operation.' }),
  })
  .openapi({ description: 'Estimated cost, in credits.' });

/** Data of an estimate besides the lookups. */
export interface EstimateInfo {
  readonly pricesMicro: Readonly<Record<Operation, bigint>>;
  readonly hitRates: Readonly<Partial<Record<Operation, HitRate>>>;
  readonly balanceMicro: bigint;
  readonly maxCreditsMicro: bigint | null;
}

export function toEstimateBody(
  lookups: LookupCounts,
  wanted: readonly Operation[],
  { pricesMicro, hitRates, balanceMicro, maxCreditsMicro }: EstimateInfo,
): z.infer<typeof estimateBody> {
  const { ceilingMicro, expectedMicro } = estimateCost(lookups, pricesMicro, hitRates);
  const isBounded = maxCreditsMicro !== null && maxCreditsMicro < ceilingMicro;
  return {
    floor: 0,
    ceiling: creditsNumber(ceilingMicro),
    expected: expectedMicro === null ? null : creditsNumber(expectedMicro),
    at_most: creditsNumber(isBounded ? maxCreditsMicro : ceilingMicro),
    balance: creditsNumber(balanceMicro),
    hit_rates: wanted.map((operation) => ({
      operation,
      price: creditsNumber(pricesMicro[operation]),
      lookups: lookups[operation],
      ...toRate(hitRates[operation]),
    })),
  };
}

function toRate(rate: HitRate | undefined) {
  return { rate: tellsEnough(rate) ? rate.hits / rate.answered : null, answered: rate?.answered ?? 0 };
}
