import { z } from '@hono/zod-openapi';
import { anySearch } from '../../../core/ads/ads-answer.ts';
import { operations } from '../../../core/credits/price-book.ts';
import {
  afterPolicies,
  parseInboxName,
  parsePattern,
  parseQuery,
  parseSettle,
  settleBounds,
  standardCron,
  type InboxFileOptions,
  type InboxTerms,
} from '../../../core/inboxes/inbox.ts';
import { nameCharsMax } from '../../../core/schedules/schedule.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import { parseTimeZone } from '../../../core/time/time-zone.ts';
import { text } from '../../http/text.ts';
import {
  adsMax,
  budget,
  jsonMap,
  maxAge,
  microOf,
  ownOnly,
  readingTexts,
  region,
  surface,
  searchOf,
} from '../../upload/schema.ts';
import { addressField, placeFields } from '../fields/place.ts';
import { mentionsSearch, standardZone } from '../schedules/terms-schema.ts';

const name = text()
  .trim()
  .min(1)
  .max(nameCharsMax)
  .openapi({ description: 'Name of the inbox, unique in the account.', example: 'leads' });

const location = addressField.openapi({
  description:
    'Place to look into, without secrets: `/folder`, `s3://bucket/prefix`, `sftp://user@host/folder`, an HTTPS address, or `postgres://user@host/database`. A folder must be below one that the operator allows.',
  example: 's3://leads/incoming',
});

const { encoding, delimiter, quote, escape, sheet } = readingTexts;

const reading = {
  map: jsonMap.optional().openapi({
    description: 'Mapping of fields to columns, for all files. Default: by the names of the columns.',
  }),
  encoding,
  delimiter,
  quote,
  escape,
  sheet,
  skip_lines: z
    .int()
    .min(0)
    .max(1_000)
    .optional()
    .openapi({ description: 'Number of lines above the header to leave out. Default: detected.' }),
  strict: z
    .boolean()
    .optional()
    .openapi({ description: 'Reject files that are not well-formed. Default: `false`.' }),
  header: z
    .boolean()
    .optional()
    .openapi({ description: 'Set `false` if the first line is data. Default: detected.' }),
  columns: z
    .array(text())
    .optional()
    .openapi({ description: 'Names of the columns, in place of the header of the files.' }),
};

const terms = {
  cron: text()
    .max(200)
    .optional()
    .openapi({ description: `Times of the looks as a cron pattern. Default: \`${standardCron}\`.` }),
  time_zone: text()
    .max(64)
    .optional()
    .openapi({ description: `Time zone of the pattern. Default: \`${standardZone}\`.` }),
  pattern: text().max(200).nullable().optional().openapi({
    description: 'Pattern for the names of files: `*` stands for any characters, `?` for one. Default: all.',
    example: '*.csv',
  }),
  settle: text()
    .max(10)
    .optional()
    .openapi({
      description: `Time without a change after which a file is complete, in a folder or over SFTP. Default: \`${settleBounds.standardMs / 1000}s\`.`,
      example: '30s',
    }),
  after: z.enum(afterPolicies).optional().openapi({
    description:
      'What happens to a file that became a batch: it stays, is moved to `done/`, or is deleted. Default: `keep`.',
  }),
  query: text()
    .max(50_000)
    .optional()
    .openapi({ description: 'SQL of an inbox on Postgres: one SELECT. Each look runs it.' }),
  newer_by: text().min(1).max(63).nullable().optional().openapi({
    description:
      'Column of the query whose greater values mark newer rows. Default: a look takes all rows of the query.',
    example: 'created_at',
  }),
  ...reading,
  operations: z
    .array(z.enum(operations))
    .min(1)
    .nullable()
    .optional()
    .openapi({ description: 'Operations to run on each row. Default: all that the columns allow.' }),
  sources: z
    .array(text())
    .min(1)
    .optional()
    .openapi({ description: 'Sources to call, in order. Default: the configured sources.' }),
  region: region.nullable().optional(),
  surface: surface.nullable().optional(),
  max_ads: z.union([adsMax(z.number()), z.null()]).optional(),
  own_only: ownOnly(z.boolean()).optional(),
  max_age: maxAge.nullable().optional(),
  max_credits: z
    .union([budget(z.number()), z.null()])
    .optional()
    .openapi({ description: 'Maximum cost of each batch, in credits. Default: no bound.' }),
  again: z.boolean().optional().openapi({
    description:
      'Make every file a batch of its own. Default: `false`, a file with the content of an earlier batch joins it.',
  }),
};

/** Body of a new inbox. */
export const inboxRequest = z
  .strictObject({ name, location, ...placeFields, ...terms })
  .openapi('InboxRequest');
export type InboxRequest = z.infer<typeof inboxRequest>;

/** Body of changes to an inbox. */
export const inboxChanges = z
  .strictObject({ name: name.optional(), location: location.optional(), ...placeFields, ...terms })
  .openapi('InboxChanges');
export type InboxChanges = z.infer<typeof inboxChanges>;

/** Parses the given terms, without location and sources. `before` holds the current ones. @throws ValidationError that names the field */
export function termsOf(
  given: InboxChanges,
  before: Pick<InboxTerms, 'search' | 'fileOptions'> = { search: anySearch, fileOptions: {} },
): Partial<Omit<InboxTerms, 'location' | 'sources'>> {
  const { name: called, cron, time_zone: zone, pattern, settle, after, query, newer_by: newerBy } = given;
  const { operations: wanted, max_credits: credits, again } = given;
  const fileOptions = readingOf(given);
  return {
    ...(called === undefined ? {} : { name: parseInboxName(called, 'name') }),
    ...(cron === undefined ? {} : { cron: parseCron(cron, 'cron').text }),
    ...(zone === undefined ? {} : { timeZone: parseTimeZone(zone, 'time_zone').name }),
    ...(pattern === undefined ? {} : { pattern: pattern === null ? null : parsePattern(pattern, 'pattern') }),
    ...(settle === undefined ? {} : { settleMs: parseSettle(settle, 'settle') }),
    ...(after === undefined ? {} : { after }),
    ...(query === undefined ? {} : { query: parseQuery(query, 'query') }),
    ...(newerBy === undefined ? {} : { newerBy }),
    ...(Object.keys(fileOptions).length === 0
      ? {}
      : { fileOptions: { ...before.fileOptions, ...fileOptions } }),
    ...(wanted === undefined ? {} : { operations: wanted }),
    ...(mentionsSearch(given) ? { search: searchOf(given, before.search) } : {}),
    ...(credits === undefined ? {} : { maxCreditsMicro: credits === null ? null : microOf(credits) }),
    ...(again === undefined ? {} : { again }),
  };
}

function readingOf({ map, encoding, delimiter, quote, escape, ...given }: InboxChanges): InboxFileOptions {
  const { sheet, skip_lines: skipLines, strict, header, columns } = given;
  return {
    ...(map === undefined ? {} : { map }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(quote === undefined ? {} : { quote }),
    ...(escape === undefined ? {} : { escape }),
    ...(sheet === undefined ? {} : { sheet }),
    ...(skipLines === undefined ? {} : { skipLines }),
    ...(strict === undefined ? {} : { strict }),
    ...(header === undefined ? {} : { noHeader: !header }),
    ...(columns === undefined ? {} : { columns }),
  };
}
