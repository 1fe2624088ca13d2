import { createHash } from 'node:crypto';
import { ValidationError } from '../../errors.ts';
import { emailReasons } from '../reasons.ts';
import { parseAddress, type EmailAddress } from '../syntax/address.ts';
import { canonicalAddress } from '../syntax/canonical.ts';

/** A person or a domain that must not be validated. */
export type OptOut =
  /** In ASCII, in lower case; it covers its subdomains. */
  | { readonly kind: 'domain'; readonly domain: string }
  /** In hexadecimal; see `personDigest`. */
  | { readonly kind: 'person'; readonly digest: string };

/** Port: opt-outs of persons and domains. */
export interface OptOuts {
  /**
   * True when the person behind the address, or its domain, has opted out.
   *
   * @throws DatabaseUnavailable
   */
  has(address: EmailAddress): Promise<boolean>;
  /** Adds an opt-out; returns false when it already exists. */
  add(optOut: OptOut): Promise<boolean>;
  /** Removes an opt-out; returns false when there is none. */
  remove(optOut: OptOut): Promise<boolean>;
  list(): Promise<readonly ListedOptOut[]>;
}

export type ListedOptOut = OptOut & { readonly since: Date };

/**
 * Parses an opt-out: an address is a person, any other text a domain, with or without an @ in front.
 *
 * @throws ValidationError when the text is neither
 */
export function parseOptOut(text: string): OptOut {
  const trimmed = text.trim();
  const isDomain = trimmed.lastIndexOf('@') <= 0;
  const parsed = parseAddress(isDomain ? `postmaster@${trimmed.replace(/^@/, '')}` : trimmed);
  if (parsed.kind === 'invalid') {
    const kind = isDomain ? 'domain' : 'e-mail address';
    throw new ValidationError(
      `${JSON.stringify(text)} is no ${kind}: ${emailReasons[parsed.reason].message}`,
    );
  }
  return isDomain
    ? { kind: 'domain', domain: parsed.address.asciiDomain }
    : { kind: 'person', digest: personDigest(parsed.address) };
}

/**
 * Digest that stands for a person whose address is not stored. It is computed from the canonical address, because other
 * spellings are the same person.
 */
export function personDigest(address: EmailAddress): string {
  return createHash('sha256').update(canonicalAddress(address)).digest('hex');
}

/** The domains that cover one: itself and those above it, the one without a dot left out. */
export function domainsAbove(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
}
