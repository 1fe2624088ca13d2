import { domainToASCII } from 'node:url';
import { parseDomain } from '../domain.ts';

/** Why a text is no address that mail could be sent to. Stable codes. */
export type AddressReason =
  | 'missing_at'
  | 'local_part_empty'
  | 'local_part_invalid'
  | 'local_part_too_long'
  | 'domain_invalid'
  | 'dotless_domain'
  | 'address_too_long'
  | 'unsafe_characters';

/** An address, taken apart. */
export interface EmailAddress {
  readonly localPart: string;
  /** As given, in lower case. */
  readonly domain: string;
  /** In ASCII (punycode). */
  readonly asciiDomain: string;
  /** Null for a domain under no public suffix. */
  readonly registrableDomain: string | null;
  /** The key of a lookup: the domain in lower case, the local part as it is, because only its server knows whether case counts. */
  readonly normalised: string;
}

export type ParsedAddress =
  | { readonly kind: 'address'; readonly address: EmailAddress }
  | { readonly kind: 'invalid'; readonly reason: AddressReason };

/** RFC 5321 §4.5.3.1: octets of a local part, and of a path without its angle brackets. */
const localOctetsMax = 64;
const addressOctetsMax = 254;

/** RFC 5322 §3.2.3 dot-atom, with RFC 6531's characters beyond ASCII. */
const atomText = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\u{10ffff}-]";
const dotAtom = new RegExp(`^${atomText}+(?:\\.${atomText}+)*$`, 'u');
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}]/u;
/** What a domain may be written with, whatever comes out in ASCII: no part of a web address, and nothing that is escaped. */
const domainText =
  /^(?:[\p{L}\p{M}\p{N}.\-\u00b7\u0375\u05f3\u05f4\u3002\u30fb\uff0e\uff61]|\u200c|\u200d)+$/u;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reads an address as people write it; blanks around it do not count. Never throws. */
export function parseAddress(given: string): ParsedAddress {
  const text = given.trim();
  if (Buffer.byteLength(text) > addressOctetsMax) return invalid('address_too_long');
  if (unsafe.test(text)) return invalid('unsafe_characters');
  const at = text.lastIndexOf('@');
  if (at === -1) return invalid('missing_at');
  const localPart = text.slice(0, at);
  if (localPart === '') return invalid('local_part_empty');
  if (Buffer.byteLength(localPart) > localOctetsMax) return invalid('local_part_too_long');
  if (!dotAtom.test(localPart)) return invalid('local_part_invalid');
  return withDomain(localPart, text.slice(at + 1).toLowerCase());
}

function withDomain(localPart: string, domain: string): ParsedAddress {
  if (!domainText.test(domain)) return invalid('domain_invalid');
  const asciiDomain = /^[\x21-\x7e]*$/.test(domain) ? domain : domainToASCII(domain);
  const labels = asciiDomain.split('.');
  if (asciiDomain.length > 253 || !labels.every((part) => label.test(part))) return invalid('domain_invalid');
  if (labels.length === 1) return invalid('dotless_domain');
  if (/^\d+$/.test(labels.at(-1) ?? '')) return invalid('domain_invalid');
  const registrable = parseDomain(asciiDomain);
  return {
    kind: 'address',
    address: {
      localPart,
      domain,
      asciiDomain,
      registrableDomain: registrable.kind === 'domain' ? registrable.domain : null,
      normalised: `${localPart}@${domain}`,
    },
  };
}

function invalid(reason: AddressReason): ParsedAddress {
  return { kind: 'invalid', reason };
}
