import { anySearch, type SearchOptions } from '../ads/ads-answer.ts';
import { hasControlCharacter } from '../companies/control-character.ts';
import type { Operation } from '../credits/price-book.ts';
import { ValidationError } from '../errors.ts';
import { nameCharsMax, type FileOptions } from '../schedules/schedule.ts';
import type { Location } from '../storage/location.ts';

/** Policies for a file that became a batch: it stays where it is, is moved to `done/`, or is deleted. */
export const afterPolicies = ['keep', 'move', 'delete'] as const;
export type AfterPolicy = (typeof afterPolicies)[number];

/**
 * States of a file. `waiting`: it may still be written; `ready` and `loading`: its batch is due; `loaded`: it became a batch; `joined`: a batch
 * with its content existed already; `failed`: it cannot be loaded; `ignored`: it is gone. The last four are final.
 */
export const inboxFileStates = [
  'waiting',
  'ready',
  'loading',
  'loaded',
  'joined',
  'failed',
  'ignored',
] as const;
export type InboxFileState = (typeof inboxFileStates)[number];

/** Move or deletion of a file in its storage that is still to be done. */
export type PendingMove = 'move' | 'delete';

/** Bounds and default of the time without a change after which a file is complete. Our choice. */
export const settleBounds = { minMs: 0, maxMs: 3_600_000, standardMs: 10_000 } as const;

/** Default pattern: every five minutes. Our choice. */
export const standardCron = '*/5 * * * *';

const patternCharsMax = 200;
const queryCharsMax = 100_000;

/** Options that parse the files of an inbox. */
export interface InboxFileOptions extends FileOptions {
  /** Name of the sheet of workbooks. */
  readonly sheet?: string;
}

/** Terms of an inbox that a person sets. */
export interface InboxTerms {
  /** Unique in the account. */
  readonly name: string;
  readonly location: Location;
  /** Five fields; see `parseCron`. */
  readonly cron: string;
  /** IANA name. */
  readonly timeZone: string;
  /** Glob that names of files match, such as `*.csv`; null for all. */
  readonly pattern: string | null;
  readonly settleMs: number;
  readonly after: AfterPolicy;
  /** SQL of a location on Postgres; null for the other kinds. */
  readonly query: string | null;
  /** Column whose greater values mark newer rows; null: every look reads all rows. */
  readonly newerBy: string | null;
  /** Options that parse every file. */
  readonly fileOptions: InboxFileOptions;
  /** Null: those that the columns of a file allow. */
  readonly operations: readonly Operation[] | null;
  readonly sources: readonly string[];
  readonly search: SearchOptions;
  /** Budget of each batch, in microcredits; null for no bound. */
  readonly maxCreditsMicro: bigint | null;
  /** True when every file becomes a batch of its own, also with content that an earlier batch has. */
  readonly again: boolean;
}

/** Defaults of a new inbox. */
export const standardInboxTerms = {
  cron: standardCron,
  pattern: null,
  settleMs: settleBounds.standardMs,
  after: 'keep',
  query: null,
  newerBy: null,
  fileOptions: {},
  operations: null,
  search: anySearch,
  maxCreditsMicro: null,
  again: false,
} as const satisfies Partial<InboxTerms>;

/** An inbox as it is shown to people. Its credentials are not part of it. */
export interface Inbox extends InboxTerms {
  readonly inboxId: number;
  readonly publicId: string;
  readonly hasCredentials: boolean;
  readonly state: 'active' | 'paused';
  /** Time of the next look, which is before the next tick while files wait; null while it is paused. */
  readonly nextAt: Date | null;
  /** Time at which the last look ended without an error; null before. */
  readonly lookedAt: Date | null;
  /** Error of the last look; null after one without an error. */
  readonly lastError: string | null;
  /** Time of the first failed look since the last one without an error. */
  readonly failingSince: Date | null;
  /** Number of files by state, up to `countedMax`. */
  readonly files: Readonly<Record<InboxFileState, number>>;
  readonly createdAt: Date;
  /** Time of the read, by the database clock: the next ticks follow it. */
  readonly readAt: Date;
}

/** A file that an inbox has seen. */
export interface InboxFile {
  readonly publicId: string;
  /** Path below the root of the location at which it arrived. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: Date | null;
  readonly state: InboxFileState;
  /** Reason of a failed or ignored file, and why a ready file waits. */
  readonly reason: string | null;
  /** Path at which it is now; null once it was deleted. */
  readonly place: string | null;
  /** SHA-256 in hexadecimal; null until it was read. */
  readonly contentSha256: string | null;
  /** Public id; null without a batch. */
  readonly batch: string | null;
  readonly firstSeenAt: Date;
  readonly settledAt: Date | null;
}

/**
 * Parses the name of an inbox: a line of text that does not look like an id.
 *
 * @throws ValidationError that names `where`, an option or a field.
 */
export function parseInboxName(text: string, where: string): string {
  const name = text.trim();
  if (name === '' || name.length > nameCharsMax || hasControlCharacter(name))
    throw new ValidationError(`${where}: write 1 to ${nameCharsMax} characters on one line.`);
  if (/^inb_/i.test(name))
    throw new ValidationError(`${where} "${name}": names must not begin like the ids of inboxes.`);
  return name;
}

/**
 * Parses the time without a change after which a file is complete: `10s`, `2m`, or `0`. Returns milliseconds.
 *
 * @throws ValidationError that names `where`, an option or a field.
 */
export function parseSettle(text: string, where: string): number {
  const [, count, unit = 's'] = /^(\d{1,4})(s|m|h)?$/.exec(text.trim()) ?? [];
  const ms = Number(count) * (settleUnits[unit] ?? NaN);
  if (ms >= settleBounds.minMs && ms <= settleBounds.maxMs) return ms;
  throw new ValidationError(`${where} ${text}: write seconds or minutes up to an hour, such as 10s or 2m.`);
}

const settleUnits: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Formats milliseconds as `parseSettle` parses them. */
export function formatSettle(ms: number): string {
  return ms > 0 && ms % 60_000 === 0 ? `${ms / 60_000}m` : `${ms / 1000}s`;
}

/**
 * Parses a glob for names of files. `*` stands for any characters, `?` for one.
 *
 * @throws ValidationError that names `where`, an option or a field.
 */
export function parsePattern(text: string, where: string): string {
  const pattern = text.trim();
  const isValid = pattern !== '' && pattern.length <= patternCharsMax && !hasControlCharacter(pattern);
  if (isValid && !pattern.includes('/')) return pattern;
  throw new ValidationError(
    `${where} "${text.slice(0, patternCharsMax)}": write a pattern for the names of files, such as *.csv, without folders.`,
  );
}

/**
 * Parses an interval between looks to its cron pattern: `5m` → every five minutes, `2h`, `1d`.
 *
 * @throws ValidationError for an interval that divides no hour or day.
 */
export function parseEvery(text: string, where: string): string {
  const [, count, unit] = /^(\d{1,2})([mhd])$/.exec(text.trim()) ?? [];
  const n = Number(count);
  if (unit === 'm' && n >= 1 && 60 % n === 0) return n === 60 ? '0 * * * *' : `*/${n} * * * *`;
  if (unit === 'h' && n >= 1 && 24 % n === 0) return n === 24 ? '0 0 * * *' : `0 */${n} * * *`;
  if (unit === 'd' && n === 1) return '0 0 * * *';
  throw new ValidationError(
    `${where} ${text}: write minutes that divide an hour, hours that divide a day, or 1d, such as 5m or 2h. For other times use --cron.`,
  );
}

/**
 * Checks that the terms fit the kind of their location.
 *
 * @throws ValidationError that says what is missing or unnecessary.
 */
export function assertTermsFit({ location, query, newerBy, after }: InboxTerms): void {
  const isQuery = location.kind === 'postgres';
  if (isQuery && query === null) throw new ValidationError('A location on Postgres needs a query.');
  if (!isQuery && query !== null) throw new ValidationError('Only a location on Postgres has a query.');
  if (!isQuery && newerBy !== null)
    throw new ValidationError('Only a location on Postgres has a column for newer rows.');
  if (after !== 'keep' && !isWritable(location))
    throw new ValidationError(
      `Files of ${location.kind === 'https' ? 'an HTTPS address' : 'a query'} cannot be moved or deleted. Use keep.`,
    );
}

/** True for locations in which files can be moved. */
export function isWritable({ kind }: Location): boolean {
  return kind === 'folder' || kind === 's3' || kind === 'sftp';
}

/**
 * Parses the query of an inbox: one statement that returns rows.
 *
 * @throws ValidationError that names `where`, an option or a field.
 */
export function parseQuery(text: string, where: string): string {
  const query = text.trim().replace(/(\s*;)+$/, '');
  if (query !== '' && query.length <= queryCharsMax && !query.includes('\0')) return query;
  throw new ValidationError(`${where}: write one SELECT statement of at most ${queryCharsMax} characters.`);
}
