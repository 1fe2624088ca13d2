import { addressOctetsMax, parseAddressDomain, type AddressDomain } from './address-domain.ts';
import { isAscii } from './idna.ts';
import type { SyntaxReason } from '../reasons.ts';
import { hasStrayJoiner, hasUnsafeCharacter } from './unsafe-characters.ts';

/**
 * Strictness of the parser. `rfc5321`: exactly the grammar of a mailbox (RFC 5321 §4.1.2 and §4.1.3, with the characters beyond ASCII of RFC
 * 6531 §3.3), with quoted local parts, address literals and names without a dot, without spaces around it. `deliverable`: addresses that
 * mail can reach; spaces around them are ignored.
 */
export type AddressProfile = 'deliverable' | 'rfc5321';

/** A parsed address. */
export interface EmailAddress {
  /** As given, in NFC, with its case and its quotes. */
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
  /** The local part is beyond ASCII: only a server with SMTPUTF8 (RFC 6531) accepts it. A domain can always be sent in ASCII. */
  readonly requiresSmtputf8: boolean;
}

export type ParsedAddress = { readonly kind: 'address'; readonly address: EmailAddress } | Invalid;

interface Invalid {
  readonly kind: 'invalid';
  readonly reason: SyntaxReason;
}

/** RFC 5321 §4.5.3.1.1, in octets. */
export const localOctetsMax = 64;

/**
 * Parses an address. The local part must fit the grammar and the size limits both as given and in NFC. Comments, folded lines and a dot at
 * the end of the domain are rejected. Never throws. Reads no more of a long text than an address can have, apart from the search for an @.
 */
export function parseAddress(text: string, profile: AddressProfile = 'deliverable'): ParsedAddress {
  const mailbox = profile === 'rfc5321' ? text : text.trim();
  const local = readLocalPart(mailbox);
  if (local.kind === 'invalid') return local;
  const domain = parseAddressDomain(mailbox.slice(local.end + 1));
  if (domain.kind === 'invalid') return domain;
  if (local.octets + 1 + domain.ascii.length > addressOctetsMax) return invalid('address_too_long');
  const reason = profile === 'rfc5321' ? null : (whyUndeliverable(local) ?? domain.undeliverable);
  return reason === null ? { kind: 'address', address: addressOf(local, domain) } : invalid(reason);
}

/** Formats an address; parsing it again under the same profile gives the same address. */
export function formatAddress({ localPart, domain }: Pick<EmailAddress, 'localPart' | 'domain'>): string {
  return `${localPart}@${domain}`;
}

function addressOf({ text: localPart, isAscii }: LocalPart, domain: AddressDomain): EmailAddress {
  return {
    localPart,
    domain: domain.unicode,
    asciiDomain: domain.ascii,
    registrableDomain: domain.registrable,
    normalised: formatAddress({ localPart: withoutNeedlessQuotes(localPart), domain: domain.unicode }),
    requiresSmtputf8: !isAscii,
  };
}

/** The part of an address before the @. */
interface LocalPart {
  readonly kind: 'local';
  /** In NFC. */
  readonly text: string;
  readonly octets: number;
  readonly isAscii: boolean;
  /** Index of the @ after it. */
  readonly end: number;
}

function readLocalPart(mailbox: string): LocalPart | Invalid {
  return readPlainLocalPart(mailbox) ?? readAnyLocalPart(mailbox);
}

/** Reads a local part of atoms in ASCII, as nearly all are, by one expression; null for any other. */
function readPlainLocalPart(mailbox: string): LocalPart | null {
  const end = mailbox.indexOf('@');
  if (end === -1 || end > localOctetsMax) return null;
  const text = mailbox.slice(0, end);
  return plainLocalPart.test(text) ? { kind: 'local', text, octets: end, isAscii: true, end } : null;
}

function readAnyLocalPart(mailbox: string): LocalPart | Invalid {
  const end = findEndOfLocalPart(mailbox);
  if (typeof end === 'string') return invalid(mailbox.includes('@') ? end : 'missing_at');
  const given = mailbox.slice(0, end);
  if (!isAscii(given)) return composeLocalPart(given, end);
  return end > localOctetsMax
    ? invalid('local_part_too_long')
    : { kind: 'local', text: given, octets: end, isAscii: true, end };
}

function composeLocalPart(given: string, end: number): LocalPart | Invalid {
  if (/\p{Cs}/u.test(given)) return invalid('unsafe_characters');
  const text = given.normalize('NFC');
  const octets = Buffer.byteLength(text);
  if (Math.max(Buffer.byteLength(given), octets) > localOctetsMax) return invalid('local_part_too_long');
  if (text !== given && !isWhole(text, findEndOfLocalPart)) return invalid('local_part_invalid');
  return { kind: 'local', text, octets, isAscii: isAscii(text), end };
}

/** Atoms with single dots between them (RFC 5322 §3.2.3), as `findEndOfDotString` reads them. */
const plainLocalPart = /^(?:[\w!#$%&'*+\-/=?^`{|}~]|\.(?!\.|$)(?<!^\.))+$/;

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const dot = '.'.charCodeAt(0);
const atSign = '@'.charCodeAt(0);
const space = ' '.charCodeAt(0);
const deletion = 0x7f;

/** By code, 1 for the ASCII characters of an atom (RFC 5322 §3.2.3). RFC 6531 §3.3 adds everything beyond ASCII. */
const atomCharacters = new Uint8Array(deletion + 1);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-/=?^_`{|}~")
  atomCharacters[character.charCodeAt(0)] = 1;

/** Finds the @ after the local part, or the reason of its absence. Reads no further than the maximum length of a local part. */
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

/** True for characters of an atom: RFC 6531 §3.3 adds everything beyond ASCII. */
function isAtomCharacter(code: number): boolean {
  return atomCharacters[code] === 1 || isBeyondAscii(code);
}

/** True for characters that a backslash may quote, with the space. RFC 6531 leaves that in ASCII. */
function isPrintable(code: number): boolean {
  return code >= space && code < deletion;
}

function isBeyondAscii(code: number): boolean {
  return code > deletion;
}

/** Reason for an unexpected character; NaN stands for the end of the text. */
function reasonOf(code: number): SyntaxReason {
  return code <= space || code === deletion ? 'unsafe_characters' : 'local_part_invalid';
}

/** True when a local part is the whole text. */
function isWhole(text: string, findEnd: (text: string) => number | SyntaxReason): boolean {
  return findEnd(`${text}@`) === text.length;
}

/** The shortest form of a quoted local part that means the same mailbox; any other local part unchanged. */
function withoutNeedlessQuotes(localPart: string): string {
  if (!isQuoted(localPart)) return localPart;
  const content = localPart.slice(1, -1).replace(/\\(.)/g, '$1');
  if (isWhole(content, findEndOfDotString)) return content;
  return `"${content.replace(/["\\]/g, '\\$&')}"`;
}

/** Rejects what the grammar allows and no mailbox has. An unquoted local part in ASCII has no unsafe character. */
function whyUndeliverable({ text, isAscii }: LocalPart): SyntaxReason | null {
  if (isQuoted(text)) return 'quoted_local_not_allowed';
  return !isAscii && (hasUnsafeCharacter(text) || hasStrayJoiner(text)) ? 'unsafe_characters' : null;
}

function isQuoted(localPart: string): boolean {
  return localPart.startsWith('"');
}

function invalid(reason: SyntaxReason): Invalid {
  return { kind: 'invalid', reason };
}
