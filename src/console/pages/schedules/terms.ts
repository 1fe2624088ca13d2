import type { components } from '../../../../examples/typescript-client/schema.ts';
import {
  noSearch,
  optionText,
  searchTextsOf,
  type SearchTexts,
} from '../../components/search/search-texts.ts';

type Schedule = components['schemas']['Schedule'];
type Changes = components['schemas']['ScheduleChanges'];

/** Settings of a schedule as text; empty: not set. */
export interface TermTexts extends SearchTexts {
  readonly max_credits: string;
  readonly max_credits_per_day: string;
  readonly overlap: Schedule['overlap'];
  readonly catch_up: Schedule['catch_up'];
  readonly misses_to_end: string;
  readonly stale_after: string;
}

/** Defaults of a new schedule: those of the server. */
export const defaultTerms: TermTexts = {
  ...noSearch,
  ...{ max_credits: '', max_credits_per_day: '', overlap: 'skip', catch_up: 'once' },
  ...{ misses_to_end: '2', stale_after: '14' },
};

/** Converts the settings of a schedule to text. */
export function textsOf(schedule: Schedule): TermTexts {
  return {
    ...searchTextsOf(schedule),
    max_credits: optionText(schedule.max_credits),
    max_credits_per_day: optionText(schedule.max_credits_per_day),
    overlap: schedule.overlap,
    catch_up: schedule.catch_up,
    misses_to_end: optionText(schedule.misses_to_end),
    stale_after: schedule.stale_after.replace('d', ''),
  };
}

/** Converts settings to query parameters, without those not set. */
export function toFields(texts: TermTexts): readonly (readonly [name: string, value: string])[] {
  const { own_only: own, stale_after: stale, ...plain } = texts;
  return [
    ...Object.entries(plain)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
    ...(own ? [['own_only', 'true'] as const] : []),
    ...(stale.trim() === '' ? [] : [['stale_after', `${stale.trim()}d`] as const]),
  ];
}

/** Lists the changed settings. An emptied field removes its limit; emptied sources are kept. */
export function toChanges(texts: TermTexts, before: TermTexts): Changes {
  const isChanged = (name: keyof TermTexts) => texts[name] !== before[name];
  const numberOf = (text: string) => (text.trim() === '' ? null : Number(text));
  const textOf = (text: string) => (text.trim() === '' ? null : text.trim());
  return {
    ...(isChanged('sources') && texts.sources.trim() !== ''
      ? { sources: texts.sources.split(',').map((name) => name.trim()) }
      : {}),
    ...(isChanged('region') ? { region: textOf(texts.region) } : {}),
    ...(isChanged('max_ads') ? { max_ads: numberOf(texts.max_ads) } : {}),
    ...(isChanged('own_only') ? { own_only: texts.own_only } : {}),
    ...(isChanged('max_age') ? { max_age: textOf(texts.max_age) } : {}),
    ...(isChanged('max_credits') ? { max_credits: numberOf(texts.max_credits) } : {}),
    ...(isChanged('max_credits_per_day') ? { max_credits_per_day: numberOf(texts.max_credits_per_day) } : {}),
    ...(isChanged('overlap') ? { overlap: texts.overlap } : {}),
    ...(isChanged('catch_up') ? { catch_up: texts.catch_up } : {}),
    ...(isChanged('misses_to_end') ? { misses_to_end: Number(texts.misses_to_end) } : {}),
    ...(isChanged('stale_after') ? { stale_after: `${texts.stale_after.trim()}d` } : {}),
  };
}
