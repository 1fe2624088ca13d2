import type { MailRoute } from './mail-domain.ts';

/**
 * Domains with permanent MX records, each of another operator (Google, Microsoft, Apple, Yahoo, IANA). One of them is enough to show that a
 * name server resolves existing domains; all of them do not disappear at once.
 */
export const controlDomains = ['gmail.com', 'outlook.com', 'icloud.com', 'yahoo.com', 'example.com'] as const;

/** Answers of a name server to control queries. */
export interface NameServerProof {
  /** MX records of `controlDomains`. */
  readonly there: readonly KnownAnswer[];
  /** Addresses of names that do not exist. */
  readonly addresses: readonly KnownAnswer[];
  /** MX records of names that do not exist. */
  readonly mail: readonly KnownAnswer[];
}

/** Reason of a missing answer. */
export type DnsError = Exclude<Extract<MailRoute, { kind: 'unknown' }>['reason'], 'dns_untrusted'>;

/** An answer with records, one that denies them, or none. */
export type KnownAnswer = 'records' | 'denied' | DnsError;

/** Trust in a name server. */
export type NameServerState =
  | { readonly kind: 'honest' }
  /** It returns addresses for names that do not exist, as some access providers do. */
  | { readonly kind: 'forges_addresses' }
  /** It returns mail servers for names that do not exist. */
  | { readonly kind: 'forges_mail' }
  /** It denies existing domains, as captive portals do and resolvers of private networks. */
  | { readonly kind: 'denies_domains' }
  | { readonly kind: 'silent'; readonly reason: DnsError };

/** Evaluates a name server by its answers to control queries. Without any answer it is silent, which proves nothing against it. */
export function evaluateNameServer({ there, addresses, mail }: NameServerProof): NameServerState {
  if (mail.includes('records')) return { kind: 'forges_mail' };
  if (there.includes('records'))
    return { kind: addresses.includes('records') ? 'forges_addresses' : 'honest' };
  if (there.includes('denied') || addresses.includes('records')) return { kind: 'denies_domains' };
  return { kind: 'silent', reason: there.includes('dns_timeout') ? 'dns_timeout' : 'dns_server_failure' };
}

/** True when answers of a server in this state count at all. */
export function isTrusted({ kind }: NameServerState): boolean {
  return kind === 'honest' || kind === 'forges_addresses';
}

/**
 * True when a route from a server in this state counts. From one that forges addresses only MX records count: an address in their place
 * may be forged, and a private one that of a portal.
 */
export function isCredible(domain: string, route: MailRoute, { kind }: NameServerState): boolean {
  if (route.kind === 'unknown') return true;
  // A filter blocks this one name, but it exists.
  const isDenied = route.kind === 'none' && route.reason !== 'null_mx';
  if (isDenied && controlDomains.some((name) => name === domain)) return false;
  if (kind !== 'forges_addresses') return kind === 'honest';
  if (route.kind === 'hosts') return !route.implicit;
  return route.reason === 'null_mx' || route.reason === 'domain_not_found';
}
