import { z } from '@hono/zod-openapi';
import { emailStatuses, recommendations } from '../../../core/emails/verdict/verdict.ts';
import { adsOutcomes } from '../../../core/work/outcomes.ts';
import { parseRowRanges, rowRangesMax } from '../../../core/rows/parse-row-ranges.ts';
import { splitWords, type ResultFilter } from '../../../core/batches/result-filter.ts';
import { advertiserIdField } from './advertiser-id.ts';
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
    description: `Up to 8 words. Every word must occur, also as part of a word and regardless of case, in the row (its cells, the domain of its company) or in
its ad (advertiser, headline, display URL).`,
    example: 'running shoes',
  }),
  company_domain: z
    .string()
    .max(500)
    .optional()
    .openapi({ description: 'Return only results of this company, by its domain.' }),
  company_name: z
    .string()
    .max(500)
    .optional()
    .openapi({ description: 'Return only results of this company, by its name, if it has no domain.' }),
  outcome: z
    .enum([...adsOutcomes, 'rejected', 'open'])
    .optional()
    .openapi({ description: 'Return only rows with this outcome.' }),
  reason: text().min(1).max(1000).optional().openapi({
    description:
      'Return only rows that were rejected, or whose lookup failed, for this reason. It must match completely.',
  }),
  email_status: z
    .enum(emailStatuses)
    .optional()
    .openapi({ description: 'Return only rows whose address has this verdict.' }),
  recommendation: z
    .enum(recommendations)
    .optional()
    .openapi({ description: 'Return only rows whose address has this recommendation.' }),
  advertiser_id: advertiserIdField.optional().openapi({
    description:
      'Return only ads of this advertiser, or rows with such an ad. An id of Google may come without its platform.',
    example: 'google:AR16735076323512287233',
  }),
  ad_format: text().max(100).optional().openapi({
    description:
      'Return only ads of this format, or rows with such an ad: for example Text, Image or Video, regardless of case.',
  }),
  seen_since: z.iso
    .date()
    .refine((day) => !day.startsWith('0000'), { error: 'must not be in the year 0' })
    .optional()
    .openapi({
      description:
        'Return only ads that their source last saw on this day or later, or rows with such an ad.',
    }),
  rows: text()
    .max(10_000)
    .optional()
    .openapi({
      description: `Return only these rows, or their ads: numbers and ranges, separated by commas, at most ${rowRangesMax} separate ranges. A number that the
batch does not have is an error.`,
      example: '1,5,9-20',
    }),
};

/** Parsed query of a result filter. */
type ResultFilterQuery = z.infer<z.ZodObject<typeof resultFilterQuery>>;

/** Converts a query to a filter. @throws Problem for an invalid company; ValidationError for invalid rows */
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
    rows: query.rows === undefined ? null : parseRowRanges(query.rows, 'rows'),
  };
}
