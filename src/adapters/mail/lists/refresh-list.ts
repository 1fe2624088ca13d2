import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseDomain } from '../../../core/companies/domain.ts';
import { Misconfigured, SourceUnreadable, ValidationError } from '../../../core/errors.ts';
import { getText, type HttpClient } from '../../http/http.ts';
import {
  isListDomain,
  readLines,
  readList,
  readUncorrected,
  refreshedFile,
  type ListFolders,
} from './list-file.ts';

/** Address of the maintained list of disposable domains (CC0-1.0). */
export const disposableListUrl =
  'https://raw.githubusercontent.com/disposable-email-domains/disposable-email-domains/main/disposable_email_blocklist.conf';

/** Changes of a refresh. */
export interface RefreshedList {
  /** Path of the written file. */
  readonly file: string;
  readonly origin: string;
  readonly entries: number;
  /** Compared with the list in use before, without corrections. */
  readonly added: number;
  readonly removed: number;
}

export interface RefreshOptions {
  /** https; http only to this machine, which the client has to allow. */
  readonly from: string;
  readonly folders: ListFolders & { readonly own: string };
  readonly client: HttpClient;
  readonly signal: AbortSignal;
  readonly now: Date;
  /** Milliseconds for the download. Default 30,000. */
  readonly deadlineMs?: number;
}

/** Forty times the size of the list today. */
const bodyBytesMax = 5_000_000;
/** Number of bad lines or domains that an error names. */
const namedMax = 5;

/**
 * Fetches the list of disposable domains and replaces the one in use: the next process reads it. The new list must contain domains only, at
 * least half as many as before, and no provider or privacy relay of our lists; else nothing changes. The file is renamed at the end, so that
 * no reader sees a part of it.
 *
 * @throws ValidationError when the address is not an https address.
 * @throws SourceUnreadable when the answer is not such a list, with the reason.
 * @throws Misconfigured when it cannot be written, or a list cannot be read.
 * @throws EnrichError of `getText` when it cannot be fetched.
 */
export async function refreshDisposable(options: RefreshOptions): Promise<RefreshedList> {
  const { folders, client, signal, now, deadlineMs = 30_000 } = options;
  const url = parseListUrl(options.from);
  const text = await getText(url, { signal, deadlineMs, bodyBytesMax }, client);
  const domains = parseDomains(text);
  const before = new Set(readUncorrected('disposable', folders).entries.keys());
  rejectShrunk(domains, before);
  rejectProviders(domains, folders);
  const origin = `${url.origin}${url.pathname}`;
  await writeList(refreshedFile(folders.own), domains, origin, now);
  return {
    file: refreshedFile(folders.own),
    origin,
    entries: domains.size,
    added: [...domains].filter((domain) => !before.has(domain)).length,
    removed: [...before].filter((domain) => !domains.has(domain)).length,
  };
}

/**
 * Parses the address of a list.
 *
 * @throws ValidationError for other addresses than https, and http to this machine.
 */
export function parseListUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const mayCarry = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url !== null && mayCarry && url.username === '' && url.password === '') return url;
  throw new ValidationError(
    'The address of the list must begin with https:// and contain no user name. http:// is allowed for this machine only.',
  );
}

/** RFC 6890: 127.0.0.0/8 and ::1 never leave the machine, and `localhost` does not either (RFC 6761 §6.3). */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function parseDomains(text: string): ReadonlySet<string> {
  const lines = readLines(text);
  const bad = lines.filter(({ entry, columns }) => columns.length > 0 || !isOwnDomain(entry));
  if (bad.length > 0) {
    const named = bad.slice(0, namedMax).map(({ entry, lineNumber }) => `${lineNumber} ("${shown(entry)}")`);
    throw new SourceUnreadable(
      `This is not a list of domains: ${bad.length} lines are something else, such as line ${named.join(', ')}. Nothing was changed.`,
    );
  }
  return new Set(lines.map(({ entry }) => entry));
}

/** True for a domain of one owner: a shared suffix would cover all domains below it. */
function isOwnDomain(text: string): boolean {
  return isListDomain(text) && parseDomain(text).kind === 'domain';
}

/** Untrusted text, safe in a message. */
function shown(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '?').slice(0, 60);
}

function rejectShrunk(domains: ReadonlySet<string>, before: ReadonlySet<string>): void {
  if (domains.size * 2 >= before.size) return;
  throw new SourceUnreadable(
    `The list has shrunk from ${before.size} to ${domains.size} domains, less than half. Nothing was changed.`,
  );
}

/** A list that contains a large provider is wrong, and would affect all of its users. */
function rejectProviders(domains: ReadonlySet<string>, folders: ListFolders): void {
  const real = (['free', 'privacy-relays', 'providers'] as const).flatMap((name) => [
    ...readList(name, folders).entries.keys(),
  ]);
  const covered = [...new Set(real)].filter((domain) => suffixesOf(domain).some((end) => domains.has(end)));
  if (covered.length === 0) return;
  const more = covered.length > namedMax ? ` and ${covered.length - namedMax} more` : '';
  throw new SourceUnreadable(
    `The list contains domains of mail providers: ${covered.slice(0, namedMax).join(', ')}${more}. Nothing was changed.`,
  );
}

/** `a.b.com` → `a.b.com`, `b.com`. */
function suffixesOf(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_label, at) => labels.slice(at).join('.'));
}

async function writeList(
  file: string,
  domains: ReadonlySet<string>,
  origin: string,
  now: Date,
): Promise<void> {
  const head = [
    '# Domains of disposable addresses. An entry covers its subdomains.',
    `# Origin: ${origin}`,
    `# Date: ${now.toISOString().slice(0, 10)}`,
    `# Licence: ${origin === disposableListUrl ? 'CC0-1.0' : 'as its origin has it'}`,
    '# Refresh: nightshift lists refresh',
  ];
  const aside = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(aside, [...head, ...[...domains].sort(), ''].join('\n'), { flush: true });
    await rename(aside, file);
  } catch (cause) {
    // A file that was not written cannot be removed.
    await rm(aside, { force: true }).catch(() => undefined);
    throw new Misconfigured(`The list cannot be written to ${file}.`, { cause });
  }
}
