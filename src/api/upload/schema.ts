import { z } from '@hono/zod-openapi';
import type { SearchOptions } from '../../core/ads/ads-answer.ts';
import { readAge } from '../../core/time/parse-age.ts';
import { parseRegion } from '../../core/sources/regions.ts';
import { parseCredits } from '../../core/credits/credits.ts';
import { operations, type Operation } from '../../core/credits/price-book.ts';
import { ValidationError } from '../../core/errors.ts';
import { isStorable, text } from '../http/text.ts';

/** The forms in which a list comes as a file. */
export const listContents = {
  'text/csv': {
    schema: { type: 'string' as const, description: 'Gzipped or not, in any common encoding.' },
  },
  'multipart/form-data': {
    schema: {
      type: 'object' as const,
      properties: { file: { type: 'string' as const, contentMediaType: 'text/csv' } },
      description: 'One file, and any of the options of the query as fields.',
    },
  },
};

/** Truth, as a query or a form says it. */
export const yesOrNo = z.enum(['true', 'false']).transform((given) => given === 'true');

/** Several of something, as a query or a form says it: separated by commas. */
export const names = text().transform((given) => given.split(',').map((name) => name.trim()));

/** Reading options of a file, as query parameters or as fields of a form. */
export const readingTexts = {
  map: text().max(10_000).optional().openapi({
    description:
      'Which column holds which field: `company_domain=Website,company_name=Account,email=`; an empty one says that none does. Default: by the names of the columns.',
  }),
  encoding: text().max(40).optional().openapi({ description: 'Such as windows-1252. Default: found out.' }),
  delimiter: text().max(3).optional().openapi({ description: 'A character, or `tab`. Default: found out.' }),
  header: yesOrNo
    .optional()
    .openapi({ description: '`false`: the first line is data.', type: 'string', enum: ['true', 'false'] }),
  columns: names
    .pipe(z.array(text()))
    .optional()
    .openapi({ description: 'Names of the columns, separated by commas.', type: 'string' }),
};

/** Operations on each row, as a query or a form gives them. */
export const operationNames = names.pipe(z.array(z.enum(operations)).min(1)).openapi({
  description:
    'What to do with each row: `ads_search`, `email_validation` or both. Default: what its columns allow.',
  type: 'string',
  example: 'ads_search,email_validation',
});

/** Name of the file. */
export const fileName = text().min(1).max(200);

/** Options of an upload as texts. */
export interface ListTexts {
  readonly map?: string | undefined;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly header?: boolean | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly operations?: readonly Operation[] | undefined;
  readonly file_name?: string | undefined;
}

type JsonCell = string | number | boolean | null;
type JsonRow = Readonly<Record<string, JsonCell>>;

/** A list as JSON, and what may be said of it. */
export interface ListRows {
  readonly rows: readonly JsonRow[];
  readonly map?: Readonly<Record<string, string>> | undefined;
  readonly operations?: readonly Operation[] | undefined;
  readonly file_name?: string | undefined;
}

/** Looked at by hand: a schema for records leaves a field named `__proto__` out without a word. */
const jsonRow = z
  .custom<JsonRow>(isJsonRow, {
    error: 'must be an object whose values are text, numbers, truth values or null',
  })
  .openapi({ type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } });

function isJsonRow(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, cell]) => isStorable(name) && isCell(cell));
}

function isCell(cell: unknown): boolean {
  if (typeof cell === 'string') return isStorable(cell);
  return cell === null || typeof cell === 'number' || typeof cell === 'boolean';
}

/** The rows of a list in JSON. */
export const jsonRows = z.array(jsonRow).min(1);

/** Mapping of the fields of a JSON row to ours. */
export const jsonMap = z.record(text(), text());

/** Region of the ads. */
export const region = text().max(40).openapi({
  description: 'Only ads shown in this country, ISO 3166-1 alpha-2; for sources that know regions.',
  example: 'DE',
});

/** Maximum number of ads of a company, from a number or from its text. */
export function adsMax(number: z.ZodNumber | z.ZodCoercedNumber) {
  return number.int().min(1).max(999_999).openapi({
    description: 'At most so many ads of a company.',
    type: 'integer',
    minimum: 1,
    maximum: 999_999,
  });
}

/** Option to leave out ads of third parties, from a truth value or from its text. */
export function ownOnly<T extends z.ZodType<boolean>>(truth: T) {
  return truth.openapi({ description: 'Leave out ads of agencies, resellers and other third parties.' });
}

/** Maximum age of an answer. */
export const maxAge = text().max(40).openapi({
  description:
    'Answer from the store, free, what was searched within this time: minutes, hours or days such as `30m`, `12h`, `7d`.',
  example: '7d',
});

/** Search options as given: null resets one to its default. */
export interface SearchWords {
  readonly region?: string | null | undefined;
  readonly max_ads?: number | null | undefined;
  readonly own_only?: boolean | undefined;
  readonly max_age?: string | null | undefined;
}

/** Search options; those not given stay as they were. @throws ValidationError naming the field. */
export function searchOf(
  { region: country, max_ads: ads, own_only: own, max_age: age }: SearchWords,
  before: SearchOptions,
): SearchOptions {
  return {
    region: changed(before.region, country, (given) => parseRegion(given, 'region')),
    adsMax: changed(before.adsMax, ads, (given) => given),
    ownOnly: own ?? before.ownOnly,
    ageMsMax: changed(before.ageMsMax, age, (given) => readAge(given, 'max_age')),
  };
}

function changed<Given, Kept>(
  before: Kept | null,
  given: Given | null | undefined,
  parse: (given: Given) => Kept,
): Kept | null {
  if (given === undefined) return before;
  return given === null ? null : parse(given);
}

/** The most that can be said of credits. */
const creditsMax = 1_000_000_000;

/** A budget, from a number or from its text. */
export function budget(number: z.ZodNumber | z.ZodCoercedNumber) {
  return number
    .positive()
    .max(creditsMax)
    .openapi({ type: 'number', exclusiveMinimum: 0, maximum: creditsMax });
}

/** An amount of credits as microcredits, exact to six places. @throws ValidationError naming `where`. */
export function microOf(amount: number, where = 'max_credits'): bigint {
  try {
    return parseCredits(String(amount));
  } catch (cause) {
    throw new ValidationError('an amount of credits has at most six decimal places', { where, cause });
  }
}

/** Options for rows of a file that cannot be looked up, as query parameters or as fields of a form. */
export const rejectedOptions = z
  .strictObject({
    ...readingTexts,
    operations: operationNames.optional(),
    file_name: fileName.optional(),
  })
  .openapi('RejectedOptions');
export type RejectedOptions = z.infer<typeof rejectedOptions>;

/** The same of rows in JSON. */
export const rejectedRequest = z
  .strictObject({
    rows: jsonRows,
    map: jsonMap.optional(),
    operations: z.array(z.enum(operations)).min(1).optional(),
    file_name: fileName.optional(),
  })
  .openapi('RejectedRequest');
export type RejectedRequest = z.infer<typeof rejectedRequest>;
