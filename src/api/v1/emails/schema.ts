import { z } from '@hono/zod-openapi';
import type { EmailCounts, EmailFilter, ListedEmail } from '../../../core/validation/email-list.ts';
import { emailReasons, reasonMessage, type EmailReason } from '../../../core/emails/reasons.ts';
import { emailStatuses, recommendations, verificationLevels } from '../../../core/emails/verdict/verdict.ts';
import {
  levelLabels,
  recommendationLabels,
  statusLabels,
} from '../../../core/emails/verdict/verdict-labels.ts';
import { splitWords } from '../../../core/batches/result-filter.ts';
import { reportFormats } from '../../../reporter/formats/report-format.ts';
import { nextCursor, pageQuery } from '../../http/pages.ts';
import { searchText } from '../fields/result-filter.ts';
import { text } from '../../http/text.ts';
import { addressFields, didYouMean, domainFields, mxRecord, retryAt } from './evidence-fields.ts';

const reasonCodes = Object.keys(emailReasons) as readonly EmailReason[];

const filter = {
  q: searchText.optional().openapi({
    description: 'Up to 8 words. Every word must occur in the address, regardless of case.',
  }),
  status: z.enum(emailStatuses).optional(),
  recommendation: z.enum(recommendations).optional(),
  reason: z.enum(reasonCodes).optional().openapi({ description: 'Return only addresses with this reason.' }),
  batch: text().max(100).optional().openapi({ description: 'Return only addresses of this batch.' }),
};

/** Query parameters of counts of verdicts: their filters. */
export const emailFilterQuery = z.strictObject(filter);

/** Query parameters of an export of verdicts. */
export const emailExportQuery = z.strictObject({ format: z.enum(reportFormats).default('csv'), ...filter });

/** Query parameters of a page of verdicts. */
export const emailsQuery = z.strictObject({ ...pageQuery(500, 50), ...filter });

const words = z.string().openapi({ description: 'The same as text for people.' });

/** Fields of the evidence, named as in the response of a single validation. */
const evidenceFields = {
  ...addressFields,
  mx_record: mxRecord,
  ...domainFields,
  smtp: z
    .object({
      host: z.string(),
      code: z.int().nullable(),
      enhanced_code: z.string().nullable(),
      catch_all_probe: z.string().nullable(),
      attempts: z.int().nullable(),
    })
    .nullable()
    .openapi({ description: 'Response of the mail server. Null if it was not asked.' }),
};

const emailBody = z
  .object({
    email: z.string(),
    email_status: z.enum(emailStatuses),
    status_words: words,
    sub_status: z.string().nullable().openapi({ description: 'Code of the decisive reason.' }),
    sub_status_words: words,
    recommendation: z.enum(recommendations),
    recommendation_words: words,
    verification_level: z.enum(verificationLevels).openapi({ description: 'Deepest check that was made.' }),
    level_words: words,
    reasons: z
      .array(z.object({ code: z.string(), words }))
      .openapi({ description: 'Reasons for the verdict, the decisive one first.' }),
    did_you_mean: didYouMean,
    mx_provider: z.string().nullable().openapi({ description: 'Provider of the mail server, if known.' }),
    ...evidenceFields,
    checked_at: z.iso.datetime(),
    retry_at: retryAt,
    batch: z
      .string()
      .nullable()
      .openapi({ description: 'The batch of the address. Null for a single validation.' }),
    batch_name: z.string().nullable().openapi({ description: 'Name of the batch.' }),
    file_name: z.string().nullable().openapi({ description: 'File name of the batch.' }),
  })
  .openapi('EmailVerdict');

export const emailListBody = z
  .object({
    emails: z.array(emailBody),
    next: nextCursor,
  })
  .openapi('EmailList');

export function toEmailFilter(query: Omit<z.infer<typeof emailsQuery>, 'limit' | 'after'>): EmailFilter {
  return {
    words: splitWords(query.q ?? ''),
    status: query.status ?? null,
    recommendation: query.recommendation ?? null,
    reason: query.reason ?? null,
    batch: query.batch ?? null,
  };
}

export function toEmailBody(listed: ListedEmail): z.infer<typeof emailBody> {
  const [decisive = null] = listed.reasons;
  return {
    email: listed.email,
    email_status: listed.status,
    status_words: statusLabels[listed.status],
    sub_status: decisive,
    sub_status_words: decisive === null ? '' : reasonMessage(decisive),
    recommendation: listed.recommendation,
    recommendation_words: recommendationLabels[listed.recommendation],
    verification_level: listed.level,
    level_words: levelLabels[listed.level],
    reasons: listed.reasons.map((code) => ({ code, words: reasonMessage(code) })),
    did_you_mean: listed.didYouMean,
    mx_provider: listed.mxProvider,
    ...toEvidence(listed.evidence),
    checked_at: listed.checkedAt.toISOString(),
    retry_at: listed.retryAt?.toISOString() ?? null,
    batch: listed.batch,
    batch_name: listed.batchName,
    file_name: listed.fileName,
  };
}

function toEvidence(evidence: ListedEmail['evidence']) {
  return {
    is_disposable: evidence.isDisposable,
    is_privacy_relay: evidence.isPrivacyRelay,
    is_role: evidence.isRole,
    is_free: evidence.isFree,
    is_domain_catch_all: evidence.isCatchAll,
    mx_record: evidence.mxRecord,
    mx_security_gateway: evidence.mxSecurityGateway,
    implicit_mx: evidence.implicitMx,
    has_spf: evidence.hasSpf,
    has_dmarc: evidence.hasDmarc,
    smtp:
      evidence.smtpHost === null
        ? null
        : {
            host: evidence.smtpHost,
            code: evidence.smtpCode,
            enhanced_code: evidence.smtpEnhancedCode,
            catch_all_probe: evidence.catchAllProbe,
            attempts: evidence.probeAttempts,
          },
  };
}

const number = z.int().min(0);

export const emailCountsBody = z
  .object({
    total: number.openapi({ description: 'Number of verdicts that match.' }),
    statuses: z
      .object({ valid: number, invalid: number, catch_all: number, unknown: number })
      .openapi({ description: 'The same by `email_status`.' }),
    recommendations: z
      .object({ send: number, review: number, do_not_send: number })
      .openapi({ description: 'The same by `recommendation`.' }),
  })
  .openapi('EmailCounts');

export function toEmailCountsBody({
  total,
  statuses,
  recommendations: counts,
}: EmailCounts): z.infer<typeof emailCountsBody> {
  return { total, statuses: { ...statuses }, recommendations: { ...counts } };
}
