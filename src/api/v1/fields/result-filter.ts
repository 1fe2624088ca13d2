import { z } from '@hono/zod-openapi';
import { emailStatuses, recommendations } from '../../../core/emails/verdict/verdict.ts';
import { adsOutcomes } from '../../../core/work/outcomes.ts';
import { splitWords, type ResultFilter } from '../../../core/batches/result-filter.ts';
import { companyKeyOf } from './company-query.ts';
import { text } from '../../http/text.ts';

const wordsMax = 8;

/** Search text. */
export const searchText = text()
  .max(200)
  .refine((given) => splitWords(given).length <= wordsMax, {
    error: `must not have more than ${wordsMax} words`,
  });

/** Filters of results: the same for the rows of a batch, for ads and for exports. */
export const resultFilterQuery = {
  q: searchText.optional().openapi({
    description: `Up to 8 words, each of which has to stand, as a whole or in part and in any case, in the row (its cells, its company’s domain) or
in its ad (advertiser, headline, display address).`,
    example: 'running shoes',
  }),
  company_domain: z.string().max(500).optional().openapi({ description: 'Results of this company.' }),
  company_name: z
    .string()
    .max(500)
    .optional()
    .openapi({ description: 'The same, for a company without a domain.' }),
  outcome: z
    .enum([...adsOutcomes, 'rejected', 'open'])
    .optional()
    .openapi({ description: 'Rows that came to this.' }),
  reason: text().min(1).max(1000).optional().openapi({
    description: 'Rows that were rejected, or whose lookup failed, for this reason: the whole of it.',
  }),
  email_status: z.enum(emailStatuses).optional().openapi({ description: 'Rows whose address is this.' }),
  recommendation: z
    .enum(recommendations)
    .optional()
    .openapi({ description: 'Rows of whose address this is recommended.' }),
  advertiser_id: text()
    .max(200)
    .optional()
    .openapi({ description: 'Ads of this advertiser, and rows with one.' }),
  ad_format: text().max(100).optional().openapi({
    description: 'Ads of this format, and rows with one: such as Text, Image, Video; in any case.',
  }),
  seen_since: z.iso
    .date()
    .refine((day) => !day.startsWith('0000'), { error: 'there is no year 0' })
    .optional()
    .openapi({ description: 'Ads seen by their source on this day or later, and rows with one.' }),
};

/** The fields above, as they were read. */
type ResultFilterQuery = z.infer<z.ZodObject<typeof resultFilterQuery>>;

/** The filter that a query says. @throws Problem when it names no company where it should. */
export function toResultFilter(query: ResultFilterQuery): ResultFilter {
  return {
    words: splitWords(query.q ?? ''),
    companyKey: companyKeyOf(query),
    outcome: query.outcome ?? null,
    reason: query.reason ?? null,
    emailStatus: query.email_status ?? null,
    recommendation: query.recommendation ?? null,
    advertiserId: query.advertiser_id ?? null,
    format: query.ad_format ?? null,
    seenSince: query.seen_since ?? null,
  };
}
