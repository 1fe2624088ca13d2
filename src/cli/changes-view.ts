import type { ListedChange } from '../core/scans/change-list.ts';
import { showKey } from './name-company.ts';
import { formatTable, type Output } from './output.ts';

/** Changes for people: a table for each company, those with the most changes first. */
export function changesText(
  changes: readonly ListedChange[],
  hasMore: boolean,
  { colors }: Pick<Output, 'colors'>,
): string {
  if (changes.length === 0) return 'Nothing changed.';
  const byCompany = new Map<string, ListedChange[]>();
  for (const change of changes) {
    const listed = byCompany.get(change.companyKey);
    if (listed === undefined) byCompany.set(change.companyKey, [change]);
    else listed.push(change);
  }
  const companies = [...byCompany].sort(([, a], [, b]) => b.length - a.length);
  return [
    ...companies.flatMap(([key, listed]) => [
      colors.bold(nameOf(key, listed)),
      formatTable(['what', 'ad', 'advertiser', 'format', 'schedule', 'seen', 'why'], listed.map(rowOf)),
      '',
    ]),
    countText(changes),
    ...(hasMore ? ['There are more: ask for one --company, a shorter --since, or a larger --limit.'] : []),
  ].join('\n');
}

function nameOf(key: string, [first]: readonly ListedChange[]): string {
  return first?.companyDomain ?? first?.companyName ?? showKey(key).company;
}

function rowOf(change: ListedChange): readonly unknown[] {
  const { kind, ad, schedule, observedAt } = change;
  const seen = observedAt.toISOString().slice(0, 16).replace('T', ' ');
  return [kind, ad.creativeId, ad.advertiserName, ad.format, schedule, seen, reasonOf(change)];
}

/** What it rests on, in a few words. */
function reasonOf({ kind, reason, ranFrom, ranTo, restsOn }: ListedChange): string {
  switch (reason) {
    case 'first_scan':
      return 'there at the first scan';
    case 'missed_earlier':
      return `runs since ${ranFrom ?? 'before'}; earlier scans missed it`;
    case 'long_ago':
      return `does not run; last seen ${ranTo ?? 'long ago'}`;
    case 'not_seen':
      return `last seen ${ranTo ?? 'before'}; ${restsOn.length} complete scans without it`;
    case 'last_seen_long_ago':
      return `its source last saw it ${ranTo ?? 'long ago'}`;
    case null:
      return kind === 'changed' ? 'looks different' : `runs since ${ranFrom ?? 'this scan'}`;
  }
}

function countText(changes: readonly ListedChange[]): string {
  const kinds = ['new', 'reactivated', 'ended', 'changed', 'baseline'] as const;
  const counts = kinds.map(
    (kind) => [kind, changes.filter((change) => change.kind === kind).length] as const,
  );
  return counts.flatMap(([kind, count]) => (count === 0 ? [] : [`${count} ${kind}`])).join(', ');
}
