import { z } from '@hono/zod-openapi';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { operations } from '../../../core/credits/price-book.ts';
import type { BatchUsage, DayUsage, OperationUsage, Usage } from '../../../core/credits/usage.ts';
import { dayField, zoneField } from '../fields/days.ts';
import { pageQuery } from '../../http/pages.ts';

const count = z.int().min(0);
export const usageQuery = z.strictObject({
  by: z.enum(['day', 'batch', 'operation']).openapi({ description: 'Unit of aggregation.' }),
  from: dayField.optional().openapi({
    description:
      'First day of the period. Default: 30 days back with `by=day`, else the first day with data.',
  }),
  to: dayField.optional().openapi({ description: 'Last day of the period. Default: today.' }),
  time_zone: zoneField,
  operation: z.enum(operations).optional().openapi({ description: 'Count only lookups of this operation.' }),
  ...pageQuery(1000, 100),
});

const free = z
  .object({
    total: count,
    none: count.openapi({ description: 'Searches without ads.' }),
    no_match: count.openapi({ description: 'Searches for a company that no source could identify.' }),
    unknown: count.openapi({ description: 'Validations with the verdict `unknown`.' }),
    failed: count.openapi({ description: 'Lookups without an answer.' }),
    cancelled: count.openapi({ description: 'Lookups that were cancelled before a call.' }),
    repeated: count.openapi({ description: 'Lookups that reused an earlier answer.' }),
    no_price: count.openapi({ description: 'Lookups at a time without a price for the operation.' }),
  })
  .openapi({ description: 'Number of free lookups, by reason.' });

export const usageBody = z
  .object({
    by: z.enum(['day', 'batch', 'operation']),
    from: z.iso.date().nullable(),
    to: z.iso.date().nullable(),
    time_zone: z.string(),
    usage: z.array(
      z
        .object({
          day: z.iso.date().nullable().openapi({ description: 'The day, with `by=day`. Otherwise null.' }),
          batch: z.string().nullable().openapi({
            description:
              'The batch, with `by=batch`. Null for all single searches and validations together, and otherwise.',
          }),
          file_name: z.string().nullable().openapi({ description: 'File name of the batch.' }),
          operation: z
            .enum(operations)
            .nullable()
            .openapi({ description: 'The operation, with `by=operation`. Otherwise null.' }),
          lookups: count.openapi({ description: 'Number of ended lookups, charged and free.' }),
          charged: count.openapi({ description: 'Number of charged lookups.' }),
          credits: z.number().openapi({ description: 'Credits charged.' }),
          free,
        })
        .openapi('UsageLine'),
    ),
    next: z.string().nullable().openapi({
      description: 'With `by=batch`: cursor of the next page, for `after`. Null on the last page.',
    }),
  })
  .openapi('Usage');

/** Converts a line of usage. Fields of other units of aggregation are null. */
export function toUsageLine(usage: Usage & Partial<DayUsage & OperationUsage & BatchUsage>) {
  const { lookups, charged, chargedMicro } = usage;
  return {
    day: usage.day ?? null,
    batch: usage.batch ?? null,
    file_name: usage.fileName ?? null,
    operation: usage.operation ?? null,
    ...{ lookups, charged },
    credits: creditsNumber(chargedMicro),
    free: { total: lookups - charged, ...usage.free },
  };
}
