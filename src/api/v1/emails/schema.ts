import { z } from '@hono/zod-openapi';
import type { EmailFilter, ListedEmail } from '../../../core/validation/email-list.ts';
import { emailReasons, type EmailReason } from '../../../core/emails/reasons.ts';
import { emailStatuses, recommendations, verificationLevels } from '../../../core/emails/verdict/verdict.ts';
import {
  levelLabels,
  recommendationLabels,
  statusLabels,
} from '../../../core/emails/verdict/verdict-labels.ts';
import { splitWords } from '../../../core/batches/result-filter.ts';
import { nextCursor, pageQuery } from '../../http/pages.ts';
import { searchText } from '../fields/result-filter.ts';
import { text } from '../../http/text.ts';

const reasonCodes = Object.keys(emailReasons) as readonly EmailReason[];

export const emailsQuery = z.strictObject({
  ...pageQuery(500, 50),
  q: searchText.optional().openapi({
    description: 'Up to 8 words. Every word must occur in the address, regardless of case.',
  }),
  status: z.enum(emailStatuses).optional(),
  recommendation: z.enum(recommendations).optional(),
  reason: z.enum(reasonCodes).optional().openapi({ description: 'Return only addresses with this reason.' }),
  batch: text().max(100).optional().openapi({ description: 'Return only addresses of this batch.' }),
});

const words = z.string().openapi({ description: 'The same as text for people.' });

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
    did_you_mean: z
      .string()
      .nullable()
      .openapi({ description: 'Address that was probably meant, for a likely typo. Otherwise null.' }),
    mx_provider: z.string().nullable().openapi({ description: 'Provider of the mail server, if known.' }),
    checked_at: z.iso.datetime(),
    retry_at: z.iso.datetime().nullable().openapi({
      description: 'Earliest time at which a new validation may give another verdict. Null if it would not.',
    }),
    batch: z
      .string()
      .nullable()
      .openapi({ description: 'The batch of the address. Null for a single validation.' }),
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
    sub_status_words: decisive === null ? '' : reasonText(decisive),
    recommendation: listed.recommendation,
    recommendation_words: recommendationLabels[listed.recommendation],
    verification_level: listed.level,
    level_words: levelLabels[listed.level],
    reasons: listed.reasons.map((code) => ({ code, words: reasonText(code) })),
    did_you_mean: listed.didYouMean,
    mx_provider: listed.mxProvider,
    checked_at: listed.checkedAt.toISOString(),
    retry_at: listed.retryAt?.toISOString() ?? null,
    batch: listed.batch,
    file_name: listed.fileName,
  };
}

/** Text of a reason. The code itself if an earlier version wrote it and this version does not know it. */
function reasonText(code: string): string {
  return isReason(code) ? emailReasons[code].message : code;
}

function isReason(code: string): code is EmailReason {
  return Object.hasOwn(emailReasons, code);
}
