import { addressOctetsMax, parseAddressDomain, type AddressDomain } from './address-domain.ts';
import { isAscii } from './idna.ts';
import type { SyntaxReason } from '../reasons.ts';
import { hasStrayJoiner, hasUnsafeCharacter } from './unsafe-characters.ts';

/**
 * Strictness of the parser. `rfc5321`: the grammar of a mailbox, to the letter (RFC 5321 §4.1.2 and §4.1.3, with the characters beyond
 * ASCII of RFC 6531 §3.3): quoted local parts, address literals and names without a dot belong to it, blanks around it do not.
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

/** RFC 5321 §4.5.3.1.1, in octets. */
export const localOctetsMax = 64;

/**
 * Reads an address. The local part has to fit the grammar and the sizes both as given and in NFC, in which it is handed
 * on. Comments, folded lines and a dot at the end of the domain are refused. Never throws; of a long text it looks at no
 * more than an address can have, apart from the search for an @.
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

/** The address as text: parsed again under the same profile, it is the same. */
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

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const dot = '.'.charCodeAt(0);
const atSign = '@'.charCodeAt(0);
const space = ' '.charCodeAt(0);
const deletion = 0x7f;

/** By code, 1 for what may stand in an atom: RFC 5322 §3.2.3, and all that is beyond ASCII (RFC 6531 §3.3) but is not in here. */
const atomCharacters = new Uint8Array(deletion + 1);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-/=?^_`{|}~")
  atomCharacters[character.charCodeAt(0)] = 1;

/** Finds the @ after the local part, or the reason why there is none. Reads no further than a local part may reach. */
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

/** True for characters that a backslash may quote, blank included. RFC 6531 leaves that in ASCII. */
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

/** True when a local part is the whole text. */
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

/** Rejects what the grammar allows and no mailbox has. In ASCII an unquoted local part holds nothing unsafe. */
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
