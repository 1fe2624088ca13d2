import { readFile } from 'node:fs/promises';
import type { SourceCatalog } from '../../../sources/registry.ts';
import { parseSourceNames } from '../../../config/config.ts';
import { anySearch, type SearchOptions } from '../../../core/ads/ads-answer.ts';
import { parseCredits } from '../../../core/credits/credits.ts';
import { ValidationError } from '../../../core/errors.ts';
import {
  parseEvery,
  parseInboxName,
  parsePattern,
  parseQuery,
  parseSettle,
  type AfterPolicy,
  type InboxTerms,
} from '../../../core/inboxes/inbox.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import { parseTimeZone } from '../../../core/time/time-zone.ts';
import type { PlaceOptions } from '../../context/parse-place.ts';
import { parseReading, type FileOptions } from '../batches/open-file.ts';
import { parseSearch, type SearchFlags } from '../batches/search-options.ts';

/** Options for the settings of an inbox. */
export interface InboxTermOptions extends FileOptions, SearchFlags, PlaceOptions {
  readonly name?: string;
  readonly location?: string;
  readonly every?: string;
  readonly cron?: string;
  readonly tz?: string;
  readonly pattern?: string;
  readonly settle?: string;
  readonly after?: AfterPolicy;
  readonly query?: string;
  readonly newerBy?: string;
  readonly credentials?: string;
  readonly source?: string;
  readonly maxCredits?: string;
  readonly again?: boolean;
}

/**
 * Parses the given settings, except the location. `before` holds the current ones.
 *
 * @throws ValidationError naming the option; Misconfigured for an unknown source.
 */
export async function parseInboxTerms(
  options: InboxTermOptions,
  catalog: SourceCatalog,
  before: Pick<InboxTerms, 'search' | 'fileOptions'> = { search: anySearch, fileOptions: {} },
): Promise<Partial<InboxTerms>> {
  const { name, tz, pattern, settle, after, query, newerBy, source, maxCredits, again } = options;
  const { operations, ...reading } = parseReading(options);
  return {
    ...(name === undefined ? {} : { name: parseInboxName(name, 'name') }),
    ...parseTimes(options),
    ...(tz === undefined ? {} : { timeZone: parseTimeZone(tz, '--tz').name }),
    ...(pattern === undefined ? {} : { pattern: parsePattern(pattern, '--pattern') }),
    ...(settle === undefined ? {} : { settleMs: parseSettle(settle, '--settle') }),
    ...(after === undefined ? {} : { after }),
    ...(query === undefined ? {} : { query: await readQuery(query) }),
    ...(newerBy === undefined ? {} : { newerBy: parseColumn(newerBy) }),
    ...(Object.keys(reading).length === 0 ? {} : { fileOptions: { ...before.fileOptions, ...reading } }),
    ...(operations === undefined ? {} : { operations }),
    ...(source === undefined ? {} : { sources: parseSourceNames(source, catalog) }),
    ...searchTerms(options, before.search),
    ...(maxCredits === undefined ? {} : { maxCreditsMicro: parseBudget(maxCredits) }),
    ...(again === undefined ? {} : { again }),
  };
}

function parseTimes({ every, cron }: InboxTermOptions): { readonly cron?: string } {
  if (every !== undefined && cron !== undefined)
    throw new ValidationError('--every and --cron cannot be combined. Use one of them.');
  if (every !== undefined) return { cron: parseEvery(every, '--every') };
  return cron === undefined ? {} : { cron: parseCron(cron, '--cron').text };
}

/** Reads the query from its file, unless it is a text: a SELECT, a WITH, a VALUES or a TABLE. */
async function readQuery(text: string): Promise<string> {
  if (/^\s*(select|with|values|table)\s/i.test(text)) return parseQuery(text, '--query');
  const read = await readFile(text, 'utf8').catch((cause: unknown) => {
    throw new ValidationError(
      `--query ${text.slice(0, 200)}: no such file, or permission denied. Write a SELECT, or name a file with one.`,
      { cause },
    );
  });
  return parseQuery(read, '--query');
}

function parseColumn(text: string): string {
  const column = text.trim();
  if (column !== '' && column.length <= 63 && !column.includes('\0')) return column;
  throw new ValidationError(`--newer-by ${text.slice(0, 63)}: must be the name of a column of the query.`);
}

function searchTerms(options: InboxTermOptions, before: SearchOptions): { readonly search?: SearchOptions } {
  const { region, surface, maxAds, ownOnly, maxAge } = options;
  if ([region, surface, maxAds, ownOnly, maxAge].every((each) => each === undefined)) return {};
  const given = parseSearch(options);
  return {
    search: {
      region: region === undefined ? before.region : given.region,
      surface: surface === undefined ? before.surface : given.surface,
      adsMax: maxAds === undefined ? before.adsMax : given.adsMax,
      ownOnly: ownOnly === undefined ? before.ownOnly : given.ownOnly,
      ageMsMax: maxAge === undefined ? before.ageMsMax : given.ageMsMax,
    },
  };
}

function parseBudget(text: string): bigint | null {
  if (text === 'none') return null;
  const amountMicro = parseCredits(text);
  if (amountMicro > 0n) return amountMicro;
  throw new ValidationError(
    `--max-credits ${text}: must be an amount above 0, such as --max-credits 25, or none.`,
  );
}
