import { registrableDomainOf } from '../../companies/domain.ts';
import { isAddressLiteral } from './address-literal.ts';
import { isAscii, parseDomainName } from './idna.ts';
import type { SyntaxReason } from '../reasons.ts';
import { rememberTexts } from './remember-texts.ts';
import { hasUnsafeCharacter } from './unsafe-characters.ts';

/** Part after the @, or the reason why it is neither a domain name nor an address literal. */
export type ParsedAddressDomain = AddressDomain | { readonly kind: 'invalid'; readonly reason: SyntaxReason };

/** The spellings are those of `EmailAddress`. */
export interface AddressDomain {
  readonly kind: 'domain';
  readonly unicode: string;
  readonly ascii: string;
  readonly registrable: string | null;
  /** Reason why no mail can reach it, although the grammar allows it; null without one. */
  readonly undeliverable: SyntaxReason | null;
}

/** RFC 5321 §4.5.3.1.3: octets of a path without its angle brackets. Longer text is not parsed. */
export const addressOctetsMax = 254;

/** Bounds of the cache: millions of addresses share few domains. Some megabytes at most. Our choice. */
const memory = { textsMax: 20_000, charsMax: 64 };

/** Parses the part after the @ (RFC 5321 §4.1.2). Never throws. */
export function parseAddressDomain(text: string): ParsedAddressDomain {
  if (text.startsWith('[')) return readLiteral(text);
  return readName(hasCapitals.test(text) ? lowered(text) : text);
}

const hasCapitals = /[A-Z]/;

/** Lowers a name of ASCII, so that it is cached once. UTS #46 lowers names beyond ASCII. */
function lowered(text: string): string {
  return text.length <= memory.charsMax && isAscii(text) ? text.toLowerCase() : text;
}

function readLiteral(text: string): ParsedAddressDomain {
  if (text.length > addressOctetsMax) return { kind: 'invalid', reason: 'address_too_long' };
  if (!isAddressLiteral(text))
    return { kind: 'invalid', reason: hasUnsafeCharacter(text) ? 'unsafe_characters' : 'domain_invalid' };
  return {
    kind: 'domain',
    unicode: text,
    ascii: text,
    registrable: null,
    undeliverable: 'domain_literal_not_allowed',
  };
}

const readName = rememberTexts((text: string): ParsedAddressDomain => {
  const name = parseDomainName(text);
  if (name.kind === 'invalid') return name;
  const { ascii, unicode } = name;
  return {
    kind: 'domain',
    unicode,
    ascii,
    registrable: registrableDomainOf(ascii),
    undeliverable: whyUndeliverable(ascii),
  };
}, memory);

/** Top-level domains without mail in public DNS, by the document that reserves them. */
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

function whyUndeliverable(ascii: string): SyntaxReason | null {
  const lastDot = ascii.lastIndexOf('.');
  if (lastDot === -1) return 'dotless_domain';
  const topLevel = ascii.slice(lastDot + 1);
  if (digits.test(topLevel)) return 'domain_invalid';
  return specialUse.has(topLevel) ? 'special_use_domain' : null;
}

const digits = /^\d+$/;
