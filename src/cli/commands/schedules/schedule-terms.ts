import type { SourceCatalog } from '../../../sources/registry.ts';
import { parseSourceNames } from '../../../config/config.ts';
import { anySearch, type SearchOptions } from '../../../core/ads/ads-answer.ts';
import { parseCredits } from '../../../core/credits/credits.ts';
import { ValidationError } from '../../../core/errors.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import {
  readScheduleName,
  missesToEndBounds,
  type CatchUpPolicy,
  type OverlapPolicy,
  type ScheduleTerms,
  readStaleDays,
} from '../../../core/schedules/schedule.ts';
import { parseTimeZone } from '../../../core/time/time-zone.ts';
import { parseSearch, type SearchFlags } from '../batches/search-options.ts';

/** Options for the settings of a schedule. */
export interface TermOptions extends Omit<SearchFlags, 'maxAge'> {
  readonly name?: string;
  readonly cron?: string;
  readonly tz?: string;
  readonly source?: string;
  readonly sources?: string;
  readonly maxCredits?: string;
  readonly maxCreditsPerDay?: string;
  readonly overlap?: OverlapPolicy;
  readonly catchUp?: CatchUpPolicy;
  readonly missesToEnd?: string;
  readonly staleAfter?: string;
  readonly notify?: string;
}

/**
 * Parses the given settings. `before` holds the current search options.
 *
 * @throws ValidationError naming the option; Misconfigured for an unknown source.
 */
export function parseTerms(
  options: TermOptions,
  catalog: SourceCatalog,
  before: SearchOptions = anySearch,
): Partial<ScheduleTerms> {
  const { name, cron, tz, maxCredits, maxCreditsPerDay, overlap, catchUp, notify } = options;
  const { missesToEnd, staleAfter, source = options.sources } = options;
  return {
    ...(name === undefined ? {} : { name: readScheduleName(name, 'name') }),
    ...(cron === undefined ? {} : { cron: parseCron(cron, '--cron').text }),
    ...(tz === undefined ? {} : { timeZone: parseTimeZone(tz, '--tz').name }),
    ...(source === undefined ? {} : { sources: parseSourceNames(source, catalog) }),
    ...searchTerms(options, before),
    ...(maxCredits === undefined ? {} : { maxCreditsMicro: parseBudget(maxCredits, '--max-credits') }),
    ...(maxCreditsPerDay === undefined
      ? {}
      : { dayCreditsMicro: parseBudget(maxCreditsPerDay, '--max-credits-per-day') }),
    ...(overlap === undefined ? {} : { overlap }),
    ...(catchUp === undefined ? {} : { catchUp }),
    ...(missesToEnd === undefined
      ? {}
      : { missesToEnd: parseWhole(missesToEnd, '--misses-to-end', missesToEndBounds) }),
    ...(staleAfter === undefined ? {} : { staleDays: readStaleDays(staleAfter, '--stale-after') }),
    ...(notify === undefined ? {} : { notify: parseNotify(notify) }),
  };
}

function searchTerms(options: TermOptions, before: SearchOptions): { readonly search?: SearchOptions } {
  const { region, surface, maxAds, ownOnly } = options;
  if ([region, surface, maxAds, ownOnly].every((each) => each === undefined)) return {};
  const given = parseSearch(options);
  return {
    search: {
      ...before,
      ...(region === undefined ? {} : { region: given.region }),
      ...(surface === undefined ? {} : { surface: given.surface }),
      ...(maxAds === undefined ? {} : { adsMax: given.adsMax }),
      ...(ownOnly === undefined ? {} : { ownOnly: given.ownOnly }),
    },
  };
}

function parseBudget(text: string, option: string): bigint | null {
  if (text === 'none') return null;
  const amountMicro = parseCredits(text);
  if (amountMicro > 0n) return amountMicro;
  throw new ValidationError(`${option} ${text}: must be an amount above 0, such as ${option} 25, or none.`);
}

/** Parses an integer within bounds. @throws ValidationError naming the option. */
export function parseWhole(
  text: string,
  option: string,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const number = Number(text);
  if (/^\d{1,6}$/.test(text) && number >= min && number <= max) return number;
  throw new ValidationError(`${option} ${text}: must be an integer from ${min} to ${max}.`);
}

function parseNotify(text: string): readonly string[] {
  if (text === 'none') return [];
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}
