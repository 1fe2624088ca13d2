import { isIP } from 'node:net';
import {
  isHostName,
  isLocalhost,
  mailHostsMax,
  type HostFinding,
  type EvaluatedExchange,
  type MailExchange,
} from '../../core/emails/domains/mail-route.ts';
import { isPublicAddress } from '../../core/public-address.ts';
import type { Ask } from './dns-question.ts';

/** Number of the most preferred hosts that are checked before the others: mail hardly ever goes further. Our choice. */
const firstHosts = 2;
/** The most addresses of a host that are given out. Our choice. */
const addressesMax = 10;

export interface HostQuestions {
  readonly ask: Ask;
  /** Checks whether a host may have addresses that are not public. */
  readonly isAllowedHost: (name: string) => boolean;
}

/** Looks at the first hosts, and only where none of them can be reached at the others, `mailHostsMax` at most. */
export async function checkHosts(
  exchanges: readonly MailExchange[],
  questions: HostQuestions,
): Promise<readonly EvaluatedExchange[]> {
  const names = exchanges.slice(0, mailHostsMax).map(({ name }) => name);
  const inspect = (name: string) => checkHost(name, questions);
  const findings = await Promise.all(names.slice(0, firstHosts).map(inspect));
  if (findings.every(({ kind }) => kind !== 'reachable')) {
    findings.push(...(await Promise.all(names.slice(firstHosts).map(inspect))));
  }
  return exchanges.map((exchange, i) => ({ ...exchange, finding: findings[i] ?? { kind: 'not_asked' } }));
}

/** True when a host can be reached, by its addresses; by its name alone where that says it. */
export async function checkHost(name: string, { ask, isAllowedHost }: HostQuestions): Promise<HostFinding> {
  const isAllowed = isAllowedHost(name);
  const isUsable = (address: string) => isAllowed || isPublicAddress(address);
  // No name at all, yet some servers deliver to it: Exim where told to (`allow_mx_to_ip`), Momentum (`mxip`).
  if (isIP(name) !== 0)
    return isUsable(name) ? { kind: 'reachable', addresses: [name] } : { kind: 'not_public' };
  if (!isHostName(name)) return { kind: 'no_address' };
  if (isLocalhost(name) && !isAllowed) return { kind: 'not_public' };
  const answers = await Promise.all([
    ask((resolver) => resolver.resolve4(name)),
    ask((resolver) => resolver.resolve6(name)),
  ]);
  const all = answers.flatMap((answer) => (answer.kind === 'records' ? answer.records : []));
  const addresses = [...new Set(all.filter(isUsable))].slice(0, addressesMax);
  if (addresses.length > 0) return { kind: 'reachable', addresses };
  const failure = answers.find((answer) => answer.kind === 'trouble');
  if (failure !== undefined) return { kind: 'unknown', reason: failure.reason };
  return all.length > 0 ? { kind: 'not_public' } : { kind: 'no_address' };
}
