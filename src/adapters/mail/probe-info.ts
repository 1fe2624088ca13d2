import type { MailHost, MailDomainLookup } from '../../core/emails/domains/mail-domain.ts';
import type { ProbeInfo } from '../../core/emails/probing/probe-readiness.ts';
import { reverseName } from '../../core/emails/domains/reverse-name.ts';
import { withDns, type DnsOptions } from './dns-resolver.ts';
import type { Ask } from './dns-question.ts';
import { checkHost } from './mail-hosts.ts';
import { withDefaults, type ProbeSessionOptions } from './session-options.ts';
import { openSmtpConnection } from './smtp-connection.ts';

export interface ProbeInfoOptions extends DnsOptions {
  readonly probe: ProbeSessionOptions;
  readonly lookup: MailDomainLookup;
  /** True when a host may have addresses that are not public. */
  readonly isAllowedHost: (name: string) => boolean;
}

/**
 * Looks at how mail servers see us: what our name resolves to and what that points back to, and whether the sender's own mail server
 * can be reached. Nobody else's is connected to.
 *
 * @throws the signal's reason when it aborts
 */
export async function readProbeInfo(options: ProbeInfoOptions, signal: AbortSignal): Promise<ProbeInfo> {
  const { probe, lookup, isAllowedHost } = options;
  const senderDomain = probe.mailFrom.slice(probe.mailFrom.lastIndexOf('@') + 1);
  const [{ hello, reverseNames }, sender] = await Promise.all([
    withDns(options, signal, async (ask) => {
      const found = await checkHost(probe.helloName, { ask, isAllowedHost });
      const names = found.kind === 'reachable' ? await findReverseNames(ask, found.addresses) : [];
      return { hello: found, reverseNames: names };
    }),
    lookup.find(senderDomain, signal),
  ]);
  const port25 = sender.route.kind === 'hosts' ? await tryPort(sender.route.hosts, probe, signal) : null;
  return { hello, reverseNames, sender, port25 };
}

/** From DNS alone: the machine's own table of hosts says nothing of what others see. */
async function findReverseNames(ask: Ask, addresses: readonly string[]): Promise<readonly string[]> {
  const answers = await Promise.all(
    addresses.map((address) => ask((resolver) => resolver.resolvePtr(reverseName(address)))),
  );
  return answers
    .flatMap((answer) => (answer.kind === 'records' ? answer.records : []))
    .map((name) => name.toLowerCase());
}

/** Whatever the server says, it is there. */
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
