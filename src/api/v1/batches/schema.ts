import { pauseKinds } from '../../../core/work/pause.ts';
import { z } from '@hono/zod-openapi';
import { batchStates } from '../../../core/batches/batch.ts';
import type { ReportedEmail, ReportForm, ReportLine } from '../../../core/batches/batch-report.ts';
import { nameColumns } from '../../../reporter/formats/report-row.ts';
import { emailStatuses, recommendations, verificationLevels } from '../../../core/emails/verdict/verdict.ts';
import { adsOutcomes, emailOutcomes } from '../../../core/work/outcomes.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { operations } from '../../../core/credits/price-book.ts';
import {
  adsMax,
  budget,
  fileName,
  jsonMap,
  jsonRows,
  maxAge,
  names,
  operationNames,
  ownOnly,
  readingTexts,
  region,
  yesOrNo,
} from '../../upload/schema.ts';
import { text } from '../../http/text.ts';

const count = z.int().min(0);

/** A batch. */
export const batchBody = z
  .object({
    id: z.string().openapi({ example: 'bat_01a1ff734ad87655b2c761ba36458456' }),
    state: z.enum(batchStates).openapi({ description: '`finished` and `cancelled` are final.' }),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Why it waits or is paused; null while it does not.' }),
    file_name: z.string(),
    operations: z.array(z.enum(operations)),
    sources: z
      .array(z.string())
      .openapi({ description: 'Where its ads come from, in the order they are asked.' }),
    rows: z.object({ total: count, rejected: count }).openapi({ description: 'Data rows of the list.' }),
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
      .openapi({ description: 'Distinct companies and addresses by outcome; `open` ones have none yet.' }),
    emails: z
      .object({ total: count, valid: count, invalid: count, catch_all: count, unknown: count })
      .openapi({ description: 'The addresses among them, by the verdict of those that are completed.' }),
    credits: z
      .object({
        charged: z.number(),
        ceiling: z.number().openapi({ description: 'If every lookup has a result.' }),
      })
      .openapi({ description: 'What it cost so far, and what it can cost at most.' }),
    ads_truncated: count.openapi({
      description: 'Companies with more ads than were asked for; 0 once the rows are purged.',
    }),
    limit: z.int().nullable().openapi({ description: 'Only the companies of the first rows are looked up.' }),
    max_credits: z.number().nullable().openapi({ description: 'What it may cost in all.' }),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    purged_at: z.iso.datetime().nullable().openapi({
      description: 'When its rows, and what was found for them, went; null while they are there.',
    }),
    wait_kind: z.enum(pauseKinds).nullable().openapi({
      description:
        'What keeps it, where it waits for a source: `refused` (our key), `unpaid` and `declined` (what we ask, whoever it is about) ask for a person, the others pass by themselves.',
    }),
    wait_until: z.iso.datetime().nullable().openapi({ description: 'When it is tried again by itself.' }),
    limit_reached: z
      .boolean()
      .openapi({ description: 'It is paused because the rows of its limit are done; `resume` lifts that.' }),
  })
  .openapi('Batch');

/** A batch as the API and `--json` of the commands print it. */
export type BatchBody = z.infer<typeof batchBody>;

export const batchListBody = z
  .object({
    batches: z.array(batchBody),
    next: z
      .string()
      .nullable()
      .openapi({ description: 'What to ask for with `after`; null on the last page.' }),
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
      description: 'Where ads come from, in order, separated by commas. Default: the configured sources.',
      type: 'string',
    }),
    ...readingTexts,
    limit: rows.optional().openapi({
      description: 'Look up only the companies of the first rows.',
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
    }),
    max_credits: budget(z.coerce.number())
      .optional()
      .openapi({ description: 'What the batch may cost in all.' }),
    region: region.optional(),
    max_ads: adsMax(z.coerce.number()).optional(),
    own_only: ownOnly(yesOrNo)
      .optional()
      .openapi({ type: 'string', enum: ['true', 'false'] }),
    max_age: maxAge.optional(),
    file_name: fileName.optional().openapi({ description: 'What the list is called.' }),
    dry_run: yesOrNo.optional().openapi({
      description: '`true`: say what would become of the list, and store nothing.',
      type: 'string',
      enum: ['true', 'false'],
    }),
  })
  .openapi('UploadOptions');
export type UploadOptions = z.infer<typeof uploadOptions>;

/** A short list as JSON. Its columns are the names of its rows' fields. */
export const batchRequest = z
  .strictObject({
    rows: jsonRows.openapi({
      description: 'One object a row; fields that we do not know come back in the export.',
      example: [{ company_domain: 'nike.com' }],
    }),
    operations: z.array(z.enum(operations)).min(1).optional(),
    source: z.array(text()).optional(),
    map: jsonMap.optional().openapi({ description: 'Field to column.' }),
    limit: z.int().min(1).max(1_000_000).optional(),
    max_credits: budget(z.number()).optional(),
    region: region.optional(),
    max_ads: adsMax(z.number()).optional(),
    own_only: ownOnly(z.boolean()).optional(),
    max_age: maxAge.optional(),
    file_name: fileName.optional(),
    dry_run: z.boolean().optional(),
  })
  .openapi('BatchRequest');
export type BatchRequest = z.infer<typeof batchRequest>;

/** For what takes no options: a body is not needed, and what stands in one is refused. */
export const nothingRequest = z.strictObject({}).openapi('Nothing');

/** New bounds for a batch that goes on. */
export const resumeRequest = z
  .strictObject({
    limit: z.int().min(1).max(1_000_000).nullable().optional(),
    max_credits: z.number().positive().max(1_000_000_000).nullable().optional(),
  })
  .openapi('ResumeRequest');

export type ResumeRequest = z.infer<typeof resumeRequest>;

export const retryRequest = z
  .strictObject({
    in_doubt: z.boolean().optional().openapi({
      description: 'Also those whose call was cut off and may have been charged at the source.',
    }),
    reparse: z.boolean().optional().openapi({
      description:
        'Only those whose reply could not be read and is kept: it is read again, and no source is asked. Not beside `in_doubt`.',
    }),
  })
  .openapi('RetryRequest');
export type RetryRequest = z.infer<typeof retryRequest>;

export const retryBody = batchBody
  .extend({
    retried: count.openapi({ description: 'Failed companies that are looked up again.' }),
    in_doubt_left: count.openapi({
      description: 'Left as they are: their call may have been charged at the source.',
    }),
  })
  .openapi('RetriedBatch');
export type RetriedBody = z.infer<typeof retryBody>;

const rowEmail = z.object({
  outcome: z.enum([...emailOutcomes, 'open']),
  reason: z.string().nullable(),
  email_status: z.enum(emailStatuses).nullable(),
  sub_status: z.string().nullable(),
  recommendation: z.enum(recommendations).nullable(),
  verification_level: z.enum(verificationLevels).nullable(),
  reasons: z.array(z.string()),
  normalized_email: z.string().nullable(),
  did_you_mean: z.string().nullable(),
  credits_consumed: z.number(),
});

const rowBody = z
  .object({
    row: z.int().openapi({ description: 'Counts data rows, from 1.' }),
    line: z.int().openapi({ description: 'The line of the file where the row begins, from 1.' }),
    cells: z.array(z.string()).openapi({ description: 'The row’s own cells, in the order of `columns`.' }),
    outcome: z
      .enum([...adsOutcomes, 'rejected', 'open'])
      .nullable()
      .openapi({ description: 'Of its ads search; null for a row that names no company.' }),
    reason: z.string().nullable(),
    warning: z.string().nullable(),
    ads_count: count,
    matched_by: z.string().nullable(),
    source: z.string().nullable(),
    observed_at: z.iso.datetime().nullable().openapi({ description: 'When the source said it.' }),
    from_cache: z.boolean().nullable().openapi({
      description: 'An earlier answer of the account is shown again, free; null while there is no answer.',
    }),
    partial: z.boolean().nullable().openapi({
      description: 'A later page could not be had: the ads are some of those there are.',
    }),
    truncated: z.boolean().nullable().openapi({
      description: 'There are more ads than were asked for; null while there is no answer.',
    }),
    estimate_low: z.int().nullable().openapi({
      description:
        'How many ads there are in all, at least, as the source estimates it; null where it does not.',
    }),
    estimate_high: z.int().nullable().openapi({ description: 'The same, at most.' }),
    credits_consumed: z.number().openapi({ description: 'On the first row of a company; 0 on its others.' }),
    email: rowEmail.nullable().openapi({ description: 'Of its address; null for a row without one.' }),
    company_domain: z
      .string()
      .nullable()
      .openapi({ description: 'The company that it names, as it was looked up.' }),
    company_name: z.string().nullable(),
  })
  .openapi('Row');

export const rowListBody = z
  .object({
    columns: z.array(z.string()).openapi({ description: 'The names of the list’s own columns.' }),
    rows: z.array(rowBody),
    next: z
      .string()
      .nullable()
      .openapi({ description: 'What to ask for with `after`; null on the last page.' }),
  })
  .openapi('RowList');

export function toRowListBody(
  { header, cellsMax }: ReportForm,
  lines: readonly ReportLine[],
  next: string | null,
): z.infer<typeof rowListBody> {
  return {
    columns: nameColumns({ header, cellsMax }, []).map(({ name }) => name),
    rows: lines.map((line) => ({
      row: line.rowNo,
      line: line.lineNo,
      cells: [...line.cells],
      outcome: line.outcome,
      reason: line.reason,
      warning: line.warning,
      ads_count: line.adsCount,
      matched_by: line.matchedBy,
      source: line.source,
      observed_at: line.observedAt?.toISOString() ?? null,
      from_cache: line.isRepeat,
      partial: line.isPartial,
      truncated: line.isTruncated,
      estimate_low: line.adsEstimate?.low ?? null,
      estimate_high: line.adsEstimate?.high ?? null,
      credits_consumed: creditsNumber(line.chargedMicro),
      email: line.email && toRowEmail(line.email),
      company_domain: line.companyDomain,
      company_name: line.companyName,
    })),
    next,
  };
}

function toRowEmail(email: ReportedEmail): z.infer<typeof rowEmail> {
  return {
    outcome: email.outcome,
    reason: email.reason,
    email_status: email.status,
    sub_status: email.subStatus,
    recommendation: email.recommendation,
    verification_level: email.level,
    reasons: [...email.reasons],
    normalized_email: email.normalised,
    did_you_mean: email.didYouMean,
    credits_consumed: creditsNumber(email.chargedMicro),
  };
}
