import { z } from '@hono/zod-openapi';
import type { SearchOptions } from '../../core/ads/ad-source.ts';
import { readAge } from '../../core/ads/read-age.ts';
import { parseRegion } from '../../core/ads/regions.ts';
import { batchStates, type BatchSummary } from '../../core/batch/batch.ts';
import type { ReportedEmail, ReportForm, ReportLine } from '../../core/batch/batch-report.ts';
import { nameColumns } from '../../reporter/report-row.ts';
import { emailStatuses, recommendations, verificationLevels } from '../../core/email/verdict.ts';
import { adsOutcomes, emailOutcomes } from '../../core/outcomes.ts';
import { creditsNumber, parseCredits } from '../../core/credits/credits.ts';
import { operations } from '../../core/credits/price-book.ts';
import { ValidationError } from '../../core/errors.ts';
import { isStorable, text } from './text.ts';

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
    limit: z.int().nullable().openapi({ description: 'Only the companies of the first rows are looked up.' }),
    max_credits: z.number().nullable().openapi({ description: 'What it may cost in all.' }),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    purged_at: z.iso
      .datetime()
      .nullable()
      .openapi({
        description: 'When its rows, and what was found for them, went; null while they are there.',
      }),
  })
  .openapi('Batch');

export function toBatchBody(batch: BatchSummary): z.infer<typeof batchBody> {
  const { total, found, none, no_match, completed, failed, cancelled, open } = batch.lookups;
  const { limitRows, maxCreditsMicro } = batch.bounds;
  return {
    id: batch.publicId,
    state: batch.state,
    reason: batch.stateReason,
    file_name: batch.fileName,
    operations: [...batch.operations],
    sources: [...batch.sources],
    rows: { total: batch.rows.total, rejected: batch.rows.rejected },
    lookups: { total, found, none, no_match, completed, failed, cancelled, open },
    emails: { ...batch.emails },
    credits: { charged: creditsNumber(batch.chargedMicro), ceiling: creditsNumber(batch.ceilingMicro) },
    limit: limitRows,
    max_credits: maxCreditsMicro === null ? null : creditsNumber(maxCreditsMicro),
    created_at: batch.createdAt.toISOString(),
    finished_at: batch.finishedAt?.toISOString() ?? null,
    purged_at: batch.purgedAt?.toISOString() ?? null,
  };
}

export const batchListBody = z
  .object({
    batches: z.array(batchBody),
    next: z
      .string()
      .nullable()
      .openapi({ description: 'What to ask for with `after`; null on the last page.' }),
  })
  .openapi('BatchList');

export const batchId = z.object({
  id: z
    .string()
    .openapi({ param: { name: 'id', in: 'path' }, example: 'bat_01a1ff734ad87655b2c761ba36458456' }),
});

const rows = z.coerce.number().int().min(1).max(1_000_000);
const credits = z.coerce.number().positive().max(1_000_000_000);
const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');
const names = text().transform((given) => given.split(',').map((name) => name.trim()));

const region = text().max(40).optional().openapi({
  description: 'Only ads shown in this country, ISO 3166-1 alpha-2; for sources that know regions.',
  example: 'DE',
});
const adsMax = (number: z.ZodNumber | z.ZodCoercedNumber) =>
  number.int().min(1).max(999_999).optional().openapi({
    description: 'At most so many ads of a company.',
    type: 'integer',
    minimum: 1,
    maximum: 999_999,
  });
const ownOnly = <T extends z.ZodType<boolean>>(truth: T) =>
  truth.optional().openapi({ description: 'Leave out ads of agencies, resellers and other third parties.' });
const maxAge = text().max(40).optional().openapi({
  description:
    'Answer from the store, free, what was searched within this time: minutes, hours or days such as `30m`, `12h`, `7d`.',
  example: '7d',
});

/** How a list is read and how far it may go, as query parameters or as fields of a form. */
export const uploadOptions = z
  .strictObject({
    operations: names
      .pipe(z.array(z.enum(operations)).min(1))
      .optional()
      .openapi({
        description:
          'What to do with each row: `ads_search`, `email_validation` or both. Default: what its columns allow.',
        type: 'string',
        example: 'ads_search,email_validation',
      }),
    source: names.pipe(z.array(text())).optional().openapi({
      description: 'Where ads come from, in order, separated by commas. Default: the configured sources.',
      type: 'string',
    }),
    map: text().max(10_000).optional().openapi({
      description:
        'Which column holds which field: `company_domain=Website,company_name=Account`. Default: by the names of the columns.',
    }),
    encoding: text().max(40).optional().openapi({ description: 'Such as windows-1252. Default: found out.' }),
    delimiter: text()
      .max(3)
      .optional()
      .openapi({ description: 'A character, or `tab`. Default: found out.' }),
    header: yesOrNo
      .optional()
      .openapi({ description: '`false`: the first line is data.', type: 'string', enum: ['true', 'false'] }),
    columns: names
      .pipe(z.array(text()))
      .optional()
      .openapi({ description: 'Names of the columns, separated by commas.', type: 'string' }),
    limit: rows.optional().openapi({
      description: 'Look up only the companies of the first rows.',
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
    }),
    max_credits: credits.optional().openapi({
      description: 'What the batch may cost in all.',
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1_000_000_000,
    }),
    region,
    max_ads: adsMax(z.coerce.number()),
    own_only: ownOnly(yesOrNo).openapi({ type: 'string', enum: ['true', 'false'] }),
    max_age: maxAge,
    file_name: text().min(1).max(200).optional().openapi({ description: 'What the list is called.' }),
    dry_run: yesOrNo.optional().openapi({
      description: '`true`: say what would become of the list, and store nothing.',
      type: 'string',
      enum: ['true', 'false'],
    }),
  })
  .openapi('UploadOptions');
export type UploadOptions = z.infer<typeof uploadOptions>;

type JsonCell = string | number | boolean | null;

/** Looked at by hand: a schema for records leaves a field named `__proto__` out without a word. */
const jsonRow = z
  .custom<Readonly<Record<string, JsonCell>>>(isJsonRow, {
    error: 'must be an object whose values are text, numbers, truth values or null',
  })
  .openapi({ type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } });

function isJsonRow(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, cell]) => isStorable(name) && isCell(cell));
}

function isCell(cell: unknown): boolean {
  if (typeof cell === 'string') return isStorable(cell);
  return cell === null || typeof cell === 'number' || typeof cell === 'boolean';
}

/** A short list as JSON. Its columns are the names of its rows' fields. */
export const batchRequest = z
  .strictObject({
    rows: z
      .array(jsonRow)
      .min(1)
      .openapi({
        description: 'One object a row; fields that we do not know come back in the export.',
        example: [{ company_domain: 'nike.com' }],
      }),
    operations: z.array(z.enum(operations)).min(1).optional(),
    source: z.array(text()).optional(),
    map: z.record(text(), text()).optional().openapi({ description: 'Field to column.' }),
    limit: z.int().min(1).max(1_000_000).optional(),
    max_credits: z.number().positive().max(1_000_000_000).optional(),
    region,
    max_ads: adsMax(z.number()),
    own_only: ownOnly(z.boolean()),
    max_age: maxAge,
    file_name: text().min(1).max(200).optional(),
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
    kept_replies: z.boolean().optional().openapi({
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

/** How companies are looked up, from the options of either form. @throws ValidationError naming the field. */
export function searchOf(
  options: Pick<UploadOptions, 'region' | 'max_ads' | 'own_only' | 'max_age'>,
): SearchOptions {
  const { region: country, max_ads: ads, own_only: own, max_age: age } = options;
  return {
    region: country === undefined ? null : parseRegion(country, 'region'),
    adsMax: ads ?? null,
    ownOnly: own ?? false,
    ageMsMax: age === undefined ? null : readAge(age, 'max_age'),
  };
}

/** An amount of credits as microcredits, exact to six places. */
export function microOf(amount: number): bigint {
  try {
    return parseCredits(String(amount));
  } catch (cause) {
    throw new ValidationError('an amount of credits has at most six decimal places', {
      where: 'max_credits',
      cause,
    });
  }
}

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

export const rowBody = z
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
    credits_consumed: z.number().openapi({ description: 'On the first row of a company; 0 on its others.' }),
    email: rowEmail.nullable().openapi({ description: 'Of its address; null for a row without one.' }),
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
      credits_consumed: creditsNumber(line.chargedMicro),
      email: line.email && toRowEmail(line.email),
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
