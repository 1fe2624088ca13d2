import { z } from '@hono/zod-openapi';
import { splitWords } from '../../../core/batches/result-filter.ts';
import { advertiserPageUrl } from '../../../core/companies/advertiser-id.ts';
import {
  advertiserRoles,
  type ListedMapping,
  type MappingFilter,
  type MappingPosition,
} from '../../../core/companies/company-mapping.ts';
import { formatCursor, nextCursor, pageQuery, parseCursor } from '../../http/pages.ts';
import { text } from '../../http/text.ts';
import { advertiserIdField } from '../fields/advertiser-id.ts';
import { companyKeyOf } from '../fields/company-query.ts';
import { searchText } from '../fields/result-filter.ts';
import { companyFields, companyFieldsOfRequest, companyOf, cursorCharsMax, roleField } from './schema.ts';

/** Advertiser of a request: its id with its platform, or the address of its page. */
const advertiser = advertiserIdField.openapi({
  description:
    "Id of the advertiser with its platform, or the address of its page in Google's Ads Transparency Center or Meta's Ad Library. An id of " +
    'Google may come without its platform.',
  example: 'google:AR16735076323512287233',
});

const filterQuery = {
  ...companyFieldsOfRequest,
  role: z
    .enum(advertiserRoles)
    .optional()
    .openapi({ description: 'Return only advertisers with this role.' }),
  q: searchText.optional().openapi({
    description:
      'Up to 8 words. Every word must occur in the company, the advertiser id or the note, regardless of case.',
  }),
};

export const mappingQuery = z.strictObject({ ...pageQuery(1000, 100, cursorCharsMax), ...filterQuery });

export const mappingRequest = z
  .strictObject({
    ...companyFieldsOfRequest,
    advertiser_id: advertiser,
    role: roleField.default('allow'),
    note: text().max(500).optional().openapi({
      description: 'Note for people. Absent: the present note stays. Empty: no note.',
      example: 'as on their imprint',
    }),
  })
  .openapi('MappingRequest');

export const dismissalRequest = z
  .strictObject({
    ...companyFieldsOfRequest,
    dismissed: z.boolean().default(true).openapi({ description: '`false` removes the mark.' }),
  })
  .openapi('DismissalRequest');

export const dismissalBody = z
  .object({
    company_domain: z.string().nullable(),
    company_name: z.string().nullable(),
    dismissed: z.boolean(),
  })
  .openapi('Dismissal');

export const unmappingQuery = z.strictObject({ ...companyFieldsOfRequest, advertiser_id: advertiser });

const entryBody = z
  .object({
    ...companyFields,
    url: z.string().nullable().openapi({ description: "The advertiser's page. Null if there is none." }),
    role: z.enum(advertiserRoles),
    note: z.string().nullable(),
    checked_at: z.iso.datetime().openapi({ description: 'Time at which a person last confirmed the entry.' }),
  })
  .openapi('MappedAdvertiser');

export const mappedBody = entryBody
  .extend({
    added: z.boolean().openapi({ description: 'False if the advertiser was mapped before.' }),
    warnings: z
      .array(z.string())
      .openapi({ description: 'Doubts about the input, such as an id that looks mistyped.' }),
  })
  .openapi('AddedMapping');

export const removedBody = z
  .object({ ...companyFields, role: z.enum(advertiserRoles) })
  .openapi('RemovedMapping');

export const mappingListBody = z
  .object({
    entries: z.array(entryBody),
    total: z.number().int().openapi({ description: 'Number of all entries that match the query.' }),
    next: nextCursor,
  })
  .openapi('CompanyMapping');

/** Converts a query to a filter. @throws Problem for an invalid company */
export function toMappingFilter({
  role,
  q = '',
  ...named
}: z.infer<z.ZodObject<typeof filterQuery>>): MappingFilter {
  return { companyKey: companyKeyOf(named) ?? undefined, role, words: splitWords(q) };
}

export function toEntryBody(entry: ListedMapping): z.infer<typeof entryBody> {
  return {
    ...companyOf(entry),
    url: advertiserPageUrl(entry.advertiserId),
    role: entry.role,
    note: entry.note,
    checked_at: entry.checkedAt.toISOString(),
  };
}

const position = z.tuple([z.string(), z.string()]);

/** Formats the place in the list as an opaque cursor. */
export function formatMappingCursor({ companyKey, advertiserId }: MappingPosition): string {
  return formatCursor([companyKey, advertiserId]);
}

/** Parses a cursor of `formatMappingCursor`. @throws Problem */
export function parseMappingCursor(after: string | undefined): MappingPosition | undefined {
  if (after === undefined) return undefined;
  const [companyKey, advertiserId] = parseCursor(after, position);
  return { companyKey, advertiserId };
}
