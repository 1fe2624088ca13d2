import { isIP } from 'node:net';
import {
  isHostName,
  isLocalhost,
  mailHostsMax,
  type HostFinding,
  type EvaluatedExchange,
  type MailExchange,
} from '../../../core/emails/domains/mail-route.ts';
import { isPublicAddress } from '../../../core/public-address.ts';
import type { DnsQuery } from './dns-resolver.ts';

/** Number of the most preferred hosts that are checked before the others: mail hardly ever goes further. Our choice. */
const firstHosts = 2;
/** The most addresses of a host that are used. Our choice. */
const addressesMax = 10;

/** DNS and the guard of addresses, for checks of mail hosts. */
export interface HostCheck {
  readonly query: DnsQuery;
  /** Checks whether a host may have addresses that are not public. */
  readonly isAllowedHost: (name: string) => boolean;
}

/** Checks the first hosts, and the others only if none of them can be reached; `mailHostsMax` at most. */
export async function checkHosts(
  exchanges: readonly MailExchange[],
  check: HostCheck,
): Promise<readonly EvaluatedExchange[]> {
  const names = exchanges.slice(0, mailHostsMax).map(({ name }) => name);
  const inspect = (name: string) => checkHost(name, check);
  const findings = await Promise.all(names.slice(0, firstHosts).map(inspect));
  if (findings.every(({ kind }) => kind !== 'reachable')) {
    findings.push(...(await Promise.all(names.slice(firstHosts).map(inspect))));
  }
  return exchanges.map((exchange, i) => ({ ...exchange, finding: findings[i] ?? { kind: 'not_asked' } }));
}

/** Checks whether a host has an address that may be connected to. */
export async function checkHost(name: string, { query, isAllowedHost }: HostCheck): Promise<HostFinding> {
  const isAllowed = isAllowedHost(name);
  const isUsable = (address: string) => isAllowed || isPublicAddress(address);
  // An address is not a host name, yet some servers deliver to it: Exim (`allow_mx_to_ip`), Momentum (`mxip`).
  if (isIP(name) !== 0)
    return isUsable(name) ? { kind: 'reachable', addresses: [name] } : { kind: 'not_public' };
  if (!isHostName(name)) return { kind: 'no_address' };
  if (isLocalhost(name) && !isAllowed) return { kind: 'not_public' };
  const answers = await Promise.all([
    query((resolver) => resolver.resolve4(name)),
    query((resolver) => resolver.resolve6(name)),
  ]);
  const all = answers.flatMap((answer) => (answer.kind === 'records' ? answer.records : []));
  const addresses = [...new Set(all.filter(isUsable))].slice(0, addressesMax);
  if (addresses.length > 0) return { kind: 'reachable', addresses };
  const failure = answers.find((answer) => answer.kind === 'error');
  if (failure !== undefined) return { kind: 'unknown', reason: failure.reason };
  return all.length > 0 ? { kind: 'not_public' } : { kind: 'no_address' };
}
