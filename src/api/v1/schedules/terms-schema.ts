import { z } from '@hono/zod-openapi';
import { anySearch, type SearchOptions } from '../../../core/ads/ads-answer.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import {
  readScheduleName,
  catchUpPolicies,
  missesToEndBounds,
  nameCharsMax,
  overlapPolicies,
  staleDaysBounds,
  standardTerms,
  type ScheduleTerms,
  readStaleDays,
} from '../../../core/schedules/schedule.ts';
import { parseTimeZone } from '../../../core/time/time-zone.ts';
import { Problem } from '../../http/problem.ts';
import {
  adsMax,
  budget,
  fileName,
  jsonMap,
  jsonRows,
  maxAge,
  microOf,
  names,
  ownOnly,
  readingTexts,
  region,
  surface,
  searchOf,
  yesOrNo,
  type SearchWords,
} from '../../upload/schema.ts';
import { text } from '../../http/text.ts';

/** Default time zone. That of the machine would differ from machine to machine. */
export const standardZone = 'UTC';

const name = text()
  .trim()
  .min(1)
  .max(nameCharsMax)
  .openapi({ description: 'Name of the schedule, unique in the account.', example: 'competitors' });
/** Cron pattern of the schedule. */
export const cron = text().max(200).openapi({
  description:
    'Times of the scans as a cron pattern: minute, hour, day of the month, month and day of the week, or `@hourly`, `@daily`, `@weekly`, `@monthly` or `@yearly`.',
  example: '0 2 * * 1-5',
});
/** Time zone of the schedule. */
export const timeZone = text()
  .max(64)
  .openapi({
    description: `Time zone of the pattern: a name in the tz database. Default: ${standardZone}.`,
    example: 'Europe/Berlin',
  });
const overlap = z.enum(overlapPolicies).openapi({
  description:
    'Handling of a time at which another scan is still running: it is skipped, or one scan waits. Default: `skip`.',
});
const catchUp = z.enum(catchUpPolicies).openapi({
  description:
    'Handling of times that passed while the service was down: no scan, or one scan for all of them. Default: `once`.',
});
const staleAfter = text()
  .max(10)
  .openapi({
    description: `Number of days after which an ad that its source no longer sees has ended. Default: \`${staleDaysBounds.standard}d\`.`,
    example: `${staleDaysBounds.standard}d`,
  });
const whatScansCost = 'Maximum cost of a scan, in credits. Default: no bound.';
const whatDaysCost =
  'Maximum cost of all scans that begin on one day of the time zone, in credits. Default: no bound.';
const notifyDescription =
  'Webhooks that receive the events of the schedule, by name or id. Default: all webhooks of the account that subscribe to such events.';
const whoIsAsked = 'Sources to call, in order. Default: the configured sources.';

function misses(number: z.ZodNumber | z.ZodCoercedNumber) {
  const { min: minimum, max: maximum, standard } = missesToEndBounds;
  return number
    .int()
    .min(minimum)
    .max(maximum)
    .openapi({
      description: `Number of consecutive complete scans that must miss an ad before it has ended. Default: ${standard}.`,
      ...{ type: 'integer', minimum, maximum },
    });
}

/** Schedule in the query or in the fields of a form, with its file. */
export const scheduleTexts = z
  .strictObject({
    name: name.optional(),
    cron: cron.optional(),
    time_zone: timeZone.optional(),
    sources: names
      .pipe(z.array(text()))
      .optional()
      .openapi({ description: `${whoIsAsked} Separated by commas.`, type: 'string' }),
    region: region.optional(),
    surface: surface.optional(),
    max_ads: adsMax(z.coerce.number()).optional(),
    own_only: ownOnly(yesOrNo)
      .optional()
      .openapi({ type: 'string', enum: ['true', 'false'] }),
    max_age: maxAge.optional(),
    max_credits: budget(z.coerce.number()).optional().openapi({ description: whatScansCost }),
    max_credits_per_day: budget(z.coerce.number()).optional().openapi({ description: whatDaysCost }),
    overlap: overlap.optional(),
    catch_up: catchUp.optional(),
    misses_to_end: misses(z.coerce.number()).optional(),
    stale_after: staleAfter.optional(),
    notify: names
      .pipe(z.array(text()))
      .optional()
      .openapi({ description: `${notifyDescription} Separated by commas.`, type: 'string' }),
    ...readingTexts,
    file_name: fileName.optional().openapi({ description: 'Name of the file.' }),
  })
  .openapi('ScheduleOptions');
export type ScheduleTexts = z.infer<typeof scheduleTexts>;

/** Allows null, and documents it. */
function orNull<T extends z.ZodType>(term: T) {
  return z.union([term, z.null()]);
}

const jsonTerms = {
  name: name,
  cron: cron,
  time_zone: timeZone.optional(),
  sources: z.array(text()).min(1).optional().openapi({ description: whoIsAsked }),
  region: region.nullable().optional(),
  surface: surface.nullable().optional(),
  max_ads: orNull(adsMax(z.number())).optional(),
  own_only: ownOnly(z.boolean()).optional(),
  max_age: maxAge.nullable().optional(),
  max_credits: orNull(budget(z.number())).optional().openapi({ description: whatScansCost }),
  max_credits_per_day: orNull(budget(z.number())).optional().openapi({ description: whatDaysCost }),
  overlap: overlap.optional(),
  catch_up: catchUp.optional(),
  misses_to_end: misses(z.number()).optional(),
  stale_after: staleAfter.optional(),
  notify: z.array(text()).nullable().optional().openapi({ description: notifyDescription }),
  map: jsonMap.optional().openapi({ description: 'Mapping of fields to columns.' }),
  file_name: fileName.optional(),
};
const rows = jsonRows.openapi({
  description: 'Rows of the file: one object for each company.',
  example: [{ company_domain: 'nike.com' }],
});

/** Schedule with a small file, or with the rows of a batch, as JSON. */
export const scheduleRequest = z
  .strictObject({
    ...jsonTerms,
    rows: rows.optional(),
    batch: text().min(1).max(100).optional().openapi({
      description:
        'In place of `rows`: id of a batch whose rows become the file. Its sources and search options apply where the request has none.',
      example: 'bat_01a1ff734ad87655b2c761ba36458456',
    }),
  })
  .openapi('ScheduleRequest');
export type ScheduleRequest = z.infer<typeof scheduleRequest>;

/** Body of changes to a schedule. */
export const scheduleChanges = z
  .strictObject({
    ...jsonTerms,
    name: name.optional(),
    cron: cron.optional(),
    rows: rows.optional().openapi({ description: 'Rows that replace the file of the schedule.' }),
  })
  .openapi('ScheduleChanges');
export type ScheduleChanges = z.infer<typeof scheduleChanges>;

/** Parses the terms of a new schedule, without its sources. @throws ValidationError | Problem that names the field */
export function termsOf(
  given: ScheduleTexts | ScheduleRequest,
  before: SearchOptions = anySearch,
): Omit<ScheduleTerms, 'sources'> {
  const { name: called, cron: pattern } = given;
  if (called === undefined || pattern === undefined) {
    const missing = (['name', 'cron'] as const).filter((field) => given[field] === undefined);
    throw new Problem('validation_error', { titles: missing.map((field) => `${field}: is missing`) });
  }
  return {
    timeZone: standardZone,
    ...standardTerms,
    ...changesOf(given),
    name: readScheduleName(called, 'name'),
    cron: parseCron(pattern, 'cron').text,
    search: searchOf(given, before),
  };
}

/** Parses the given terms, without sources and search options. @throws as `termsOf` does */
export function changesOf(
  given: ScheduleTexts | ScheduleChanges,
): Partial<Omit<ScheduleTerms, 'sources' | 'search'>> {
  const { cron: pattern, time_zone: zone, max_credits: ofScan, max_credits_per_day: ofDay } = given;
  const { name: called, stale_after: stale } = given;
  return present({
    name: called === undefined ? called : readScheduleName(called, 'name'),
    cron: pattern === undefined ? pattern : parseCron(pattern, 'cron').text,
    timeZone: zone === undefined ? zone : parseTimeZone(zone, 'time_zone').name,
    maxCreditsMicro: typeof ofScan === 'number' ? microOf(ofScan) : ofScan,
    dayCreditsMicro: typeof ofDay === 'number' ? microOf(ofDay, 'max_credits_per_day') : ofDay,
    overlap: given.overlap,
    catchUp: given.catch_up,
    missesToEnd: given.misses_to_end,
    staleDays: stale === undefined ? stale : readStaleDays(stale, 'stale_after'),
    notify: given.notify,
  });
}

/** True when a search option is given. */
export function mentionsSearch(given: SearchWords): boolean {
  const { region: country, surface: place, max_ads: ads, own_only: own, max_age: age } = given;
  return [country, place, ads, own, age].some((each) => each !== undefined);
}

type Present<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Fields that are not undefined. */
function present<Fields extends object>(fields: Fields): Present<Fields> {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as Present<Fields>;
}
