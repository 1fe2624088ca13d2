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
  price: z.number().openapi({ description: 'Of a result.' }),
  lookups: count.openapi({ description: 'So many would be made, within `limit`.' }),
  rate: z
    .number()
    .nullable()
    .openapi({
      description: `The share of answered lookups that had a result; null with fewer than ${answeredMin} of them.`,
    }),
  answered: count.openapi({
    description:
      'What it rests on: answered lookups of the last 50 batches, of companies from the same sources.',
  }),
});

/** Body of a cost estimate. */
export const estimateBody = z
  .object({
    floor: z.number(),
    ceiling: z
      .number()
      .openapi({ description: 'If every lookup within `limit` has a result; `max_credits` aside.' }),
    expected: z.number().nullable().openapi({
      description:
        'The same by the account’s own hit rates; null where an operation that costs has too few answered lookups to say.',
    }),
    at_most: z.number().openapi({
      description: 'The ceiling, or `max_credits` where that is less: it costs no more than this.',
    }),
    balance: z.number().openapi({ description: 'What the account can spend now.' }),
    hit_rates: z.array(hitRate).openapi({ description: 'By operation.' }),
  })
  .openapi({ description: 'What it would cost.' });

/** Data of an estimate, beside the lookups. */
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
