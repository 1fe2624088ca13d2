import type { MailRoute } from './mail-domain.ts';

/**
 * Domains that have MX records for as long as there is mail, each run by somebody else (Google, Microsoft, Apple, Yahoo, IANA). One of
 * them is enough to show that a name server tells of what there is; all of them at once do not go away.
 */
export const surelyThere = ['gmail.com', 'outlook.com', 'icloud.com', 'yahoo.com', 'example.com'] as const;

/** Answers of a name server to questions with known answers. */
export interface NameServerProof {
  /** The answers about the MX records of `surelyThere`. */
  readonly there: readonly KnownAnswer[];
  /** The answers about the addresses of names that nobody has. */
  readonly addresses: readonly KnownAnswer[];
  /** The answers about the MX records of the same names. */
  readonly mail: readonly KnownAnswer[];
}

/** Why there is no answer. */
export type DnsError = Exclude<Extract<MailRoute, { kind: 'unknown' }>['reason'], 'dns_untrusted'>;

/** An answer with records, one that denies them, or none. */
export type KnownAnswer = 'records' | 'denied' | DnsError;

/** Trust in a name server. */
export type NameServerState =
  | { readonly kind: 'honest' }
  /** It has addresses for names that nobody has, as some providers do. */
  | { readonly kind: 'makes_up_addresses' }
  /** It has mail servers for names that nobody has. */
  | { readonly kind: 'makes_up_mail' }
  /** It denies what is there. Captive portals do, and resolvers that know a private network alone. */
  | { readonly kind: 'denies' }
  | { readonly kind: 'silent'; readonly reason: DnsError };

/**
 * Judges a name server by what it says to questions whose answers are known. One that answers none of them is silent; that proves
 * nothing against it.
 */
export function evaluateNameServer({ there, addresses, mail }: NameServerProof): NameServerState {
  if (mail.includes('records')) return { kind: 'makes_up_mail' };
  if (there.includes('records'))
    return { kind: addresses.includes('records') ? 'makes_up_addresses' : 'honest' };
  if (there.includes('denied') || addresses.includes('records')) return { kind: 'denies' };
  return { kind: 'silent', reason: there.includes('dns_timeout') ? 'dns_timeout' : 'dns_server_failure' };
}

/** Says whether anything that a server in this state tells is believed. */
export function isBelieved({ kind }: NameServerState): boolean {
  return kind === 'honest' || kind === 'makes_up_addresses';
}

/**
 * Says whether a route is believed that a server in this state has told. Of one that makes addresses up, only what a domain's MX records
 * say: an address in place of them may be nobody's, and a private one that of a portal.
 */
export function isCredible(domain: string, route: MailRoute, { kind }: NameServerState): boolean {
  if (route.kind === 'unknown') return true;
  // Whatever filters this one name, it is there.
  const isDenied = route.kind === 'none' && route.reason !== 'null_mx';
  if (isDenied && surelyThere.some((name) => name === domain)) return false;
  if (kind !== 'makes_up_addresses') return kind === 'honest';
  if (route.kind === 'hosts') return !route.implicit;
  return route.reason === 'null_mx' || route.reason === 'domain_not_found';
}
