import type { MailHost, MailDomainLookup } from '../../core/emails/domains/mail-domain.ts';
import type { ProbeInfo } from '../../core/emails/probing/probe-readiness.ts';
import { reverseName } from '../../core/emails/domains/reverse-name.ts';
import { withDns, type DnsOptions, type DnsQuery } from './dns/dns-resolver.ts';
import { checkHost } from './dns/mail-hosts.ts';
import { withDefaults, type ProbeSessionOptions } from './smtp/session-options.ts';
import { openSmtpConnection } from './smtp/smtp-connection.ts';

export interface ProbeInfoOptions extends DnsOptions {
  readonly probe: ProbeSessionOptions;
  readonly lookup: MailDomainLookup;
  /** True when a host may have addresses that are not public. */
  readonly isAllowedHost: (name: string) => boolean;
}

/**
 * Reads what mail servers see of this machine: the addresses of its name, their PTR records, and whether the operator's own mail server
 * can be reached. Connects to no other server.
 *
 * @throws the signal's reason when it aborts
 */
export async function readProbeInfo(options: ProbeInfoOptions, signal: AbortSignal): Promise<ProbeInfo> {
  const { probe, lookup, isAllowedHost } = options;
  const senderDomain = probe.mailFrom.slice(probe.mailFrom.lastIndexOf('@') + 1);
  const [{ hello, reverseNames }, sender] = await Promise.all([
    withDns(options, signal, async (query) => {
      const found = await checkHost(probe.helloName, { query, isAllowedHost });
      const names = found.kind === 'reachable' ? await findReverseNames(query, found.addresses) : [];
      return { hello: found, reverseNames: names };
    }),
    lookup.find(senderDomain, signal),
  ]);
  const port25 = sender.route.kind === 'hosts' ? await tryPort(sender.route.hosts, probe, signal) : null;
  return { hello, reverseNames, sender, port25 };
}

/** Reads PTR records from DNS alone: other machines do not see the hosts file. */
async function findReverseNames(query: DnsQuery, addresses: readonly string[]): Promise<readonly string[]> {
  const answers = await Promise.all(
    addresses.map((address) => query((resolver) => resolver.resolvePtr(reverseName(address)))),
  );
  return answers
    .flatMap((answer) => (answer.kind === 'records' ? answer.records : []))
    .map((name) => name.toLowerCase());
}

/** Any reply proves that the port is open. */
async function tryPort(hosts: readonly MailHost[], options: ProbeSessionOptions, signal: AbortSignal) {
  const settings = withDefaults(options);
  const host = hosts[0]?.name ?? '';
  for (const address of hosts[0]?.addresses ?? []) {
    const opened = await openSmtpConnection({ host, address }, settings, signal);
    if ('target' in opened) await opened.close();
    const isOpen = 'target' in opened || !opened.isBeforeGreeting || opened.reply !== null;
    if (isOpen) return { host, isOpen };
  }
  return { host, isOpen: false };
}
