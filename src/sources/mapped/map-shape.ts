import { z } from 'zod';
import { google, platformCharsMax, platformPattern } from '../../core/companies/platform-id.ts';
import { condition } from './condition.ts';
import { jsonPath } from './json-path.ts';

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
    id: jsonPath,
    name: jsonPath,
    country: jsonPath.optional(),
  }),
  /** May be missing from a reply. */
  domains: z.strictObject({ path: jsonPath, domain: jsonPath }).optional(),
  other_keys: z.array(jsonPath).default([]),
});

/** Date formats: `2026-07-02`, a moment by ISO 8601, or seconds since 1970, as a number or a text of digits. */
const dateForms = z.enum(['day', 'iso', 'epoch_seconds']);
const dated = z.strictObject({ path: jsonPath, form: dateForms });

/** A picture: the element that shows it, verbatim, or its URL. */
const image = z.union(
  [
    z.strictObject({ tag: jsonPath }),
    z.strictObject({ url: jsonPath, height: jsonPath.optional(), width: jsonPath.optional() }),
  ],
  'expected { "tag": path }, or { "url": path } with height and width where there are any',
);

const adFields = {
  advertiser_id: jsonPath,
  creative_id: jsonPath,
  advertiser_name: jsonPath.optional(),
  format: jsonPath.optional(),
  link: jsonPath.optional(),
  start: dated.optional(),
  last_seen: dated.optional(),
  image: image.optional(),
};

/** Paths of the properties of an ad in its row. A value may be null; a key may be missing if the field is `usual`. */
const ad = z.strictObject({
  ...adFields,
  /** Fields that some rows lack, but not all of many rows. Every row has the others. */
  usual: z.array(z.enum(['advertiser_name', 'format', 'link', 'start', 'last_seen', 'image'])).default([]),
  /** Other keys of rows. An unlisted key may be a renamed field. */
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
  /** Total number of ads, as the vendor estimates it. */
  total: jsonPath.optional(),
  other_keys: z.array(jsonPath).default([]),
});

/** Meanings of an error in a reply with a status of success. */
const meanings = z.enum(['refused', 'key_refused', 'out_of_credits', 'slow_down', 'failed']);
const error = z.strictObject({
  when: condition,
  /** An exception: a vendor may report "no ads" in the place of its errors. */
  unless: condition.optional(),
  means: meanings.default('refused'),
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
      .extend({ advertisers_per_call: z.int().min(1).default(1), id_pattern: pattern.optional() })
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
export type AdMap = z.infer<typeof ad>;
export type SuggestionsMap = z.infer<typeof suggestions>;
export type DateForm = z.infer<typeof dateForms>;
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
