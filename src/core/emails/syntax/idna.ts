import { toUnicode } from 'tr46';
import { encodePunycode } from '../../companies/punycode.ts';
import type { SyntaxReason } from '../reasons.ts';
import { hasUnsafeCharacter } from './unsafe-characters.ts';

/** A domain name in its two spellings, or the reason of its rejection. */
export type ParsedDomainName =
  | {
      readonly kind: 'domain';
      /** For DNS: A-labels (`xn--…`) for labels beyond ASCII, in lower case. */
      readonly ascii: string;
      /** For users: U-labels, in lower case. */
      readonly unicode: string;
    }
  | { readonly kind: 'invalid'; readonly reason: DomainNameReason };

export type DomainNameReason = Extract<
  SyntaxReason,
  'domain_invalid' | 'domain_label_too_long' | 'address_too_long' | 'unsafe_characters' | 'idna_invalid'
>;

/** RFC 1035 §2.3.4, in ASCII characters: a label, and a name without the final dot. */
const labelCharsMax = 63;
const nameCharsMax = 253;
/** Maximum of UTF-16 units of a letter before composition (NFC): longer text is not parsed. */
const unitsPerCharMax = 4;

/** A name that is valid as it is: ASCII labels that are not A-labels and begin and end with a letter or a digit. */
const plainName = /^(?:(?!xn--)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.(?!$)|$))+$/i;
/** ASCII characters that no host name has (RFC 1123 §2.1): all but letters, digits, hyphen and dot. */
const strayAscii = /[\0-,/:-@[-`{-\x7f]/;
const beyondAscii = /[^\0-\x7f]/;
const aLabel = /(?:^|\.)xn--/i;
/** Characters that UTS #46 reads as a dot (RFC 3490 §3.1). */
const dots = /[.\u3002\uff0e\uff61]/;

/**
 * Parses a domain name in either spelling or a mixture, by IDNA 2008 (RFC 5890 to 5893) after the mapping of UTS #46: case, width,
 * composition and the ideographic full stop are ignored.
 *
 * A single label is a name, and so are digits only. Rejected: an empty label (also from a dot at either end), a hyphen at either end of a
 * label, `_`, an `xn--` label that is not an A-label, symbols and emoji, characters outside of their context, a wrong mixture of
 * directions. `address_too_long`: the name is longer than DNS allows. Never throws.
 */
export function parseDomainName(text: string): ParsedDomainName {
  return text.length <= nameCharsMax && plainName.test(text) ? plain(text) : parseAny(text);
}

function plain(text: string): ParsedDomainName {
  const name = text.toLowerCase();
  return { kind: 'domain', ascii: name, unicode: name };
}

function parseAny(text: string): ParsedDomainName {
  if (text.length > unitsPerCharMax * nameCharsMax) return invalid('address_too_long');
  if (hasUnsafeCharacter(text)) return invalid('unsafe_characters');
  if (strayAscii.test(text)) return invalid('domain_invalid');
  if (!isAscii(text) || aLabel.test(text)) return parseInternational(text);
  const name = text.toLowerCase();
  return withinLimits({ ascii: name, unicode: name });
}

/** True when the text has nothing beyond U+007F. */
export function isAscii(text: string): boolean {
  return !beyondAscii.test(text);
}

interface Spellings {
  readonly ascii: string;
  readonly unicode: string;
}

/** Checks hyphens here: UTS #46 would reject `r3---x` too, an ASCII label that exists in DNS. */
const uts46 = { useSTD3ASCIIRules: true, checkBidi: true, checkJoiners: true, checkHyphens: false };

function parseInternational(text: string): ParsedDomainName {
  // Before decoding, which takes time quadratic in the length of a label.
  const isTooLong = text.split(dots).some((label) => label.length > unitsPerCharMax * labelCharsMax);
  if (isTooLong) return invalid('domain_label_too_long');
  const unicode = isOfPlainLetters(text) ? text : mapped(text);
  const labels = unicode?.split('.') ?? [];
  if (unicode === null || !labels.every(isLabel)) return invalid('idna_invalid');
  return withinLimits({ ascii: labels.map(labelInAscii).join('.'), unicode });
}

/** A name by the mapping of UTS #46; null for one that it rejects. */
function mapped(text: string): string | null {
  const { domain, error } = toUnicode(text, uts46);
  return error ? null : domain;
}

function labelInAscii(label: string): string {
  return isAscii(label) ? label : `xn--${encodePunycode(label)}`;
}

/** Checks lengths in ASCII, and hyphens in Unicode: `-ü` begins with `xn--` in ASCII. */
function withinLimits({ ascii, unicode }: Spellings): ParsedDomainName {
  if (ascii.split('.').some((label) => label.length > labelCharsMax)) return invalid('domain_label_too_long');
  if (ascii.length > nameCharsMax) return invalid('address_too_long');
  if (!unicode.split('.').every(hasLettersAtItsEnds)) return invalid('domain_invalid');
  return { kind: 'domain', ascii, unicode };
}

function hasLettersAtItsEnds(label: string): boolean {
  return label !== '' && !label.startsWith('-') && !label.endsWith('-');
}

/** All but the characters of RFC 5892 §2.1: letters, combining marks and decimal digits. */
const notLetterNorDigit = /[^\p{L}\p{Mn}\p{Mc}\p{Nd}-]/u;
/** RFC 5892 §2.6 and §2.8: further characters, some of them in a context only. */
const allowedBesides = /[\u06fd\u06fe\u0f0b\u3007\u00b7\u0375\u05f3\u05f4\u30fb\u200c\u200d]/g;
/** Characters that IDNA 2008 disallows again: invisible (§2.3), symbols or music (§2.4), parts of Hangul (§2.9), exceptions (§2.6). */
const disallowed =
  /[\p{Default_Ignorable_Code_Point}\u302e\u302f\u20d0-\u20ff\u{1d100}-\u{1d24f}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\u3031-\u3035\u303b\u0640\u07fa]/u;

/** True when a label that UTS #46 accepts is ASCII or a U-label: IDNA 2008 requires more (RFC 5891 §4.2.3). */
function isLabel(label: string): boolean {
  if (isAscii(label)) return true;
  const plain = label.replace(allowedBesides, '');
  return (
    !hasReservedHyphens(label) &&
    !notLetterNorDigit.test(plain) &&
    !disallowed.test(plain) &&
    isInContext(label)
  );
}

/** RFC 5891 §4.2.3.1: the third and fourth character are hyphens. */
function hasReservedHyphens(label: string): boolean {
  return Array.from(label).slice(2, 4).join('') === '--';
}

/** RFC 5892 A.3 to A.6: a middle dot not between two l, a keraia not before Greek, a geresh or gershayim not after Hebrew. */
const outOfContext =
  /(?<!l)\u00b7|\u00b7(?!l)|\u0375(?!\p{Script=Greek})|(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u;
const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/** RFC 5892 A.3 to A.7. Joiners (A.1, A.2) are left to `tr46`; digits of two kinds (A.8, A.9) fail for their directions. */
function isInContext(label: string): boolean {
  return !outOfContext.test(label) && (!label.includes('\u30fb') || japanese.test(label));
}

/** The letters of these blocks are written from left to right and never composed: Latin, Greek, Cyrillic. */
const plainLettersEnd = 0x530;
/** By code: 1 for a letter that UTS #46 leaves as it is, -1 for any other character, 0 for one that was not asked for yet. */
const plainLetters = new Int8Array(plainLettersEnd);

/** True for a name without A-labels, in lower case, of letters that UTS #46 neither changes nor rejects in any context. */
function isOfPlainLetters(text: string): boolean {
  if (aLabel.test(text)) return false;
  for (let at = 0; at < text.length; at += 1) if (!isPlainLetter(text.charCodeAt(at))) return false;
  return true;
}

function isPlainLetter(code: number): boolean {
  if (code >= plainLettersEnd) return false;
  if (plainLetters[code] === 0) plainLetters[code] = isLeftAsItIs(String.fromCharCode(code)) ? 1 : -1;
  return plainLetters[code] === 1;
}

function isLeftAsItIs(character: string): boolean {
  return plainCharacter.test(character) && mapped(character) === character;
}

const plainCharacter = /^[\p{Ll}\p{Lo}\d.-]$/u;

function invalid(reason: DomainNameReason): ParsedDomainName {
  return { kind: 'invalid', reason };
}
