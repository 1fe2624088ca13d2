import type { ChangeKind } from '../../../core/changes/ad-change.ts';
import type { AdObservation, ListedChange } from '../../../core/changes/change-list.ts';
import { momentText } from '../../../core/text/days.ts';
import { shorten, visibleText } from '../../../core/text/visible-text.ts';
import { showKey } from '../../context/name-company.ts';
import { formatTable } from '../../terminal/output.ts';

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

/** Formats changes for people: a table per scan, grouped by company. */
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
  const { schedule, dueAt, scan } = first;
  const rows = groupBy(changes, ({ companyKey }) => companyKey).flatMap((ofCompany) =>
    ofCompany.map((change, i) => [i === 0 ? companyOf(change) : '', ...changeCells(change)]),
  );
  const head = ['company', 'change', 'advertiser', 'format', 'ad', 'ran'];
  return `${visibleText(schedule)}, ${momentText(dueAt)}  (${scan})\n${formatTable(head, rows)}`;
}

/** Maximum width of foreign text. */
const cellCharsMax = 60;

function changeCells(change: ListedChange): readonly string[] {
  const { advertiserName, advertiserId, format, text, originalUrl, creativeId } = change.ad;
  return [
    kindText(change),
    cell(advertiserName ?? advertiserId),
    cell(format),
    cell(text?.headline ?? originalUrl ?? creativeId),
    ranText(change),
  ];
}

/** Formats the kind of a change with its reason. */
function kindText({ kind, reason, restsOn }: ListedChange): string {
  switch (reason) {
    case null:
      return kind;
    case 'not_seen':
      return `${kind}: not seen in ${restsOn.length === 1 ? 'one scan' : `${restsOn.length} scans`}`;
    case 'last_seen_long_ago':
      return `${kind}: last seen long ago`;
    case 'first_scan':
      return `${kind}: first scan`;
    case 'missed_earlier':
      return `${kind}: missed earlier`;
    case 'long_ago':
      return `${kind}: ran long ago`;
  }
}

function ranText({ ranFrom, ranTo }: ListedChange): string {
  if (ranFrom !== null && ranTo !== null) return `${ranFrom} to ${ranTo}`;
  if (ranFrom !== null) return `since ${ranFrom}`;
  return ranTo === null ? '' : `until ${ranTo}`;
}

function companyOf({ companyDomain, companyName, companyKey }: ListedChange): string {
  return cell(companyDomain ?? companyName ?? showKey(companyKey).company);
}

function cell(text: string | null): string {
  return text === null ? '' : shorten(visibleText(text), cellCharsMax);
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
