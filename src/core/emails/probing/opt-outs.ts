import { createHash } from 'node:crypto';
import type { EmailAddress } from '../syntax/address.ts';
import { canonicalAddress } from '../syntax/canonical.ts';

/** Somebody who wants to be left alone. */
export type OptOut =
  /** In ASCII, in lower case; its subdomains are left alone with it. */
  | { readonly kind: 'domain'; readonly domain: string }
  /** In hexadecimal; see `personDigest`. */
  | { readonly kind: 'person'; readonly digest: string };

/** Port: who wants to be left alone. */
export interface OptOuts {
  /**
   * True when the person behind the address, or its domain, has asked for it.
   *
   * @throws DatabaseUnavailable
   */
  has(address: EmailAddress): Promise<boolean>;
  /** Adding again changes nothing. Answers whether it is new. */
  add(optOut: OptOut): Promise<boolean>;
  /** Answers whether there was one. */
  remove(optOut: OptOut): Promise<boolean>;
  list(): Promise<readonly ListedOptOut[]>;
}

export type ListedOptOut = OptOut & { readonly since: Date };

/** Stands for a person whose address is not kept: the digest of the canonical form, so that other spellings are the same person. */
export function personDigest(address: EmailAddress): string {
  return createHash('sha256').update(canonicalAddress(address)).digest('hex');
}

/** The domains that cover one: itself and those above it, the one without a dot left out. */
export function domainsAbove(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
}
