import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatDay } from '../../components/days.ts';

type Change = components['schemas']['Change'];
type Observation = Change['ad'];
export type Kind = Change['kind'];

/** Label and tone of each kind of change, in display order. */
export const kindLabels: Readonly<
  Record<Kind, { readonly name: string; readonly tone: 'good' | 'cool' | 'warm' | 'bad' | 'plain' }>
> = {
  new: { name: 'New', tone: 'good' },
  reactivated: { name: 'Back', tone: 'cool' },
  changed: { name: 'Changed', tone: 'warm' },
  ended: { name: 'Ended', tone: 'bad' },
  baseline: { name: 'There already', tone: 'plain' },
};

/** Describes a change in a sentence or two. */
export function whatHappened(change: Change): string {
  switch (change.kind) {
    case 'new':
      return `A new ad.${since(change, 'It has run since')}`;
    case 'reactivated':
      return `It had ended, and runs again.${since(change, 'It is known to run since')}`;
    case 'changed':
      return 'It runs on, and looks otherwise.';
    case 'ended':
      return `It does not run any more.${until(change)}`;
    case 'baseline':
      return 'No news: it was there before.';
  }
}

/** Why we say so. */
export function whatItRestsOn(change: Change): string {
  const scans = listed(change.rests_on_at.map((at) => formatDay(at.slice(0, 10))));
  switch (change.reason) {
    case 'not_seen':
      return change.rests_on_at.length === 1
        ? `The complete scan of ${scans} did not contain it.`
        : `${countWord(change.rests_on_at.length)} complete scans in a row did not contain it: those of ${scans}.`;
    case 'last_seen_long_ago':
      return `Its own source last saw it ${change.ran_to === null ? 'long ago' : `on ${formatDay(change.ran_to)}`}, as the scan of ${scans} heard.`;
    case 'first_scan':
      return `It came with the first look at its company, in the scan of ${scans}.`;
    case 'missed_earlier':
      return `It ran before, and earlier scans may have missed it; the scan of ${scans} has it.`;
    case 'long_ago':
      return `It has not run for long, as the scan of ${scans} heard.`;
    default:
      return change.kind === 'changed' ? `As the scan of ${scans} saw it.` : `The scan of ${scans} found it.`;
  }
}

/** Difference between two versions of an ad. */
export interface Difference {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const compared: readonly (readonly [name: string, field: keyof Observation])[] = [
  ['Format', 'format'],
  ['Headline', 'headline'],
  ['Text', 'description'],
  ['Shown address', 'display_url'],
  ['Leads to', 'final_url'],
  ['Advertiser', 'advertiser_name'],
];

/** Differences of a changed ad. Where no text differs, its picture or layout does. */
export function differences({ ad, before }: Pick<Change, 'ad' | 'before'>): readonly Difference[] {
  if (before === null) return [];
  const words = compared.flatMap(([name, field]) => {
    const [was, is] = [wordOf(before[field]), wordOf(ad[field])];
    return was === is ? [] : [{ name, before: was, after: is }];
  });
  const isRedrawn = JSON.stringify(before.variants ?? []) !== JSON.stringify(ad.variants ?? []);
  if (words.length > 0 || !isRedrawn) return words;
  return [{ name: 'Picture', before: 'another one', after: 'a new one' }];
}

/** Title of an ad: its headline, else its format and advertiser. */
export function adTitle({ headline, format, advertiser_name: advertiser }: Observation): string {
  if (headline != null && headline !== '') return headline;
  const what = format == null ? 'Ad' : `${format} ad`;
  return advertiser == null ? what : `${what} of ${advertiser}`;
}

function since({ ran_from: from }: Change, words: string): string {
  return from === null ? '' : ` ${words} ${formatDay(from)}.`;
}

function until({ ran_to: to }: Change): string {
  return to === null ? '' : ` The last day it is known to have run is ${formatDay(to)}.`;
}

function wordOf(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : 'none';
}

function listed(days: readonly string[]): string {
  const distinct = [...new Set(days)];
  const last = distinct.at(-1) ?? '';
  return distinct.length < 2 ? last : `${distinct.slice(0, -1).join(', ')} and ${last}`;
}

function countWord(count: number): string {
  return ['No', 'One', 'Two', 'Three', 'Four', 'Five'][count] ?? String(count);
}
