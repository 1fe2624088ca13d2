import { z } from '@hono/zod-openapi';
import { partialReasons } from '../../../core/ads/ads-answer.ts';
import type { ReportedEmail, ReportForm, ReportLine } from '../../../core/batches/batch-report.ts';
import { rowSortPattern, sortColumns } from '../../../core/batches/row-sort.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { emailStatuses, recommendations, verificationLevels } from '../../../core/emails/verdict/verdict.ts';
import { adsOutcomes, emailOutcomes } from '../../../core/work/outcomes.ts';
import { nameColumns } from '../../../reporter/formats/report-row.ts';
import { nextCursor } from '../../http/pages.ts';
import { text } from '../../http/text.ts';

/** Query parameter with the order of rows. */
export const rowSortQuery = {
  sort: text()
    .regex(rowSortPattern, {
      error: `must be one of ${sortColumns.join(', ')}, or cells.N for column N of the file; - before it for descending`,
    })
    .optional()
    .openapi({
      description: `Column to sort by: ${sortColumns.map((name) => `\`${name}\``).join(', ')}, or \`cells.N\` for the column N of the file, from 1; with \`-\` before it in
descending order. Numbers in texts sort by their value, and letters regardless of case. Rows without a value come last, and equal ones keep the
order of the file. While the batch runs, answers move rows from one page to another.`,
      example: '-ads',
    }),
};

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
    row: z.int().openapi({ description: 'Number of the data row, from 1.' }),
    line: z.int().openapi({ description: 'Line of the file on which the row begins, from 1.' }),
    cells: z.array(z.string()).openapi({ description: 'Cells of the row, in the order of `columns`.' }),
    outcome: z
      .enum([...adsOutcomes, 'rejected', 'open'])
      .nullable()
      .openapi({ description: 'Outcome of the ads search. Null for a row that names no company.' }),
    reason: z.string().nullable(),
    warning: z.string().nullable(),
    ads_count: z
      .int()
      .min(0)
      .nullable()
      .openapi({ description: 'Number of ads. Null unless the outcome is `found` or `none`.' }),
    matched_by: z.string().nullable(),
    source: z.string().nullable(),
    observed_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'Time at which the source returned the answer. Null without an answer.' }),
    from_cache: z.boolean().nullable().openapi({
      description:
        'True if an earlier answer of the account is reused, free of charge. Null without an answer.',
    }),
    partial: z.boolean().nullable().openapi({
      description:
        'True if there may be more ads of the company; see `partial_reason`. Null without an answer.',
    }),
    partial_reason: z.enum(partialReasons).nullable().openapi({
      description:
        '`page_failed`: a later page could not be fetched. `uncertain_advertisers`: ads of advertisers that may belong to the company are left out. `too_many_advertisers`: only advertisers with the exact name were evaluated. Null for a complete answer, and for older ones.',
    }),
    uncertain_advertisers: z.int().nullable().openapi({
      description:
        'Number of advertisers that may belong to the company, and whose ads are left out. Null: none.',
    }),
    truncated: z.boolean().nullable().openapi({
      description: 'True if there are more ads than the requested maximum. Null without an answer.',
    }),
    estimate_low: z.int().nullable().openapi({
      description: 'Lower bound of the total number of ads. Null if the source does not estimate it.',
    }),
    estimate_high: z.int().nullable().openapi({ description: 'Upper bound of the total number of ads.' }),
    credits_consumed: z
      .number()
      .openapi({ description: 'Credits charged for the company, on its first row. 0 on its other rows.' }),
    email: rowEmail
      .nullable()
      .openapi({ description: 'Validation of the address. Null for a row without an address.' }),
    company_domain: z
      .string()
      .nullable()
      .openapi({ description: 'Domain of the company, as it was looked up.' }),
    company_name: z.string().nullable(),
  })
  .openapi('Row');

export const rowListBody = z
  .object({
    columns: z.array(z.string()).openapi({ description: 'Names of the columns of the file.' }),
    rows: z.array(rowBody),
    next: nextCursor,
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
      partial_reason: line.partialReason,
      uncertain_advertisers: line.uncertainAdvertisers,
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
