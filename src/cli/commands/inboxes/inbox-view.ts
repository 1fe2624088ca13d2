import { counted, timeText } from '../../../core/events/messages/text.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import {
  formatSettle,
  inboxFileStates,
  isWritable,
  type Inbox,
  type InboxFile,
} from '../../../core/inboxes/inbox.ts';
import { cappedText } from '../../../core/reports/capped-count.ts';
import { shorten, visibleText } from '../../../core/reports/visible-text.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import { describeCron } from '../../../core/schedules/describe-cron.ts';
import { formatLocation } from '../../../core/storage/location.ts';
import type { StorageFile } from '../../../core/storage/storage.ts';
import { formatAge } from '../../../core/time/parse-age.ts';
import { creditsText } from '../../terminal/credits-text.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Files that are in a location. */
export interface Found {
  readonly files: readonly Pick<StorageFile, 'path' | 'bytes'>[];
  readonly isCut: boolean;
  /** Columns of a query; null for a location with files. */
  readonly columns: readonly string[] | null;
}

/** Converts an inbox to its form in `--json`. Amounts are in credits; the location has no secrets. */
export function inboxJson(inbox: Inbox) {
  const { location, search, maxCreditsMicro } = inbox;
  return {
    id: inbox.publicId,
    name: inbox.name,
    location: formatLocation(location),
    kind: location.kind,
    ...(location.kind === 'sftp' ? { hostKey: location.hostKey } : {}),
    ...(location.kind === 's3' ? { endpoint: location.endpoint, s3Region: location.region } : {}),
    hasCredentials: inbox.hasCredentials,
    cron: inbox.cron,
    description: describeCron(parseCron(inbox.cron, 'cron')),
    timeZone: inbox.timeZone,
    state: inbox.state,
    nextAt: inbox.nextAt,
    pattern: inbox.pattern,
    settle: formatSettle(inbox.settleMs),
    after: inbox.after,
    query: inbox.query,
    newerBy: inbox.newerBy,
    map: inbox.fileOptions.map ?? null,
    operations: inbox.operations,
    sources: inbox.sources,
    region: search.region,
    maxAds: search.adsMax,
    ownOnly: search.ownOnly,
    maxAge: search.ageMsMax === null ? null : formatAge(search.ageMsMax),
    maxCredits: maxCreditsMicro === null ? null : creditsNumber(maxCreditsMicro),
    again: inbox.again,
    files: inbox.files,
    lookedAt: inbox.lookedAt,
    failingSince: inbox.failingSince,
    lastError: inbox.lastError,
    createdAt: inbox.createdAt,
  };
}

/** Converts a file to its form in `--json`. */
export function fileJson(file: InboxFile) {
  const { publicId: id, path, state, reason, batch, place, bytes, contentSha256 } = file;
  const { modifiedAt, firstSeenAt, settledAt } = file;
  return { id, path, state, reason, batch, place, bytes, contentSha256, modifiedAt, firstSeenAt, settledAt };
}

/** Formats inboxes for people, one paragraph each. */
export function inboxesText(inboxes: readonly Inbox[]): string {
  if (inboxes.length === 0)
    return 'No inboxes yet. Add one with: nightshift inbox add NAME FOLDER --max-credits 20';
  return inboxes.map(inboxText).join('\n\n');
}

/** Formats one inbox: its location, times, files and last look. */
function inboxText(inbox: Inbox): string {
  const { name, publicId, state, location, cron, timeZone, nextAt, lookedAt, lastError, failingSince } =
    inbox;
  return [
    `${name}  (${publicId}, ${state})`,
    `  Location   ${visibleText(formatLocation(location))}`,
    `  When       ${describeCron(parseCron(cron, 'cron'))}, ${timeZone}  (${cron})`,
    ...(nextAt === null ? [] : [`  Next       ${timeText(nextAt, timeZone)}`]),
    `  Files      ${countsText(inbox)}`,
    `  Last look  ${lookedAt === null ? 'none yet' : timeText(lookedAt, timeZone)}`,
    ...(lastError === null || failingSince === null
      ? []
      : [`  Error      ${visibleText(lastError)} (since ${timeText(failingSince, timeZone)})`]),
  ].join('\n');
}

/** Formats an inbox with all its settings. */
export function inboxDetails(inbox: Inbox): string {
  const { location, pattern, settleMs, after, fileOptions, operations, maxCreditsMicro, again } = inbox;
  const map = Object.entries(fileOptions.map ?? {}).map(([field, column]) => `${field}=${column}`);
  return [
    inboxText(inbox),
    ...(location.kind === 'sftp'
      ? [`  Host key   ${location.hostKey ?? 'recorded by the first connection'}`]
      : []),
    ...(inbox.newerBy === null ? [] : [`  Newer by   ${visibleText(inbox.newerBy)}`]),
    ...(pattern === null ? [] : [`  Pattern    ${pattern}`]),
    ...(location.kind === 'folder' || location.kind === 'sftp'
      ? [`  Settle     a file is complete after ${formatSettle(settleMs)} without a change`]
      : []),
    ...(isWritable(location) ? [`  After      ${afterText[after]}`] : []),
    ...(map.length === 0 ? [] : [`  Columns    ${visibleText(map.join(', '))}`]),
    `  Work       ${operations?.join(', ') ?? 'as the columns allow'}${sourcesText(inbox)}`,
    `  Budget     ${maxCreditsMicro === null ? 'no limit per batch' : `${creditsText(maxCreditsMicro)} per batch`}`,
    `  Again      ${again ? 'every file is a batch of its own' : 'files with the same content are one batch'}`,
  ].join('\n');
}

const afterText = {
  keep: 'keep: files stay where they are',
  move: 'move: files that became a batch are moved to done/',
  delete: 'delete: files that became a batch are deleted',
} as const;

/** Formats files for people, with the batch that each became or the reason why it has none. A narrow terminal hides neither. */
export function filesText(files: readonly InboxFile[], timeZone: string, columnsMax: number): string {
  return formatTable(
    [{ title: 'first seen', hide: 1 }, 'file', 'state', 'batch or reason'],
    files.map((file) => [
      timeText(file.firstSeenAt, timeZone),
      shorten(visibleText(file.path), pathCharsMax),
      file.state,
      file.batch ?? visibleText(file.reason ?? ''),
    ]),
    columnsMax,
  );
}

const pathCharsMax = 60;
const filesShown = 5;

/** Formats what is in a location. */
export function foundText({ files, isCut, columns }: Found): string {
  if (columns !== null) return `The query has the columns ${visibleText(columns.join(', '))}.`;
  if (files.length === 0) return 'Found no files yet.';
  const shown = files.slice(0, filesShown).map(({ path }) => shorten(visibleText(path), pathCharsMax));
  const more = files.length > filesShown || isCut ? [' …'] : [];
  return `Found ${isCut ? 'more than ' : ''}${counted(files.length, 'file')}: ${[shown.join(', '), ...more].join(',')}`;
}

/** Formats the number of files by state, without those that there are none of. */
export function countsText({ files }: Pick<Inbox, 'files'>): string {
  const counts = inboxFileStates.flatMap((state) =>
    files[state] === 0 ? [] : [`${cappedText(files[state])} ${state}`],
  );
  return counts.length === 0 ? 'none yet' : counts.join(', ');
}

function sourcesText({ sources }: Inbox): string {
  return sources.length === 0 ? '' : `, from ${sources.join(', ')}`;
}
