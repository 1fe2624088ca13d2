import { z } from '@hono/zod-openapi';
import type { CompanyWithCandidates } from '../../../core/companies/list-unidentified.ts';
import { advertiserRoles } from '../../../core/companies/company-mapping.ts';
import { rowRangesMax } from '../../../core/rows/parse-row-ranges.ts';
import { unidentifiedStates, type UnidentifiedCompany } from '../../../core/companies/unidentified.ts';
import { resultFilterQuery } from '../fields/result-filter.ts';
import { formatCursor, nextCursor, pageQuery, parseCursor } from '../../http/pages.ts';
import { evidenceFields, toEvidence } from './schema.ts';

/** Longest cursor: a company key. */
const cursorCharsMax = 2000;

export const unidentifiedQuery = z.strictObject({
  ...pageQuery(100, 25, cursorCharsMax),
  state: z
    .enum(unidentifiedStates)
    .optional()
    .openapi({ description: 'Return only companies in this state.' }),
  rows: resultFilterQuery.rows.openapi({
    description: `Return only companies of these rows: numbers and ranges, separated by commas, at most ${rowRangesMax} separate ranges.`,
    example: '1,5,9-20',
  }),
});

const stateField = z.enum(unidentifiedStates).openapi({
  description:
    '`open`: undecided. `mapped`: mapped since its lookup, so that it can be looked up again. `denied`: dismissed, or mapped only to advertisers with the role `deny`.',
});

const companyBody = z
  .object({
    company_domain: z.string().nullable(),
    company_name: z.string().nullable().openapi({ description: 'Name as in the file.' }),
    state: stateField,
    row: z
      .object({
        row: z.int().openapi({ description: 'Number of the data row, from 1.' }),
        line: z.int().openapi({ description: 'Line of the file on which the row begins, from 1.' }),
        cells: z.array(z.string()).openapi({ description: 'Cells of the row, in the order of `columns`.' }),
      })
      .nullable()
      .openapi({ description: 'The first row of the company.' }),
    dismissed: z
      .boolean()
      .openapi({ description: 'True if a person decided that no known advertiser is the company.' }),
    mapping: z
      .array(z.object({ advertiser_id: z.string(), role: z.enum(advertiserRoles) }))
      .openapi({ description: 'Advertisers that the company is mapped to now.' }),
    candidates: z.array(z.object(evidenceFields).openapi('SuggestedAdvertiser')).openapi({
      description: 'Advertisers that may be the company, the most likely first, without mapped ones.',
    }),
  })
  .openapi('UnidentifiedCompany');

export const unidentifiedBody = z
  .object({
    columns: z.array(z.string()).openapi({ description: 'Columns of the file.' }),
    companies: z.array(companyBody),
    counts: z.object({
      open: z.number().int(),
      mapped: z.number().int(),
      denied: z.number().int(),
    }),
    credits_max: z.number().openapi({
      description: 'Maximum cost of looking up the mapped companies again: every one of them has ads.',
    }),
    next: nextCursor,
  })
  .openapi('UnidentifiedList');

export function toUnidentifiedBody(company: CompanyWithCandidates): z.infer<typeof companyBody> {
  const { row } = company;
  return {
    company_domain: company.domain,
    company_name: company.name,
    state: company.state,
    dismissed: company.isDismissed,
    row: row === null ? null : { row: row.rowNo, line: row.lineNo, cells: [...row.cells] },
    mapping: company.mapping.map(({ advertiserId, role }) => ({ advertiser_id: advertiserId, role })),
    candidates: company.candidates.map(toEvidence),
  };
}

/** Formats the place in the list as an opaque cursor. */
export function formatUnidentifiedCursor({ companyKey }: UnidentifiedCompany): string {
  return formatCursor([companyKey]);
}

/** Parses a cursor of `formatUnidentifiedCursor`. @throws Problem */
export function parseUnidentifiedCursor(after: string | undefined): string | undefined {
  return after === undefined ? undefined : parseCursor(after, z.tuple([z.string()]))[0];
}
