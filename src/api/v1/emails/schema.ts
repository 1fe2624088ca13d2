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
import { pageQuery } from '../../http/pages.ts';
import { searchText } from '../fields/result-filter.ts';
import { text } from '../../http/text.ts';

const reasonCodes = Object.keys(emailReasons) as readonly EmailReason[];

export const emailsQuery = z.strictObject({
  ...pageQuery(500, 50),
  q: searchText.optional().openapi({
    description: 'Up to 8 words, each of which has to stand in the address, in any case.',
  }),
  status: z.enum(emailStatuses).optional(),
  recommendation: z.enum(recommendations).optional(),
  reason: z.enum(reasonCodes).optional().openapi({ description: 'Addresses of which this was said.' }),
  batch: text().max(100).optional().openapi({ description: 'Addresses of this batch.' }),
});

const words = z.string().openapi({ description: 'The same in plain words.' });

const emailBody = z
  .object({
    email: z.string(),
    email_status: z.enum(emailStatuses),
    status_words: words,
    sub_status: z.string().nullable().openapi({ description: 'The code of what decided.' }),
    sub_status_words: words,
    recommendation: z.enum(recommendations),
    recommendation_words: words,
    verification_level: z.enum(verificationLevels).openapi({ description: 'How far was looked.' }),
    level_words: words,
    reasons: z
      .array(z.object({ code: z.string(), words }))
      .openapi({ description: 'All that is worth knowing, the decisive one first.' }),
    did_you_mean: z.string().nullable().openapi({ description: 'The address that was probably meant.' }),
    mx_provider: z.string().nullable().openapi({ description: 'Who runs its mail server, where known.' }),
    checked_at: z.iso.datetime(),
    retry_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'When asking again may give another answer.' }),
    batch: z
      .string()
      .nullable()
      .openapi({ description: 'The batch it was in; null for a single validation.' }),
    file_name: z.string().nullable().openapi({ description: 'The list of the batch.' }),
  })
  .openapi('EmailVerdict');

export const emailListBody = z
  .object({
    emails: z.array(emailBody),
    next: z
      .string()
      .nullable()
      .openapi({ description: 'What to ask for with `after`; null on the last page.' }),
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

/** A code that an earlier version gave, and this one does not know, stands for itself. */
function reasonText(code: string): string {
  return isReason(code) ? emailReasons[code].message : code;
}

function isReason(code: string): code is EmailReason {
  return Object.hasOwn(emailReasons, code);
}
