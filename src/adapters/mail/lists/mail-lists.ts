import { createDidYouMean, type DidYouMean } from '../../../core/emails/lists/did-you-mean.ts';
import { createSieve, type Sieve } from '../../../core/emails/lists/sieve.ts';
import type {
  DomainMarks,
  MailLists,
  MxKind,
  MxProvider,
  RoleTier,
} from '../../../core/emails/lists/mail-lists.ts';
import { readList, type ListFolders, type MailList } from './list-file.ts';

/** Indexes of the lists. */
interface Tables {
  readonly marks: ReadonlyMap<string, DomainMarks>;
  readonly marked: Sieve;
  readonly roles: ReadonlyMap<string, RoleTier>;
  readonly roleNames: Sieve;
  readonly mxProviders: ReadonlyMap<string, MxProvider>;
  readonly silentHosts: ReadonlyMap<string, true>;
  readonly didYouMean: DidYouMean;
}

const unmarked: DomainMarks = { isDisposable: false, isPrivacyRelay: false, isFree: false };

/**
 * Lists of the package with the operator's corrections. The first call reads them, in tens of milliseconds; later changes of
 * the files take effect in the next process.
 *
 * @throws Misconfigured at the first call, when a file cannot be read or a line does not have the form of its list.
 */
export function createMailLists(folders: ListFolders): MailLists {
  let tables: Tables | undefined;
  const read = () => (tables ??= readTables(folders));
  return {
    marksOf: (asciiDomain) => findMarks(read(), asciiDomain),
    roleTier: (name) => findTier(read(), name),
    mxProvider: (host) => findSuffix(read().mxProviders, host),
    isSilentHost: (host) => findSuffix(read().silentHosts, host) !== null,
    didYouMean: (typed, domainTakesMail) => read().didYouMean(typed, domainTakesMail),
  };
}

function readTables(folders: ListFolders): Tables {
  const marks = new Map<string, DomainMarks>();
  mark(marks, readList('free', folders), { isFree: true });
  mark(marks, readList('disposable', folders), { isDisposable: true });
  mark(marks, readList('privacy-relays', folders), { isPrivacyRelay: true });
  const lookalikes = readList('lookalikes', folders).entries;
  const roles = columnsOf(readList('role', folders), ([tier]) => tier as RoleTier);
  return {
    marks,
    marked: createSieve(marks.keys()),
    roles,
    roleNames: createSieve(roles.keys()),
    mxProviders: columnsOf(readList('mx-providers', folders), ([id = '', kind]) => ({
      id,
      kind: kind as MxKind,
    })),
    silentHosts: columnsOf(readList('silent-hosts', folders), () => true),
    didYouMean: createDidYouMean(
      [...readList('providers', folders).entries.keys()],
      (domain) => isMailOfPeople(marks.get(domain)) || lookalikes.has(domain),
    ),
  };
}

/** Some disposable domains are misspelt providers on purpose, such as `gmial.com`: they do not count. */
function isMailOfPeople(marks: DomainMarks | undefined): boolean {
  return marks !== undefined && (marks.isFree || marks.isPrivacyRelay);
}

function mark(marks: Map<string, DomainMarks>, { entries }: MailList, found: Partial<DomainMarks>): void {
  for (const domain of entries.keys()) marks.set(domain, { ...(marks.get(domain) ?? unmarked), ...found });
}

function columnsOf<Value>(
  { entries }: MailList,
  read: (columns: readonly string[]) => Value,
): ReadonlyMap<string, Value> {
  return new Map([...entries].map(([entry, columns]) => [entry, read(columns)]));
}

function findMarks({ marks, marked }: Tables, domain: string): DomainMarks {
  const own = marked.mayHave(domain) ? marks.get(domain) : undefined;
  if (own !== undefined) return own;
  const firstDot = domain.indexOf('.');
  // Nothing is above a domain of two labels, as most have.
  if (domain.indexOf('.', firstDot + 1) === -1) return unmarked;
  const above = findSuffix(marks, domain.slice(firstDot + 1));
  if (above === null || !above.isFree) return above ?? unmarked;
  return { ...above, isFree: false };
}

function findTier({ roles, roleNames }: Tables, name: string): RoleTier | null {
  const lower = name.toLowerCase();
  return roleNames.mayHave(lower) ? (roles.get(lower) ?? null) : null;
}

/** The value of the longest suffix of a name, of two labels or more. */
function findSuffix<Value>(values: ReadonlyMap<string, Value>, name: string): Value | null {
  const lastDot = name.lastIndexOf('.');
  for (let start = 0; start < lastDot; start = name.indexOf('.', start) + 1) {
    const value = values.get(name.slice(start));
    if (value !== undefined) return value;
  }
  return null;
}
