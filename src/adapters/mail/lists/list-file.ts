import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Misconfigured } from '../../../core/errors.ts';

/** The lists, by the names of their files. */
export const listNames = [
  'disposable',
  'free',
  'lookalikes',
  'mx-providers',
  'privacy-relays',
  'providers',
  'role',
  'silent-hosts',
] as const;

export type ListName = (typeof listNames)[number];

/** Folders of the lists, as absolute paths. */
export interface ListFolders {
  /** As they ship: a file `<name>.txt` for each. */
  readonly shipped: string;
  /**
   * The operator's, which may be missing. Its `<name>.txt` corrects a list: a line `entry` or `+entry` adds an entry, `-entry` removes one.
   * `refreshed/disposable.txt` replaces the shipped list unless that is newer.
   */
  readonly own: string | null;
}

/** Head of a list, from the comments at its beginning; null: not given. */
export interface ListHead {
  readonly origin: string | null;
  /** Date of the data, such as `2026-11-21`. */
  readonly date: string | null;
  readonly licence: string | null;
}

/** A list in use: the shipped or the refreshed one, with the operator's corrections. */
export interface MailList extends ListHead {
  readonly name: ListName;
  /** The file that was corrected. */
  readonly file: string;
  /** Attributes by entry: the tier of a role, the id and kind of a provider; else nothing. */
  readonly entries: ReadonlyMap<string, readonly string[]>;
  /** Number of entries that the operator's file added and removed. */
  readonly added: number;
  readonly removed: number;
}

/** A line of a list. */
export interface ListLine {
  readonly entry: string;
  readonly columns: readonly string[];
  /** Counted from 1. */
  readonly lineNumber: number;
}

/** Path of a refreshed list. */
export function refreshedFile(own: string): string {
  return join(own, 'refreshed', 'disposable.txt');
}

/**
 * Reads a list from its files.
 *
 * @throws Misconfigured when a file cannot be read or a line of it does not have the form of its list, with the place.
 */
export function readList(name: ListName, folders: ListFolders): MailList {
  const list = readUncorrected(name, folders);
  if (folders.own === null) return list;
  const entries = new Map(list.entries);
  return { ...list, entries, ...correct(name, folders.own, entries) };
}

/**
 * Reads a list without the operator's corrections.
 *
 * @throws Misconfigured as `readList` does.
 */
export function readUncorrected(name: ListName, folders: ListFolders): MailList {
  const { file, text } = newest(name, folders);
  const entries = new Map(readLines(text).map((line) => [line.entry, checked(name, file, line)]));
  return { name, file, ...readHead(text), entries, added: 0, removed: 0 };
}

/** Lines of a list that hold an entry. A line that starts with # is a comment. */
export function readLines(text: string): readonly ListLine[] {
  return text.split('\n').flatMap((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return [];
    const [entry = '', ...columns] = line.split(/\s+/);
    return [{ entry, columns, lineNumber: index + 1 }];
  });
}

/** Parses the head of a list from its comments. */
export function readHead(text: string): ListHead {
  const valueOf = (field: string) => new RegExp(`^# ${field}: (.+)$`, 'm').exec(text)?.[1]?.trim() ?? null;
  return { origin: valueOf('Origin'), date: valueOf('Date'), licence: valueOf('Licence') };
}

/** True when a text is a domain as lists write it: two labels or more, in ASCII, in lower case. */
export function isListDomain(text: string): boolean {
  return text.length <= 253 && domain.test(text);
}

const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const roleName = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/;
const providerId = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/** The form of a line, by its list. */
const forms: Readonly<Record<ListName, { readonly label: string; fits(line: ListLine): boolean }>> = {
  disposable: oneDomain(),
  free: oneDomain(),
  lookalikes: oneDomain(),
  'privacy-relays': oneDomain(),
  providers: oneDomain(),
  'silent-hosts': oneDomain(),
  role: {
    label: 'a name and its tier, strict or broad',
    fits: ({ entry, columns: [tier, ...rest] }) =>
      roleName.test(entry) && (tier === 'strict' || tier === 'broad') && rest.length === 0,
  },
  'mx-providers': {
    label: 'the end of a host name, a provider, and mailboxes, gateway or forwarder',
    fits: ({ entry, columns: [id = '', kind = '', ...rest] }) =>
      isListDomain(entry) &&
      providerId.test(id) &&
      ['mailboxes', 'gateway', 'forwarder'].includes(kind) &&
      rest.length === 0,
  },
};

function oneDomain() {
  return {
    label: 'one domain, in ASCII and lower case',
    fits: ({ entry, columns }: ListLine) => columns.length === 0 && isListDomain(entry),
  };
}

function checked(name: ListName, file: string, line: ListLine): readonly string[] {
  if (forms[name].fits(line)) return line.columns;
  throw new Misconfigured(`${file}, line ${line.lineNumber}: a line must hold ${forms[name].label}.`);
}

/** The newer of the shipped and the refreshed list. */
function newest(name: ListName, { shipped, own }: ListFolders) {
  const shippedFile = join(shipped, `${name}.txt`);
  const base = { file: shippedFile, text: readText(shippedFile) };
  if (name !== 'disposable' || own === null || !existsSync(refreshedFile(own))) return base;
  const refreshed = { file: refreshedFile(own), text: readText(refreshedFile(own)) };
  return (readHead(refreshed.text).date ?? '') >= (readHead(base.text).date ?? '') ? refreshed : base;
}

function correct(name: ListName, own: string, entries: Map<string, readonly string[]>) {
  const file = join(own, `${name}.txt`);
  const corrections = { added: 0, removed: 0 };
  if (!existsSync(file)) return corrections;
  for (const line of readLines(readText(file))) {
    const entry = line.entry.replace(/^[+-]/, '');
    if (line.entry.startsWith('-')) {
      corrections.removed += Number(entries.delete(entry));
    } else {
      corrections.added += Number(!entries.has(entry));
      entries.set(entry, checked(name, file, { ...line, entry }));
    }
  }
  return corrections;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Misconfigured(`The list ${file} cannot be read.`, { cause });
  }
}
