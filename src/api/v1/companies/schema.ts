import { z } from '@hono/zod-openapi';
import type {
  AdvertiserCandidate,
  CandidatePosition,
  UncertainAdvertiser,
} from '../../../core/companies/advertiser-candidates.ts';
import { advertiserPageUrl } from '../../../core/companies/advertiser-id.ts';
import { advertiserRoles, type MappingEntry } from '../../../core/companies/company-mapping.ts';
import { explainReason } from '../../../core/companies/review-candidate.ts';
import { formatCursor, nextCursor, pageQuery, parseCursor } from '../../http/pages.ts';
import { text } from '../../http/text.ts';
import { toNamedCompany } from '../fields/named-company.ts';

/** The company of a request: its domain, or its name. */
export const companyFieldsOfRequest = {
  company_domain: text().max(500).optional(),
  company_name: text().max(500).optional(),
};

/** Longest cursor: a company key and an advertiser id. */
export const cursorCharsMax = 4000;

export const candidatesQuery = z.strictObject({
  ...pageQuery(500, 50, cursorCharsMax),
  ...companyFieldsOfRequest,
  batch: text()
    .max(100)
    .optional()
    .openapi({ description: 'Return only advertisers that a lookup of this batch reported last.' }),
});

/** A company by its key, with an advertiser. */
export const companyFields = {
  company_domain: z.string().nullable(),
  company_name: z
    .string()
    .nullable()
    .openapi({ description: 'Normalized name. Null for a company with a domain.' }),
  advertiser_id: z.string(),
};

/** An advertiser that may be a company, with the evidence. */
export const evidenceFields = {
  advertiser_id: z.string(),
  advertiser_name: z.string().nullable(),
  legal_name: z.string().nullable().openapi({ description: 'Name in the register, if the source has it.' }),
  location: z
    .string()
    .nullable()
    .openapi({ description: 'Country of the advertiser, as the source gives it.' }),
  verification: z.string().nullable().openapi({
    description: '`VERIFIED`, `UNVERIFIED` or another word of the source. Null if it does not say.',
  }),
  ads_count: z.number().int().nullable().openapi({ description: 'Number of its ads at the source.' }),
  confidence: z
    .number()
    .openapi({ description: "Probability that the advertiser is the company's own, from 0.01 to 0.99." }),
  reasons: z.array(
    z.object({
      code: z.string(),
      words: z.string().openapi({ description: 'The same as text for people.' }),
    }),
  ),
  source: z.string(),
  url: z.string().nullable().openapi({ description: "The advertiser's page. Null if there is none." }),
};

const candidateBody = z
  .object({
    ...companyFields,
    ...evidenceFields,
    first_seen_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime().openapi({ description: 'Time at which a lookup reported it last.' }),
  })
  .openapi('AdvertiserCandidate');

export const candidateListBody = z
  .object({
    candidates: z.array(candidateBody),
    advertisers: z.number().int().openapi({ description: 'Number of all that match the query.' }),
    companies: z.number().int().openapi({ description: 'Number of their companies.' }),
    next: nextCursor,
  })
  .openapi('AdvertiserCandidateList');

/** Role of an advertiser for a company. */
export const roleField = z.enum(advertiserRoles).openapi({
  description: "`allow`: the company's own; `agency`: advertises for it; `deny`: another business.",
});

export const decisionRequest = z
  .strictObject({
    ...companyFieldsOfRequest,
    advertiser_id: text().min(1).max(300),
    role: roleField,
  })
  .openapi('AdvertiserDecisionRequest');

export const decisionBody = z
  .object({ ...companyFields, role: z.enum(advertiserRoles), note: z.string().nullable() })
  .openapi('AdvertiserDecision');

export function toCandidateBody(candidate: AdvertiserCandidate): z.infer<typeof candidateBody> {
  return {
    ...companyOf(candidate),
    ...toEvidence(candidate),
    first_seen_at: candidate.firstSeenAt.toISOString(),
    last_seen_at: candidate.lastSeenAt.toISOString(),
  };
}

/** Converts an advertiser with the evidence about it and the source that named it. */
export function toEvidence(candidate: UncertainAdvertiser & { readonly source: string }) {
  return {
    advertiser_id: candidate.advertiserId,
    advertiser_name: candidate.name,
    legal_name: candidate.legalName,
    location: candidate.location,
    verification: candidate.verification,
    ads_count: candidate.adsCount,
    confidence: candidate.confidence,
    reasons: candidate.reasons.map((code) => ({ code, words: explainReason(code) })),
    source: candidate.source,
    url: advertiserPageUrl(candidate.advertiserId),
  };
}

export function toDecisionBody({ role, note, ...entry }: MappingEntry): z.infer<typeof decisionBody> {
  return { ...companyOf(entry), role, note };
}

/** Converts the company and the advertiser of an entry. */
export function companyOf({ companyKey, advertiserId }: Pick<MappingEntry, 'companyKey' | 'advertiserId'>) {
  return { ...toNamedCompany({ key: companyKey, domain: null, name: null }), advertiser_id: advertiserId };
}

const position = z.tuple([z.number(), z.string(), z.string()]);

/** Formats the place in the list as an opaque cursor. */
export function formatCandidateCursor({ confidence, companyKey, advertiserId }: CandidatePosition): string {
  return formatCursor([confidence, companyKey, advertiserId]);
}

/** Parses a cursor of `formatCandidateCursor`. @throws Problem */
export function parseCandidateCursor(after: string | undefined): CandidatePosition | undefined {
  if (after === undefined) return undefined;
  const [confidence, companyKey, advertiserId] = parseCursor(after, position);
  return { confidence, companyKey, advertiserId };
}
