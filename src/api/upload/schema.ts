import { z } from '@hono/zod-openapi';
import type { SearchOptions } from '../../core/ads/ads-answer.ts';
import { readAge } from '../../core/time/parse-age.ts';
import { parseRegion } from '../../core/ads/regions.ts';
import { parseSurface, surfaces } from '../../core/ads/surfaces.ts';
import { parseCredits } from '../../core/credits/credits.ts';
import { operations, type Operation } from '../../core/credits/price-book.ts';
import { ValidationError } from '../../core/errors.ts';
import { parseSpend } from '../../core/sources/spend.ts';
import { fileTypes } from '../http/read-json.ts';
import { isStorable, text } from '../http/text.ts';

/** A file as the body of a request. */
const listFile = (description: string) => ({
  schema: { type: 'string' as const, format: 'binary', description },
});

/** Media types of a file in an upload. */
export const listContents = {
  ...Object.fromEntries(
    fileTypes.map((type) => [
      type,
      listFile('A file: its content decides on the format, as with `text/csv`.'),
    ]),
  ),
  'text/csv': listFile(
    'A file: CSV in any common encoding, an Excel (.xlsx) or OpenDocument (.ods) workbook, Parquet, NDJSON, or a JSON array; also gzipped, or as the only file of a ZIP archive. The content decides on the format, not the media type.',
  ),
  'multipart/form-data': {
    schema: {
      type: 'object' as const,
      properties: { file: { type: 'string' as const, contentMediaType: 'application/octet-stream' } },
      description: 'One file, with the options of the query as fields.',
    },
  },
};

/** Boolean in a query or a form. */
export const yesOrNo = z.enum(['true', 'false']).transform((given) => given === 'true');

/** List of values in a query or a form, separated by commas. */
export const names = text().transform((given) => given.split(',').map((name) => name.trim()));

/** Reading options of a file, as query parameters or as fields of a form. */
export const readingTexts = {
  map: text().max(10_000).optional().openapi({
    description:
      'Mapping of fields to columns, such as `company_domain=Website,company_name=Account,email=`. An empty column means that no column holds the field. Default: by the names of the columns.',
  }),
  encoding: text()
    .max(40)
    .optional()
    .openapi({ description: 'Character encoding of the file, such as `windows-1252`. Default: detected.' }),
  delimiter: text()
    .max(10)
    .optional()
    .openapi({ description: 'Column delimiter: a character, several, or `tab`. Default: detected.' }),
  quote: text()
    .max(1)
    .optional()
    .openapi({ description: 'Character that encloses cells. Default: detected.' }),
  escape: text()
    .max(1)
    .optional()
    .openapi({ description: 'Character before a quote in a quoted cell. Default: detected.' }),
  sheet: text().min(1).max(200).optional().openapi({
    description:
      'Name of the sheet of a workbook to read, in any case. Default: the first visible sheet with content.',
  }),
  skip_lines: z.coerce.number().int().min(0).max(1_000).optional().openapi({
    description: 'Number of lines, or rows of a sheet, above the header to leave out. Default: detected.',
    type: 'integer',
    minimum: 0,
    maximum: 1_000,
  }),
  strict: yesOrNo.optional().openapi({
    description: 'Set `true` to reject a file that is not well-formed, with its first mistakes.',
    type: 'string',
    enum: ['true', 'false'],
  }),
  header: yesOrNo.optional().openapi({
    description: 'Set `false` if the first line is data.',
    type: 'string',
    enum: ['true', 'false'],
  }),
  columns: names.pipe(z.array(text())).optional().openapi({
    description: 'Names of the columns, separated by commas, in place of the header of the file.',
    type: 'string',
  }),
};

/** Operations on each row, in a query or a form. */
export const operationNames = names.pipe(z.array(z.enum(operations)).min(1)).openapi({
  description:
    'Operations to run on each row: `ads_search`, `email_validation` or both, separated by a comma. Default: all that the columns allow.',
  type: 'string',
  example: 'ads_search,email_validation',
});

/** Name of the file. */
export const fileName = text().min(1).max(200);

/** Options of an upload as strings. */
export interface ListTexts {
  readonly map?: string | undefined;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
  readonly escape?: string | undefined;
  readonly sheet?: string | undefined;
  readonly skip_lines?: number | undefined;
  readonly strict?: boolean | undefined;
  readonly header?: boolean | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly operations?: readonly Operation[] | undefined;
  readonly file_name?: string | undefined;
}

type JsonCell = string | number | boolean | null;
type JsonRow = Readonly<Record<string, JsonCell>>;

/** A file as JSON, with its options. */
export interface ListRows {
  readonly rows: readonly JsonRow[];
  readonly map?: Readonly<Record<string, string>> | undefined;
  readonly operations?: readonly Operation[] | undefined;
  readonly file_name?: string | undefined;
}

/** Validated by hand, because a record schema silently drops a field named `__proto__`. */
const jsonRow = z
  .custom<JsonRow>(isJsonRow, {
    error: 'must be an object whose values are strings, numbers, booleans or null',
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

/** Rows of a file in JSON. */
export const jsonRows = z.array(jsonRow).min(1);

/** Mapping of fields to the fields of a JSON row. */
export const jsonMap = z.record(text(), text());

/** Region of the ads. */
export const region = text().max(40).openapi({
  description:
    'Find only ads shown in this country (ISO 3166-1 alpha-2). Applies to sources that know regions.',
  example: 'DE',
});

/** Surface of the ads. */
export const surface = text()
  .max(40)
  .openapi({
    description: `Find only ads shown on this surface: ${surfaces.join(', ')}. Applies to sources that know surfaces.`,
    example: 'YOUTUBE',
  });

/** Maximum number of ads of a company, as a number or a string. */
export function adsMax(number: z.ZodNumber | z.ZodCoercedNumber) {
  return number.int().min(1).max(999_999).openapi({
    description: 'Maximum number of ads to fetch for each company.',
    type: 'integer',
    minimum: 1,
    maximum: 999_999,
  });
}

/** Option to leave out ads of third parties, as a boolean or a string. */
export function ownOnly<T extends z.ZodType<boolean>>(truth: T) {
  return truth.openapi({ description: 'Leave out ads of agencies, resellers and other third parties.' });
}

/** Maximum age of an answer. */
export const maxAge = text().max(40).openapi({
  description:
    'Reuse stored answers that are at most this old, free of charge: minutes, hours or days, such as `30m`, `12h`, `7d`.',
  example: '7d',
});

/** Search options of a request: null resets one to its default. */
export interface SearchWords {
  readonly region?: string | null | undefined;
  readonly surface?: string | null | undefined;
  readonly max_ads?: number | null | undefined;
  readonly own_only?: boolean | undefined;
  readonly max_age?: string | null | undefined;
}

/** Merges search options; those not given keep their value. @throws ValidationError naming the field. */
export function searchOf(
  { region: country, surface: place, max_ads: ads, own_only: own, max_age: age }: SearchWords,
  before: SearchOptions,
): SearchOptions {
  return {
    region: changed(before.region, country, (given) => parseRegion(given, 'region')),
    surface: changed(before.surface, place, (given) => parseSurface(given, 'surface')),
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

/** Maximum amount of credits in a request. */
const creditsMax = 1_000_000_000;

/** Budget, as a number or a string. */
export function budget(number: z.ZodNumber | z.ZodCoercedNumber) {
  return number
    .positive()
    .max(creditsMax)
    .openapi({ type: 'number', exclusiveMinimum: 0, maximum: creditsMax });
}

/** Converts credits to microcredits, exact to six decimal places. @throws ValidationError naming `where`. */
export function microOf(amount: number, where = 'max_credits'): bigint {
  try {
    return parseCredits(String(amount));
  } catch (cause) {
    throw new ValidationError('must have at most six decimal places', { where, cause });
  }
}

/** Cap on the cost of calls, as `parseSpend` reads it. */
export const spendCap = text()
  .max(50)
  .refine((given) => parseSpend(given) !== null, {
    error: 'must be an amount above 0 with the currency of the price of the source, such as `5 USD`',
  })
  .openapi({
    description:
      'Maximum cost of the calls of the batch at its sources, in the currency of their prices. At the cap, the batch waits.',
    example: '5 USD',
  });

/** Options of the download of rejected rows, as query parameters or fields of a form. */
export const rejectedOptions = z
  .strictObject({
    ...readingTexts,
    operations: operationNames.optional(),
    file_name: fileName.optional(),
  })
  .openapi('RejectedOptions');
export type RejectedOptions = z.infer<typeof rejectedOptions>;

/** Options of the download of rejected rows, with rows in JSON. */
export const rejectedRequest = z
  .strictObject({
    rows: jsonRows,
    map: jsonMap.optional(),
    operations: z.array(z.enum(operations)).min(1).optional(),
    file_name: fileName.optional(),
  })
  .openapi('RejectedRequest');
export type RejectedRequest = z.infer<typeof rejectedRequest>;
