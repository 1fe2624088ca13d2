import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatDay } from '../../components/dates/days.ts';

type Change = components['schemas']['Change'];
type Observation = Change['ad'];
/** Kind of a change. */
export type Kind = Change['kind'];

/** Label and tone of each kind of change, in display order. */
export const kindLabels: Readonly<
  Record<Kind, { readonly name: string; readonly tone: 'good' | 'cool' | 'warm' | 'bad' | 'plain' }>
> = {
  new: { name: 'New', tone: 'good' },
  reactivated: { name: 'Back', tone: 'cool' },
  changed: { name: 'Changed', tone: 'warm' },
  ended: { name: 'Ended', tone: 'bad' },
  baseline: { name: 'Baseline', tone: 'plain' },
};

/** Describes a change. */
export function changeSummary(change: Change): string {
  switch (change.kind) {
    case 'new':
      return `New ad.${since(change, 'Running since')}`;
    case 'reactivated':
      return `Running again after it ended.${since(change, 'Running since')}`;
    case 'changed':
      return 'Still running, with new content.';
    case 'ended':
      return `No longer running.${until(change)}`;
    case 'baseline':
      return 'Already running before the first scan.';
  }
}

/** Describes the scans that a change is based on. */
export function changeEvidence(change: Change): string {
  const scans = joinDays(change.rests_on_at.map((at) => formatDay(at.slice(0, 10))));
  switch (change.reason) {
    case 'not_seen':
      return change.rests_on_at.length === 1
        ? `Missing in the complete scan of ${scans}.`
        : `Missing in ${change.rests_on_at.length} complete scans in a row: ${scans}.`;
    case 'last_seen_long_ago':
      return `Last seen by its source ${change.ran_to === null ? 'long ago' : `on ${formatDay(change.ran_to)}`}, according to the scan of ${scans}.`;
    case 'first_scan':
      return `Found in the first scan of its company, on ${scans}.`;
    case 'missed_earlier':
      return `Found in the scan of ${scans}. Earlier scans may have missed it.`;
    case 'long_ago':
      return `Not running for a long time, according to the scan of ${scans}.`;
    default:
      return `Found in the scan of ${scans}.`;
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
  ['Display URL', 'display_url'],
  ['Landing page', 'final_url'],
  ['Advertiser', 'advertiser_name'],
];

/** Lists the differences of a changed ad. If no text differs, its picture or layout does. */
export function differences({ ad, before }: Pick<Change, 'ad' | 'before'>): readonly Difference[] {
  if (before === null) return [];
  const texts = compared.flatMap(([name, field]) => {
    const [was, is] = [displayText(before[field]), displayText(ad[field])];
    return was === is ? [] : [{ name, before: was, after: is }];
  });
  const isRedrawn = JSON.stringify(before.variants ?? []) !== JSON.stringify(ad.variants ?? []);
  if (texts.length > 0 || !isRedrawn) return texts;
  return [{ name: 'Picture', before: 'previous', after: 'new' }];
}

/** Formats the title of an ad: its headline, else its format and advertiser. */
export function adTitle({ headline, format, advertiser_name: advertiser }: Observation): string {
  if (headline != null && headline !== '') return headline;
  const what = format == null ? 'Ad' : `${format} ad`;
  return advertiser == null ? what : `${what} by ${advertiser}`;
}

function since({ ran_from: from }: Change, text: string): string {
  return from === null ? '' : ` ${text} ${formatDay(from)}.`;
}

function until({ ran_to: to }: Change): string {
  return to === null ? '' : ` Last seen on ${formatDay(to)}.`;
}

function displayText(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : 'none';
}

function joinDays(days: readonly string[]): string {
  const distinct = [...new Set(days)];
  const last = distinct.at(-1) ?? '';
  return distinct.length < 2 ? last : `${distinct.slice(0, -1).join(', ')} and ${last}`;
}
