import type { ChangeKind } from '../../../core/changes/ad-change.ts';
import type { AdObservation, ListedChange } from '../../../core/changes/change-list.ts';
import { timeText } from '../../../core/events/messages/text.ts';
import { shorten, visibleText } from '../../../core/reports/visible-text.ts';
import { showKey } from '../../context/name-company.ts';

/** Converts a change to its form in `--json`. */
export function changeJson(change: ListedChange) {
  return {
    schedule: change.schedule,
    scheduleId: change.scheduleId,
    scan: change.scan,
    companyDomain: change.companyDomain,
    companyName: change.companyName,
    kind: change.kind,
    reason: change.reason,
    ad: observationJson(change.ad),
    before: change.before === null ? null : observationJson(change.before),
    ranFrom: change.ranFrom,
    ranTo: change.ranTo,
    restsOn: change.restsOn,
    observedAt: change.observedAt,
    createdAt: change.createdAt,
  };
}

function observationJson({
  advertiserId,
  creativeId,
  advertiserName,
  format,
  originalUrl,
  variants,
  text,
}: AdObservation) {
  return { advertiserId, creativeId, advertiserName, format, originalUrl, variants, ...text };
}

/** Formats changes for people: by scan, then by company. Each change has its ad, what changed, and the URL of the ad. */
export function changesText(changes: readonly ListedChange[]): string {
  return groupBy(changes, ({ scan }) => scan)
    .map(scanText)
    .join('\n\n');
}

/** Formats the number of changes of each kind, most interesting first. */
export function countsText(counts: ReadonlyMap<ChangeKind, number>): string {
  return shownKinds
    .flatMap((kind) => {
      const count = counts.get(kind) ?? 0;
      return count === 0 ? [] : [`${count.toLocaleString('en')} ${kind}`];
    })
    .join(', ');
}

const shownKinds: readonly ChangeKind[] = ['new', 'reactivated', 'changed', 'ended', 'baseline'];

function scanText(changes: readonly ListedChange[]): string {
  const [first] = changes;
  if (first === undefined) return '';
  const { schedule, dueAt, timeZone, scan } = first;
  return [
    `${visibleText(schedule)}, ${timeText(dueAt, timeZone)}  (${scan})`,
    ...groupBy(changes, ({ companyKey }) => companyKey).flatMap(companyLines),
  ].join('\n');
}

function companyLines(changes: readonly ListedChange[]): readonly string[] {
  const [first] = changes;
  return first === undefined ? [] : [companyOf(first), ...changes.flatMap(changeLines)];
}

/** Maximum width of foreign text. */
const textCharsMax = 60;

/** Formats a change. The URL has a line of its own and is never cut, so that a terminal makes it a link. */
function changeLines(change: ListedChange): readonly string[] {
  const { advertiserName, advertiserId, format, text, originalUrl, creativeId } = change.ad;
  const parts = [
    shown(text?.headline ?? creativeId ?? 'ad'),
    shown(format),
    shown(advertiserName ?? advertiserId),
    ranText(change),
  ];
  return [
    `  ${kindText(change)}: ${parts.filter((part) => part !== '').join(', ')}`,
    ...differences(change).map((difference) => `    ${difference}`),
    ...(originalUrl === null ? [] : [`    ${visibleText(originalUrl)}`]),
  ];
}

/** Lists what differs in a changed ad: `format: Text → Video`. If no text differs, its picture or layout does. */
function differences({ ad, before }: ListedChange): readonly string[] {
  if (before === null) return [];
  const texts = compared.flatMap(([label, read]) => {
    const [was, is] = [shown(read(before)), shown(read(ad))];
    return was === is ? [] : [`${label}: ${was || 'none'} → ${is || 'none'}`];
  });
  return texts.length > 0 ? texts : ['picture or layout: changed'];
}

const compared: readonly (readonly [label: string, read: (ad: AdObservation) => string | null])[] = [
  ['format', ({ format }) => format],
  ['headline', ({ text }) => text?.headline ?? null],
  ['text', ({ text }) => text?.description ?? null],
  ['display URL', ({ text }) => text?.displayUrl ?? null],
  ['landing page', ({ text }) => text?.finalUrl ?? null],
];

/** Formats the kind of a change with its reason. */
function kindText({ kind, reason, restsOn }: ListedChange): string {
  switch (reason) {
    case null:
      return kind;
    case 'not_seen':
      return `${kind}, not seen in ${restsOn.length === 1 ? 'one scan' : `${restsOn.length} scans`}`;
    case 'last_seen_long_ago':
      return `${kind}, last seen long ago`;
    case 'first_scan':
      return `${kind}, first scan`;
    case 'missed_earlier':
      return `${kind}, missed earlier`;
    case 'long_ago':
      return `${kind}, ran long ago`;
  }
}

function ranText({ ranFrom, ranTo }: ListedChange): string {
  if (ranFrom !== null && ranTo !== null) return `${ranFrom} to ${ranTo}`;
  if (ranFrom !== null) return `since ${ranFrom}`;
  return ranTo === null ? '' : `until ${ranTo}`;
}

function companyOf({ companyDomain, companyName, companyKey }: ListedChange): string {
  return shown(companyDomain ?? companyName ?? showKey(companyKey).company);
}

/** Formats untrusted text: in one line, shortened. */
function shown(text: string | null): string {
  return text === null ? '' : shorten(visibleText(text), textCharsMax);
}

/** Groups adjacent items with the same key, in their order. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly T[])[] {
  const groups: T[][] = [];
  let last: string | undefined;
  for (const item of items) {
    const key = keyOf(item);
    if (key === last) groups.at(-1)?.push(item);
    else groups.push([item]);
    last = key;
  }
  return groups;
}
