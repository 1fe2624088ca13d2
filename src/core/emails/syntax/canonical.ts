import type { EmailAddress } from './address.ts';

/** Rules of a provider for local parts that differ from the default. */
interface ProviderRule {
  /** The main domain of all domains at which a name is the same mailbox. */
  readonly domain: string;
  /** Characters that the provider ignores in a name. */
  readonly overlooked: RegExp;
  readonly written: string;
}

const nothing = { overlooked: /(?!)/, written: '' };
/** Dots do not count: support.google.com/mail/answer/7436150. */
const google = { domain: 'gmail.com', overlooked: /\./g, written: '' };
/** Every account has its name under both; dots, hyphens and underscores do not count (ProtonMail/WebClients, helpers/string.js). */
const proton = { domain: 'proton.me', overlooked: /[._-]/g, written: '' };
/** An account has its name under every domain of Yandex Mail; a dot and a hyphen are the same there. */
const yandex = { domain: 'yandex.ru', overlooked: /\./g, written: '-' };
/** Addresses under me.com or mac.com are the same under icloud.com (Apple Support). */
const apple = { domain: 'icloud.com', ...nothing };

const rules: ReadonlyMap<string, ProviderRule> = new Map([
  ...['gmail.com', 'googlemail.com'].map((domain) => [domain, google] as const),
  ...['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'].map((domain) => [domain, proton] as const),
  ...['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'yandex.com.tr', 'ya.ru'].map(
    (domain) => [domain, yandex] as const,
  ),
  ...['icloud.com', 'me.com', 'mac.com'].map((domain) => [domain, apple] as const),
]);

/**
 * Canonical form of an address, the same for addresses that are likely one mailbox: in lower case, without the tag, with the rules of the
 * provider for dots and domains. `Info+x@Example.COM` gives `info@example.com`.
 *
 * It only marks likely duplicates: it may not exist, so it is never mailed.
 */
export function canonicalAddress(address: EmailAddress): string {
  const start = tagStart(address);
  const name = (start === -1 ? address.localPart : address.localPart.slice(0, start)).toLowerCase();
  const text = address.requiresSmtputf8 ? name.normalize('NFC') : name;
  const rule = rules.get(address.asciiDomain);
  if (rule === undefined) return `${text}@${address.asciiDomain}`;
  return `${text.replace(rule.overlooked, rule.written) || text}@${rule.domain}`;
}

/** A local part without its tag. */
export interface SplitName {
  /** In its given case. */
  readonly name: string;
  /** Null without one. */
  readonly tag: string | null;
}

/** Splits the tag from a local part (RFC 5233): `jane+news@example.com` gives `jane` and `news`. */
export function splitName(address: EmailAddress): SplitName {
  const { localPart } = address;
  const start = tagStart(address);
  if (start === -1) return { name: localPart, tag: null };
  return {
    name: localPart.slice(0, start),
    tag: start + 1 < localPart.length ? localPart.slice(start + 1) : null,
  };
}

/** The tag of an address: `news` of `jane+news@example.com`. Null without one. */
export function subaddressOf(address: EmailAddress): string | null {
  return splitName(address).tag;
}

/** Index of the tag's separator, or -1. A quoted local part has none, nor one that begins with it. */
function tagStart({ localPart, asciiDomain }: EmailAddress): number {
  if (localPart.startsWith('"')) return -1;
  const start =
    localPart.includes('-') && isYahoo(asciiDomain) ? localPart.search(/[+-]/) : localPart.indexOf('+');
  return start > 0 ? start : -1;
}

/** Yahoo's names have no hyphen: one always begins the keyword of what Yahoo calls a disposable address (Yahoo Help). */
function isYahoo(asciiDomain: string): boolean {
  return asciiDomain.startsWith('yahoo.') || asciiDomain === 'ymail.com' || asciiDomain === 'rocketmail.com';
}
