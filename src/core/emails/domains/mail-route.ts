import { isIP } from 'node:net';
import type { MailHost, MailRoute } from './mail-domain.ts';

/** A host that a domain's MX records name. */
export interface MailExchange {
  /** In ASCII, in lower case, without the final dot; untrusted, and possibly no host name. */
  readonly name: string;
  readonly preference: number;
}

/** Result of checking a mail host; `unknown` after an error of DNS. */
export type HostFinding =
  | { readonly kind: 'reachable'; readonly addresses: readonly string[] }
  | { readonly kind: 'not_public' }
  | { readonly kind: 'no_address' }
  | { readonly kind: 'unknown'; readonly reason: Extract<MailRoute, { kind: 'unknown' }>['reason'] }
  | { readonly kind: 'not_asked' };

export type EvaluatedExchange = MailExchange & { readonly finding: HostFinding };

/** The most hosts of a domain that are checked. Our choice: real domains have fewer. */
export const mailHostsMax = 10;

/**
 * Lifetime of a result, in milliseconds; the resolver does not report the TTL of the domain. Our choice: as long as mail administrators
 * expect a move to take, shorter if mail may become possible, and a moment after an error.
 */
export const routeLifetimeMs: Readonly<Record<MailRoute['kind'], number>> = {
  hosts: 3_600_000,
  none: 600_000,
  unknown: 10_000,
};

/**
 * Sorts the hosts of MX records by preference (RFC 5321 §5.1), each once; equal ones by name. Empty for a null MX (RFC 7505), the domain
 * accepts no mail: "." is not a host.
 */
export function sortExchanges(records: readonly MailExchange[]): readonly MailExchange[] {
  const sorted = records
    .map(({ name, preference }) => ({ name: name.toLowerCase().replace(/\.$/, ''), preference }))
    .sort((a, b) => a.preference - b.preference || compare(a.name, b.name));
  const seen = new Set(['']);
  return sorted.filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** Compares bytes, in any locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Letters, digits, hyphens (RFC 1123 §2.1), and the underscore that some real hosts have. */
const hostLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/**
 * Matches names that end like a number: some parsers read them as an IP address (WHATWG URL, "ends in a number").
 */
const number = /^(?:\d+|0x[0-9a-f]*)$/;

/** True when a text, in lower case, is the name of a host that DNS can resolve. */
export function isHostName(name: string): boolean {
  const labels = name.split('.');
  return (
    name.length <= 253 && labels.every((label) => hostLabel.test(label)) && !number.test(labels.at(-1) ?? '')
  );
}

/** True when a name stands for the local machine (RFC 6761 §6.3). */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Determines the route of mail from the result for each host. Mail has a route as soon as one host can be reached. It has none only when
 * every host is known to have no public address; otherwise the route is unknown. The hosts that can or may be reached remain,
 * `mailHostsMax` at most.
 */
export function routeOver(exchanges: readonly EvaluatedExchange[], implicit: boolean): MailRoute {
  const findings = exchanges.map(({ finding }) => finding);
  if (findings.some(({ kind }) => kind === 'reachable')) {
    return { kind: 'hosts', hosts: exchanges.flatMap(hostOf).slice(0, mailHostsMax), implicit };
  }
  const unknown = findings.find((finding) => finding.kind === 'unknown');
  if (unknown !== undefined) return { kind: 'unknown', reason: unknown.reason };
  // The checked hosts are dead, but there are more: a host that was not checked must not make an address invalid.
  if (findings.some(({ kind }) => kind === 'not_asked'))
    return { kind: 'unknown', reason: 'dns_server_failure' };
  const isUnroutable = findings.some(({ kind }) => kind === 'not_public');
  return {
    kind: 'none',
    reason: isUnroutable ? 'mail_host_unroutable' : 'no_mail_host',
    mx: implicit ? null : firstName(exchanges),
  };
}

function hostOf({ name, preference, finding }: EvaluatedExchange): readonly MailHost[] {
  if (finding.kind === 'not_public' || finding.kind === 'no_address') return [];
  return [{ name, preference, addresses: finding.kind === 'reachable' ? finding.addresses : [] }];
}

/** The first host that is a name or an address; others may hold any text. */
function firstName(exchanges: readonly MailExchange[]): string | null {
  return exchanges.find(({ name }) => isHostName(name) || isIP(name) !== 0)?.name ?? null;
}
