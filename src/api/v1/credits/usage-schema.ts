import { z } from '@hono/zod-openapi';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { operations } from '../../../core/credits/price-book.ts';
import type { BatchUsage, DayUsage, OperationUsage, Usage } from '../../../core/credits/usage.ts';
import { dayField, zoneField } from '../fields/days.ts';
import { pageQuery } from '../../http/pages.ts';

const count = z.int().min(0);
export const usageQuery = z.strictObject({
  by: z.enum(['day', 'batch', 'operation']).openapi({ description: 'What to add up by.' }),
  from: dayField.optional().openapi({
    description: 'The first day. Default: by day 30 days back, else the first there is.',
  }),
  to: dayField.optional().openapi({ description: 'The last day. Default: today.' }),
  time_zone: zoneField,
  operation: z.enum(operations).optional().openapi({ description: 'Lookups of this operation alone.' }),
  ...pageQuery(1000, 100),
});

const free = z
  .object({
    total: count,
    none: count.openapi({ description: 'There are no ads.' }),
    no_match: count.openapi({ description: 'No source could identify the company.' }),
    unknown: count.openapi({ description: 'Nothing speaks for or against the address.' }),
    failed: count.openapi({ description: 'There was no answer.' }),
    cancelled: count.openapi({ description: 'Nobody was asked.' }),
    repeated: count.openapi({ description: 'An earlier answer was shown again.' }),
    no_price: count.openapi({ description: 'Answers had no price then.' }),
  })
  .openapi({ description: 'Lookups that cost nothing, and why.' });

export const usageBody = z
  .object({
    by: z.enum(['day', 'batch', 'operation']),
    from: z.iso.date().nullable(),
    to: z.iso.date().nullable(),
    time_zone: z.string(),
    usage: z.array(
      z
        .object({
          day: z.iso.date().nullable().openapi({ description: 'By day: which.' }),
          batch: z.string().nullable().openapi({
            description: 'By batch: which; null for all single searches and validations together.',
          }),
          file_name: z.string().nullable().openapi({ description: 'What its list is called.' }),
          operation: z.enum(operations).nullable().openapi({ description: 'By operation: which.' }),
          lookups: count.openapi({ description: 'Lookups that ended: charged ones and free ones.' }),
          charged: count.openapi({ description: 'Those that were charged.' }),
          credits: z.number().openapi({ description: 'What they cost.' }),
          free,
        })
        .openapi('UsageLine'),
    ),
    next: z
      .string()
      .nullable()
      .openapi({ description: 'By batch: what to ask for with `after`; null on the last page.' }),
  })
  .openapi('Usage');

/** A line of it. What it is not added up by is null. */
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
