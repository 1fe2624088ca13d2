import { getDomainWithoutSuffix, getHostname, parse } from 'tldts';
import { decodePunycode } from './punycode.ts';
import { hasControlCharacter } from './control-character.ts';

/** A registrable domain, or a short reason for people why the text holds none. */
export type ParsedDomain =
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'not_a_domain'; readonly reason: string };

/** Maximum length of the text, in UTF-16 units. Our choice; generous, because a pasted link may carry a long query. */
const textCharsMax = 8_192;
/** The longest host name DNS can carry (RFC 1035 §2.3.4), in ASCII characters. */
const hostnameCharsMax = 253;

const withPrivateSuffixes = { allowPrivateDomains: true };
const hostOnly = { extractHostname: false };
const wellFormedHost = { ...withPrivateSuffixes, ...hostOnly, validateHostname: false };
/** Matches host names that need the platform's URL parser: characters beyond ASCII, and punycode, which may be broken. */
const international = /[^\0-\x7f]|xn--/i;
const registrable = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/**
 * Finds the registrable domain in a host name, a web address or an e-mail address; private suffixes count
 * (docs/architecture/decisions/0007-one-lookup-per-subject.md).
 *
 * `https://www.Nike.co.uk:443/x` gives `nike.co.uk`, `jo@acme.com` gives `acme.com`, `foo.github.io` stays, `münchen.de` gives
 * `xn--mnchen-3ya.de`. A host that is itself a private suffix is a company's own site too: `wordpress.com` stays (our choice).
 * Rejected: IP addresses, single labels, bare public suffixes, unknown endings, links with a user name. Never throws.
 */
export function parseDomain(text: string): ParsedDomain {
  const trimmed = text.trim();
  if (trimmed === '') return reject('empty');
  if (trimmed.length > textCharsMax) return reject('too long');
  if (hasControlCharacter(trimmed)) return reject('control or broken characters');
  if (trimmed.includes('@') && hasUserInfo(trimmed)) return reject('a link with a user name in it');
  const ascii = international.test(trimmed) ? hostToAscii(trimmed) : trimmed;
  if (ascii === null) return reject('characters that a domain cannot have');
  return readHost(parse(ascii, withPrivateSuffixes), trimmed);
}

/** Registrable domain of a well-formed host name in lower-case ASCII; null without one. */
export function registrableDomainOf(host: string): string | null {
  const parsed = international.test(host) ? parseDomain(host) : readHost(parse(host, wellFormedHost), host);
  return parsed.kind === 'domain' ? parsed.domain : null;
}

/** The host name that `parseDomain` evaluates, in ASCII: `www.nike.com` of `https://www.nike.com/x`; null without one. Never throws. */
export function hostnameOf(text: string): string | null {
  const ascii = international.test(text) ? hostToAscii(text.trim()) : text.trim();
  return ascii === null ? null : getHostname(ascii);
}

/**
 * The part of a registrable domain that names its owner, in Unicode: `nike` of `nike.co.uk`, `münchen` of `xn--mnchen-3ya.de`.
 * Compare it through `compactName`, which folds case, diacritics and hyphens on both sides.
 */
export function registrableLabel(domain: string): string {
  const label =
    getDomainWithoutSuffix(domain, withPrivateSuffixes) ??
    getDomainWithoutSuffix(domain) ??
    domain.split('.', 1)[0] ??
    '';
  return label.startsWith('xn--') ? (decodePunycode(label.slice(4)) ?? label) : label;
}

function readHost(host: ReturnType<typeof parse>, text: string): ParsedDomain {
  if (host.isIp) return reject('an IP address');
  if (host.hostname === null) return reject(whyNoHost(text));
  if (host.hostname.length > hostnameCharsMax) return reject(tooLong);
  if (!host.hostname.includes('.')) return reject('no dot in it');
  if (!host.isIcann && !host.isPrivate) return reject(`unknown ending ".${host.publicSuffix}"`);
  const domain = host.isPrivate ? ownerOf(host) : host.domain;
  if (domain === null) return reject(`"${host.hostname}" is an ending that many share`);
  if (!registrable.test(domain)) return reject('characters that a domain cannot have');
  return { kind: 'domain', domain };
}

/** Below a private suffix, the user's own part; at the suffix itself (or its `www`), the company that runs it. */
function ownerOf(host: ReturnType<typeof parse>): string | null {
  if (host.domain !== null && host.domainWithoutSuffix !== 'www') return host.domain;
  return host.publicSuffix === null ? null : parse(host.publicSuffix, hostOnly).domain;
}

const tooLong = `longer than ${hostnameCharsMax} characters`;
const hostPart = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?([^/?#\\]*)/i;

/** Reason why the text holds no host name. Runs on bad input only, so it may parse the text again. */
function whyNoHost(text: string): string {
  const host = hostPart.exec(text)?.[1] ?? '';
  if (host.length > hostnameCharsMax) return tooLong;
  if (/\s/.test(host)) return 'blanks in it';
  return /[,;|]/.test(host)
    ? 'more than one, or a list separator in it'
    : 'characters that a domain cannot have';
}

/** A link must not carry a user name: `https://bank.com@evil.org` is ambiguous. A plain e-mail address may. */
function hasUserInfo(text: string): boolean {
  const scheme = text.indexOf('://');
  const host = text.slice(scheme === -1 ? 0 : scheme + 3).split(/[/?#\\]/, 1)[0] ?? '';
  const ats = host.split('@').length - 1;
  return scheme === -1 ? ats > 1 : ats > 0;
}

/** Host of the text in canonical ASCII (UTS 46, by the platform's URL parser); null if there is none. */
function hostToAscii(text: string): string | null {
  // Lower case first: platforms differ in how they convert a capital ẞ.
  const host = (hostPart.exec(text.toLowerCase())?.[1] ?? '').replace(/^.*@/, '').replace(/:\d*$/, '');
  if (/[%[\]]/.test(host)) return null;
  try {
    // `canParse` is not used: Node 20 accepts blanks beyond ASCII in it, and then the constructor throws.
    return new URL(`http://${host}/`).hostname;
  } catch {
    return null;
  }
}

function reject(why: string): ParsedDomain {
  return { kind: 'not_a_domain', reason: `not a domain: ${why}` };
}
