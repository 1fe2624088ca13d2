import { z } from '@hono/zod-openapi';
import { spendCap } from '../../upload/schema.ts';
import { batchBody } from './schema.ts';

const count = z.int().min(0);

/** Request without options: the body is optional, and must be an empty object. */
export const nothingRequest = z.strictObject({}).openapi('Nothing');

/** Request to resume a batch, with new bounds. */
export const resumeRequest = z
  .strictObject({
    limit: z.int().min(1).max(1_000_000).nullable().optional(),
    max_credits: z.number().positive().max(1_000_000_000).nullable().optional(),
    max_spend: spendCap.nullable().optional(),
  })
  .openapi('ResumeRequest');

export type ResumeRequest = z.infer<typeof resumeRequest>;

export const retryRequest = z
  .strictObject({
    in_doubt: z.boolean().optional().openapi({
      description: 'Also retry lookups whose call was interrupted and may have been charged by the source.',
    }),
    reparse: z.boolean().optional().openapi({
      description:
        'Retry only lookups whose response could not be parsed and is stored: parse it again, without calling a source. Cannot be combined with `in_doubt`.',
    }),
    mapped: z.boolean().optional().openapi({
      description:
        'Instead of failed lookups, retry those of companies that were not identified, and that were mapped since to an advertiser with the role `allow` or `agency`. Cannot be combined with the others.',
    }),
    unidentified: z.boolean().optional().openapi({
      description:
        'Also retry lookups of companies that were not identified, mapped or not. Cannot be combined with `reparse` and `mapped`.',
    }),
    rows: z
      .array(z.int().min(1).max(1_000_000_000))
      .min(1)
      .max(5_000)
      .optional()
      .openapi({
        description:
          'Retry only lookups of these rows, by number. Other rows of the same companies and addresses get their results, too. Up to 5,000. Default: all rows.',
        example: [1, 5, 9],
      }),
    dry_run: z.boolean().optional().openapi({
      description: '`true`: return the number of lookups and their maximum cost, without retrying any.',
    }),
  })
  .openapi('RetryRequest');
export type RetryRequest = z.infer<typeof retryRequest>;

export const retryBody = batchBody
  .extend({
    retried: count.openapi({ description: 'Number of lookups that are retried.' }),
    in_doubt_left: count.openapi({
      description:
        'Number of failed lookups that are not retried because their call may have been charged by the source.',
    }),
    credits_max: z.number().openapi({
      description: 'Maximum cost of the retried lookups, in credits: every one of them has a result.',
    }),
  })
  .openapi('RetriedBatch');
export type RetriedBody = z.infer<typeof retryBody>;
