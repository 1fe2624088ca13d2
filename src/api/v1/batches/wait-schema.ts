import { z } from '@hono/zod-openapi';
import { waitCauses } from '../../../core/work/wait-cause.ts';

/** Body of a wait. */
export const waitBody = z
  .object({
    cause: z.enum(waitCauses).nullable().openapi({
      description:
        'Cause: `rate_limit` of the source, the configured `pace`, a `circuit_breaker` after failures, a cap on calls or cost per day (`day_calls`, `day_spend`), on calls of the account per day (`account_day_calls`) or on cost per batch (`batch_spend`), the `account_limit` at the source, a rejected `credential`, `rejections` of every request, a `block` by the source, missing `credits`, or an `archive` in which calls cannot be recorded. Null if it is unknown. Later versions may add causes.',
    }),
    label: z.string().nullable().openapi({ description: 'Name of the cause in English, with its limit.' }),
    bound: z.string().nullable().openapi({
      description: 'Limit with its unit, such as `5 USD` or `100 calls`. Null without one.',
    }),
    source: z
      .string()
      .nullable()
      .openapi({ description: 'Source that is throttled. Null if it is unknown.' }),
    reason: z.string().nullable(),
    until: z.iso.datetime().nullable().openapi({ description: 'End of the wait. Null if it is unknown.' }),
  })
  .openapi('Wait');
