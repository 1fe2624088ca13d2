import { parseDomain } from '../domain.ts';
import { isAddressLiteral } from './address-literal.ts';
import { isAscii, parseDomainName, type ParsedDomainName } from './idna.ts';
import type { SyntaxReason } from './reasons.ts';
import { hasStrayJoiner, hasUnsafeCharacter } from './unsafe-characters.ts';

/**
 * How strict the reading is.
 *
 * `rfc5321`: the grammar of a mailbox, to the letter (RFC 5321 §4.1.2 and §4.1.3, with the characters beyond ASCII of RFC
 * 6531 §3.3): quoted local parts, address literals and names without a dot belong to it, blanks around it do not.
 * `deliverable`: what people type and mail can reach; blanks around it do not count.
 */
export type AddressProfile = 'deliverable' | 'rfc5321';

/** An address, taken apart. */
export interface EmailAddress {
  /** As given, in NFC: its case is kept, and so are the quotes of a quoted one. */
  readonly localPart: string;
  /** In lower case and in Unicode; an address literal as given, with its brackets. */
  readonly domain: string;
  /** In lower case and in ASCII (A-labels); an address literal as given, with its brackets. */
  readonly asciiDomain: string;
  /** Null for a domain under no public suffix, and for an address literal. */
  readonly registrableDomain: string | null;
  /**
   * The key of a lookup: equal for two spellings of one mailbox. Quotes and backslashes that are not needed are dropped
   * (RFC 5321 §4.1.2); case and dots of the local part stay, because only its server knows whether they count.
   */
  readonly normalised: string;
  /** The local part is beyond ASCII: only a server with SMTPUTF8 (RFC 6531) takes it. A domain can always be sent in ASCII. */
  readonly requiresSmtputf8: boolean;
}

export type ParsedAddress = { readonly kind: 'address'; readonly address: EmailAddress } | Invalid;

interface Invalid {
  readonly kind: 'invalid';
  readonly reason: SyntaxReason;
}

/** RFC 5321 §4.5.3.1: octets of a local part, and of a path without its angle brackets. */
const localOctetsMax = 64;
const addressOctetsMax = 254;

/**
 * Reads an address. The local part has to fit the grammar and the sizes both as given and in NFC, in which it is handed
 * on. Comments, folded lines and a dot at the end of the domain are refused. Never throws; of a long text it looks at no
 * more than an address can have, apart from the search for an @.
 */
export function parseAddress(text: string, profile: AddressProfile = 'deliverable'): ParsedAddress {
  if (profile === 'rfc5321') return parseMailbox(text);
  const parsed = parseMailbox(text.trim());
  const reason = parsed.kind === 'address' ? whyUndeliverable(parsed.address) : null;
  return reason === null ? parsed : invalid(reason);
}

/** The address as text: parsed again under the same profile, it is the same. */
export function formatAddress({ localPart, domain }: Pick<EmailAddress, 'localPart' | 'domain'>): string {
  return `${localPart}@${domain}`;
}

function parseMailbox(text: string): ParsedAddress {
  if (!text.includes('@')) return invalid('missing_at');
  const end = findEndOfLocalPart(text);
  if (typeof end === 'string') return invalid(end);
  const given = text.slice(0, end);
  if (/\p{Cs}/u.test(given)) return invalid('unsafe_characters');
  const localPart = given.normalize('NFC');
  if (Math.max(octetsOf(given), octetsOf(localPart)) > localOctetsMax) return invalid('local_part_too_long');
  if (localPart !== given && !isWhole(localPart, findEndOfLocalPart)) return invalid('local_part_invalid');
  return withDomain(localPart, text.slice(end + 1));
}

function withDomain(localPart: string, domainText: string): ParsedAddress {
  const name = domainText.startsWith('[') ? parseLiteral(domainText) : parseDomainName(domainText);
  if (name.kind === 'invalid') return name;
  if (octetsOf(localPart) + 1 + name.ascii.length > addressOctetsMax) return invalid('address_too_long');
  return {
    kind: 'address',
    address: {
      localPart,
      domain: name.unicode,
      asciiDomain: name.ascii,
      registrableDomain: registrableOf(name.ascii),
      normalised: formatAddress({ localPart: withoutNeedlessQuotes(localPart), domain: name.unicode }),
      requiresSmtputf8: !isAscii(localPart),
    },
  };
}

function parseLiteral(text: string): ParsedDomainName {
  if (text.length > addressOctetsMax) return { kind: 'invalid', reason: 'address_too_long' };
  if (isAddressLiteral(text)) return { kind: 'domain', ascii: text, unicode: text };
  return { kind: 'invalid', reason: hasUnsafeCharacter(text) ? 'unsafe_characters' : 'domain_invalid' };
}

function registrableOf(asciiDomain: string): string | null {
  const parsed = isLiteral(asciiDomain) ? null : parseDomain(asciiDomain);
  return parsed?.kind === 'domain' ? parsed.domain : null;
}

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const dot = '.'.charCodeAt(0);
const atSign = '@'.charCodeAt(0);
const space = ' '.charCodeAt(0);
const deletion = 0x7f;

/** RFC 5322 §3.2.3, in ASCII. */
const atomCharacters: ReadonlySet<number> = new Set(
  Array.from(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-/=?^_`{|}~",
    (character) => character.charCodeAt(0),
  ),
);

/** Where the @ behind the local part stands, or why there is none. Looks no further than a local part may reach. */
function findEndOfLocalPart(text: string): number | SyntaxReason {
  return isQuoted(text) ? findEndOfQuotedString(text) : findEndOfDotString(text);
}

function findEndOfDotString(text: string): number | SyntaxReason {
  let atomStart = 0;
  for (let at = 0; at <= localOctetsMax; at += 1) {
    const code = text.charCodeAt(at);
    if (code === dot || code === atSign) {
      if (at === atomStart) return code === atSign && at === 0 ? 'local_part_empty' : 'local_part_invalid';
      if (code === atSign) return at;
      atomStart = at + 1;
    } else if (!isAtomCharacter(code)) return reasonOf(code);
  }
  return 'local_part_too_long';
}

function findEndOfQuotedString(text: string): number | SyntaxReason {
  for (let at = 1; at < localOctetsMax; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return text.charCodeAt(at + 1) === atSign ? at + 1 : 'local_part_invalid';
    if (code === backslash) {
      at += 1;
      if (!isPrintable(text.charCodeAt(at))) return reasonOf(text.charCodeAt(at));
    } else if (!isPrintable(code) && !isBeyondAscii(code)) return reasonOf(code);
  }
  return 'local_part_too_long';
}

/** What may stand in an atom: RFC 6531 §3.3 adds all that is beyond ASCII. */
function isAtomCharacter(code: number): boolean {
  return atomCharacters.has(code) || isBeyondAscii(code);
}

/** What a backslash may stand before, blank included. RFC 6531 leaves that as it was: in ASCII. */
function isPrintable(code: number): boolean {
  return code >= space && code < deletion;
}

function isBeyondAscii(code: number): boolean {
  return code > deletion;
}

/** Why a character has no place where it was met. At the end of the text it is NaN. */
function reasonOf(code: number): SyntaxReason {
  return code <= space || code === deletion ? 'unsafe_characters' : 'local_part_invalid';
}

/** Whether a local part and nothing else stands in the text. */
function isWhole(text: string, findEnd: (text: string) => number | SyntaxReason): boolean {
  return findEnd(`${text}@`) === text.length;
}

/** A quoted local part in the shortest form that means the same mailbox; any other as it is. */
function withoutNeedlessQuotes(localPart: string): string {
  if (!isQuoted(localPart)) return localPart;
  const content = localPart.slice(1, -1).replace(/\\(.)/g, '$1');
  if (isWhole(content, findEndOfDotString)) return content;
  return `"${content.replace(/["\\]/g, '\\$&')}"`;
}

/** Top-level domains that no public DNS will ever have mail for, by the document that reserves them. */
const specialUse: ReadonlySet<string> = new Set([
  // RFC 6761.
  'test',
  'example',
  'invalid',
  'localhost',
  // RFC 6762, RFC 7686, RFC 9476.
  'local',
  'onion',
  'alt',
  // The ICANN Board's resolution of 29 July 2024, after SAC113.
  'internal',
  // RFC 3172: names of the infrastructure; below it RFC 8375's home.arpa.
  'arpa',
]);

/** What the grammar allows, and yet no mail can reach. */
function whyUndeliverable({ localPart, asciiDomain }: EmailAddress): SyntaxReason | null {
  if (isQuoted(localPart)) return 'quoted_local_not_allowed';
  if (hasUnsafeCharacter(localPart) || hasStrayJoiner(localPart)) return 'unsafe_characters';
  if (isLiteral(asciiDomain)) return 'domain_literal_not_allowed';
  const labels = asciiDomain.split('.');
  const topLevel = labels.at(-1) ?? '';
  if (labels.length === 1) return 'dotless_domain';
  if (/^\d+$/.test(topLevel)) return 'domain_invalid';
  return specialUse.has(topLevel) ? 'special_use_domain' : null;
}

function isQuoted(localPart: string): boolean {
  return localPart.startsWith('"');
}

function isLiteral(domain: string): boolean {
  return domain.startsWith('[');
}

function octetsOf(text: string): number {
  return Buffer.byteLength(text);
}

function invalid(reason: SyntaxReason): Invalid {
  return { kind: 'invalid', reason };
}
