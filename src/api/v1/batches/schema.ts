import { pauseKinds } from '../../../core/work/pause.ts';
import { waitBody } from './wait-schema.ts';
import { z } from '@hono/zod-openapi';
import { batchStates } from '../../../core/batches/batch.ts';
import { operations } from '../../../core/credits/price-book.ts';
import {
  adsMax,
  budget,
  spendCap,
  fileName,
  jsonMap,
  jsonRows,
  maxAge,
  names,
  operationNames,
  ownOnly,
  readingTexts,
  region,
  surface,
  yesOrNo,
} from '../../upload/schema.ts';
import { text } from '../../http/text.ts';
import { batchCounts, labelFields, labelOptions, labelTexts } from './labels-schema.ts';
import { nextCursor } from '../../http/pages.ts';

const count = z.int().min(0);

/** Body of a batch. */
export const batchBody = z
  .object({
    id: z.string().openapi({ example: 'bat_01a1ff734ad87655b2c761ba36458456' }),
    state: z
      .enum(batchStates)
      .openapi({ description: 'State of the batch. `finished` and `cancelled` are final.' }),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Reason why the batch waits or is paused. Null in all other states.' }),
    file_name: z.string(),
    sheet: z
      .string()
      .nullable()
      .openapi({ description: 'Sheet that was read. Null for a file without sheets.' }),
    operations: z.array(z.enum(operations)),
    sources: z
      .array(z.string())
      .openapi({ description: 'Sources of the batch, in the order in which they are called.' }),
    region: z
      .string()
      .nullable()
      .openapi({ description: 'Country in which its ads are shown. Null for all countries.' }),
    surface: z
      .string()
      .nullable()
      .openapi({ description: 'Surface on which its ads are shown. Null for all surfaces.' }),
    max_ads: z
      .int()
      .nullable()
      .openapi({ description: 'Maximum number of ads of a company. Null without a bound.' }),
    own_only: z.boolean().openapi({ description: 'True if ads of third parties are left out.' }),
    max_age: z.string().nullable().openapi({
      description: 'Maximum age of stored answers that are reused. Null if none is.',
      example: '7d',
    }),
    rows: z
      .object({ total: count, rejected: count })
      .openapi({ description: 'Number of data rows in the file.' }),
    lookups: z
      .object({
        total: count,
        found: count,
        none: count,
        no_match: count,
        completed: count,
        failed: count,
        cancelled: count,
        open: count,
      })
      .openapi({
        description:
          'Number of distinct companies and addresses by outcome. `open` lookups have no outcome yet.',
      }),
    emails: z
      .object({ total: count, valid: count, invalid: count, catch_all: count, unknown: count })
      .openapi({ description: 'Number of distinct addresses, and of the completed ones by verdict.' }),
    credits: z
      .object({
        charged: z.number(),
        ceiling: z.number().openapi({ description: 'Cost if every lookup has a result.' }),
      })
      .openapi({ description: 'Credits charged so far, and the maximum cost of the batch.' }),
    ads_truncated: count.openapi({
      description:
        'Number of companies with more ads than the requested maximum. 0 once the rows are purged.',
    }),
    limit: z
      .int()
      .nullable()
      .openapi({ description: 'Number of rows, from the first, to look up. Null for all rows.' }),
    max_credits: z
      .number()
      .nullable()
      .openapi({ description: 'Maximum total cost of the batch, in credits. Null without a bound.' }),
    max_spend: z.string().nullable().openapi({
      description:
        'Maximum cost of the calls of the batch at its sources, in the currency of their prices. Null without a bound.',
      example: '5 USD',
    }),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    purged_at: z.iso.datetime().nullable().openapi({
      description: 'Time at which the rows and their results were purged. Null before that.',
    }),
    wait_kind: z.enum(pauseKinds).nullable().openapi({
      description:
        'Cause of a wait for a source. `refused` (the source rejects the API key), `unpaid` (it requires payment) and `declined` (it rejects every request) need action by the operator; the others resolve automatically. Null if the batch does not wait for a source.',
    }),
    wait_until: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'Time of the next automatic attempt. Null if there is none.' }),
    wait: waitBody.nullable().openapi({
      description:
        'Cause of a wait, also of a running batch whose source is throttled. Null while its calls go out.',
    }),
    limit_reached: z.boolean().openapi({
      description:
        'True if the batch is paused because the rows within `limit` are done. `resume` removes the limit.',
    }),
    ...labelFields,
  })
  .openapi('Batch');

/** A batch as the API and `--json` of the commands print it. */
export type BatchBody = z.infer<typeof batchBody>;

export const batchListBody = z
  .object({
    batches: z.array(batchBody),
    next: nextCursor,
    counts: batchCounts,
  })
  .openapi('BatchList');

export type BatchListBody = z.infer<typeof batchListBody>;

export const batchId = z.object({
  id: z
    .string()
    .openapi({ param: { name: 'id', in: 'path' }, example: 'bat_01a1ff734ad87655b2c761ba36458456' }),
});

const rows = z.coerce.number().int().min(1).max(1_000_000);

/** Reading options and bounds of an upload, as query parameters or as fields of a form. */
export const uploadOptions = z
  .strictObject({
    operations: operationNames.optional(),
    source: names.pipe(z.array(text())).optional().openapi({
      description: 'Sources to call, in order, separated by commas. Default: the configured sources.',
      type: 'string',
    }),
    ...readingTexts,
    limit: rows.optional().openapi({
      description: 'Number of rows, from the first, to look up. Default: all rows.',
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
    }),
    max_credits: budget(z.coerce.number())
      .optional()
      .openapi({ description: 'Maximum total cost of the batch, in credits. Default: no bound.' }),
    max_spend: spendCap.optional(),
    region: region.optional(),
    surface: surface.optional(),
    max_ads: adsMax(z.coerce.number()).optional(),
    own_only: ownOnly(yesOrNo)
      .optional()
      .openapi({ type: 'string', enum: ['true', 'false'] }),
    max_age: maxAge.optional(),
    file_name: fileName.optional().openapi({ description: 'Name of the file.' }),
    ...labelTexts,
    dry_run: yesOrNo.optional().openapi({
      description: '`true`: check the file and return the result, without storing anything.',
      type: 'string',
      enum: ['true', 'false'],
    }),
  })
  .openapi('UploadOptions');
export type UploadOptions = z.infer<typeof uploadOptions>;

/** Request with a small file as JSON. Its columns are the names of the fields of its rows. */
export const batchRequest = z
  .strictObject({
    rows: jsonRows.openapi({
      description: 'One object for each row. Unknown fields are returned in the export.',
      example: [{ company_domain: 'nike.com' }],
    }),
    operations: z.array(z.enum(operations)).min(1).optional(),
    source: z.array(text()).optional(),
    map: jsonMap.optional().openapi({ description: 'Mapping of fields to columns.' }),
    limit: z.int().min(1).max(1_000_000).optional(),
    max_credits: budget(z.number()).optional(),
    max_spend: spendCap.optional(),
    region: region.optional(),
    surface: surface.optional(),
    max_ads: adsMax(z.number()).optional(),
    own_only: ownOnly(z.boolean()).optional(),
    max_age: maxAge.optional(),
    file_name: fileName.optional(),
    ...labelOptions,
    dry_run: z.boolean().optional(),
  })
  .openapi('BatchRequest');
export type BatchRequest = z.infer<typeof batchRequest>;
