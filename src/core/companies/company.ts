import { nameCharsMax, normaliseName } from './company-name.ts';
import { parseDomain } from './domain.ts';
import { hasControlCharacter } from './control-character.ts';
import { cellText } from './placeholders.ts';
import { nameFitsDomain } from './name-fits-domain.ts';
import { isSharedHost, pageHostOf } from './shared-hosts.ts';

export { nameCharsMax } from './company-name.ts';
export { parseDomain, registrableLabel } from './domain.ts';
export type { ParsedDomain } from './domain.ts';

/** A company as it is looked up. At least one of `domain` and `name` is set. */
export interface CompanyQuery {
  /**
   * Companies with the same key are the same: `d:` and the registrable domain if there is one, else `n:` and the normalized
   * name (docs/architecture/decisions/0007-one-lookup-per-subject.md).
   */
  readonly key: string;
  /** Registrable domain in lower-case ASCII (punycode), or null. */
  readonly domain: string | null;
  /** The name as given, with tidied blanks; beside a domain it is only a hint. Null without one. */
  readonly name: string | null;
}

/** A company, with a warning if part of the input was ignored; or the reason why there is none. */
export type ParsedCompany =
  | { readonly kind: 'company'; readonly company: CompanyQuery; readonly warning: string | null }
  | { readonly kind: 'rejected'; readonly reason: string };

/** A usable value; `empty` for a cell without content; or `bad` for content that cannot be used. */
type Cell<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'empty' }
  | { readonly kind: 'bad'; readonly reason: string };

const empty = { kind: 'empty' } as const;

/**
 * Parses a company from user input: a domain, a name, or both (docs/architecture/decisions/0007-one-lookup-per-subject.md).
 *
 * A valid domain decides, and the name beside it is a hint. A bad domain beside a good name is ignored with a warning, and the
 * name is searched; a bad name beside a good domain is ignored with a warning. A user's page on a shared host
 * (`facebook.com/acme`) is a bad domain: the ads of the host are not the user's. So is the host itself beside the name of
 * another company (`isSharedHost`): it would merge all companies that have a page there. Never throws.
 */
export function parseCompany(input: {
  domain?: string | undefined;
  name?: string | undefined;
}): ParsedCompany {
  const name = parseNameCell(input.name);
  const domain = besideName(parseDomainCell(input.domain), name);
  if (domain.kind === 'value') return byDomain(domain.value, name);
  // Normalizing is expensive, and not needed beside a valid domain.
  const key = name.kind === 'value' ? parseNameKey(name.value) : name;
  if (name.kind === 'value' && key.kind === 'value') return byName(name.value, key.value, domain);
  const reasons = [domain, key].flatMap((cell) => (cell.kind === 'bad' ? [cell.reason] : []));
  return {
    kind: 'rejected',
    reason: reasons.length > 0 ? reasons.join('; ') : 'no company domain and no company name',
  };
}

/** The domain, unless it is a shared host and the name is not its owner's. */
function besideName(domain: Cell<string>, name: Cell<string>): Cell<string> {
  if (domain.kind !== 'value' || name.kind !== 'value' || !isSharedHost(domain.value)) return domain;
  if (nameFitsDomain(name.value, domain.value)) return domain;
  return parseNameKey(name.value).kind === 'value' ? shared(domain.value) : domain;
}

function shared(host: string): Cell<string> {
  return { kind: 'bad', reason: `"${host}" is a shared host` };
}

function byDomain(domain: string, name: Cell<string>): ParsedCompany {
  const hint = name.kind === 'value' ? name.value : null;
  const warning = name.kind === 'bad' ? `${name.reason}; searched by the domain alone` : null;
  return { kind: 'company', company: { key: `d:${domain}`, domain, name: hint }, warning };
}

function byName(name: string, key: string, domain: Cell<string>): ParsedCompany {
  const warning = domain.kind === 'bad' ? `${domain.reason}; searched by the name` : null;
  return { kind: 'company', company: { key: `n:${key}`, domain: null, name }, warning };
}

function parseDomainCell(cell: string | undefined): Cell<string> {
  const text = cellText(cell);
  if (text === '') return empty;
  const parsed = parseDomain(text);
  if (parsed.kind === 'not_a_domain') return { kind: 'bad', reason: parsed.reason };
  const host = pageHostOf(text, parsed.domain);
  if (host !== null) return { kind: 'bad', reason: `a page on "${host}", which many share` };
  return { kind: 'value', value: parsed.domain };
}

function parseNameCell(cell: string | undefined): Cell<string> {
  const raw = cellText(cell);
  if (raw === '') return empty;
  if (raw.length > nameCharsMax) return badName(`longer than ${nameCharsMax} characters`);
  const text = otherBlanks.test(raw) ? raw.replace(blanks, ' ') : raw;
  if (hasControlCharacter(text)) return badName('control or broken characters');
  return asciiLetterOrDigit.test(text) || letterOrDigit.test(text)
    ? { kind: 'value', value: text }
    : badName('no letter or digit in it');
}

/** The normalized name. Some characters expand to many (`ﷺ` to 18), so its length is checked again. */
function parseNameKey(name: string): Cell<string> {
  const key = normaliseName(name);
  if (key === '') return badName('no letter or digit in it');
  return key.length > nameCharsMax ? badName('too long when written out') : { kind: 'value', value: key };
}

const blanks = /\s+/g;
/** Blanks other than single spaces. */
const otherBlanks = /\s\s|[^\S ]/;
const asciiLetterOrDigit = /[a-z0-9]/i;
const letterOrDigit = /[\p{L}\p{N}]/u;

function badName(why: string): Cell<string> {
  return { kind: 'bad', reason: `not a company name: ${why}` };
}
