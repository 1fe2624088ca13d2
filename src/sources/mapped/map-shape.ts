import { z } from 'zod';
import { google, platformCharsMax, platformPattern } from '../../core/companies/platform-id.ts';
import { condition } from './condition.ts';
import { jsonPath } from './json-path.ts';
import { ad } from './map-ad.ts';
import { where } from './fields/where.ts';

const json = z.json();

/** Schema of a request. Texts may hold placeholders (`templates.ts`); text beside one without a value is omitted. */
const request = z.strictObject({
  method: z.enum(['GET', 'POST']),
  path: z.string().regex(/^\/[^?#]*$/, 'expected a path that begins with / and has no ? in it'),
  query: z.record(z.string(), z.string()).default({}),
  headers: z.record(z.string(), z.string()).default({}),
  json: json.optional(),
});

/** A regular expression for the whole of a text. */
const pattern = z.string().min(1).refine(isPattern, 'expected a regular expression');

/** Schema of the candidates for a name, in the reply of a search for advertisers. */
const suggestions = z.strictObject({
  advertisers: z.strictObject({
    path: jsonPath,
    id: where,
    name: where,
    country: where.optional(),
  }),
  /** May be missing from a reply. */
  domains: z.strictObject({ path: jsonPath, domain: jsonPath }).optional(),
  other_keys: z.array(jsonPath).default([]),
});

const reply = z.strictObject({
  /** The rows. */
  ads: jsonPath,
  /**
   * Replies that mean "no ads". Each entry is a list of conditions that must all hold. Without entries, no reply means that,
   * and a reply without ads is unreadable.
   */
  none: z.array(z.array(condition).min(1)),
  /** Token of the next page; absent, null or empty: this is the last page. */
  next_page: jsonPath.optional(),
  /** The token is percent-encoded in the reply and must be decoded before it is sent. */
  next_page_encoded: z.boolean().default(false),
  /** `next_page` is the URL of the next page, and the token this parameter of its query. */
  next_page_parameter: z.string().min(1).optional(),
  /** There is a next page only if this holds; then there must be a token. */
  next_page_if: condition.optional(),
  /** The token stays the same from page to page. */
  next_page_repeats: z.boolean().default(false),
  /** Total number of ads, as the vendor estimates it. */
  total: jsonPath.optional(),
  other_keys: z.array(jsonPath).default([]),
});

const status = z.int().min(200).max(599);

/** Meanings of an error. */
const meanings = z.enum(['refused', 'key_refused', 'out_of_credits', 'slow_down', 'failed']);
const error = z
  .strictObject({
    /** HTTP status, one or several. Default: those of success. */
    status: z.union([status.transform((one) => [one]), z.array(status).min(1)]).optional(),
    when: condition.optional(),
    /** An exception: a vendor may report "no ads" in the place of its errors. */
    unless: condition.optional(),
    means: meanings.default('refused'),
  })
  .refine(({ status: statuses, when }) => statuses !== undefined || when !== undefined, {
    error: 'needs when, status or both',
    path: ['when'],
  });

const price = z.strictObject({
  /** Billing unit, in the singular: `search`, `credit`, `ad`. */
  unit: z.string().trim().min(1).max(40),
  per_call: z.number().min(0),
  per_ad: z.number().min(0).default(0),
  /** Price of the search for advertisers. */
  per_name_search: z.number().min(0).default(0),
});

/** The map of one vendor's API. */
export const mapShape = z.strictObject({
  $schema: z.string().optional(),
  /** Name of the vendor, as shown to people. */
  label: z.string().trim().min(1).max(40),
  /** Platform of the ads, a word in lower case: the prefix of all ids of their advertisers and creatives. */
  platform: z
    .string()
    .max(platformCharsMax)
    .regex(platformPattern, 'expected a word in lower case, such as meta')
    .default(google),
  base_url: z.string().refine(isBaseUrl, 'expected http(s)://host[:port][/path], nothing before or after'),
  requests: z.strictObject({
    mapping: request
      .extend({
        advertisers_per_call: z.int().min(1).default(1),
        id_pattern: pattern.optional(),
        /** Ads of advertisers that were not requested make a reply unreadable. */
        only_requested: z.boolean().default(false),
      })
      .optional(),
    domain: request.optional(),
    name: request.extend({ suggestions }).optional(),
  }),
  reply,
  /** Conditions that every answer fulfils, such as a status. */
  must: z.array(condition).default([]),
  /** Errors, whatever else the reply contains; the first that matches decides. */
  errors: z.array(error).default([]),
  ad,
  /** Maximum number of pages; each is a call. */
  pages_max: z.int().min(1).default(5),
  /** Maximum and default of `{ads_max}`. */
  ads_per_call: z.int().min(1).default(100),
  price,
});

export type SourceMap = z.infer<typeof mapShape>;
export type RequestMap = z.infer<typeof request>;
export type SuggestionsMap = z.infer<typeof suggestions>;
export type ErrorMap = z.infer<typeof error>;
export type Meaning = z.infer<typeof meanings>;

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Without a user and a query: URLs are shown in messages, and paths are appended. */
function isBaseUrl(text: string): boolean {
  return /^https?:\/\/[^\s?#@\\]+$/.test(text) && URL.canParse(text);
}
