import { parseDomain } from '../../core/companies/domain.ts';
import type { MailDomain, MailDomainLookup, MailRoute } from '../../core/emails/domains/mail-domain.ts';
import { routeLifetimeMs, routeOver, sortExchanges } from '../../core/emails/domains/mail-route.ts';
import { isBelieved, isCredible } from '../../core/emails/domains/name-server.ts';
import { hasDmarc, hasSpf, rejectsAllSenders } from '../../core/emails/domains/sender-policy.ts';
import type { Ask } from './dns-question.ts';
import { openResolver, withDns, type DnsOptions } from './dns-resolver.ts';
import { checkHost, checkHosts, type HostQuestions } from './mail-hosts.ts';
import type { BelievedServers, NameServers } from './name-servers.ts';

export interface MailDomainLookupOptions extends DnsOptions {
  /** The time of day in milliseconds. */
  readonly nowMs: () => number;
  /** Selection and trust of the name servers. */
  readonly nameServers: NameServers;
  /** Hosts that may have addresses of a private network: the operator's own. None when not given. */
  readonly isAllowedHost?: (name: string) => boolean;
}

/** Maximum age of a name server's proof; milliseconds. That a domain accepts no mail makes addresses invalid: it needs a newer proof. */
const proofMsMax = 60_000;
const denialProofMsMax = 5_000;

/**
 * Looks mail domains up in DNS: MX records, addresses of the hosts they name, SPF and DMARC. SPF and DMARC are told besides; trouble
 * with them changes nothing else.
 *
 * An address that is not public is never given out, unless its host is allowed to have one. An answer lasts as long as
 * `routeLifetimeMs` has it. A name server is believed as far as it has shown that it tells of what there is, and of nothing else;
 * what is not believed is `unknown`.
 *
 * @throws Misconfigured when a server is not written as an address
 */
export function createMailDomainLookup(options: MailDomainLookupOptions): MailDomainLookup {
  const { nameServers, nowMs } = options;
  openResolver(options);

  async function find(domain: string, signal: AbortSignal): Promise<MailDomain> {
    const { servers, state } = await findBelieved(nameServers, signal);
    if (state.kind === 'silent') return unknownDomain(domain, state.reason, nowMs());
    if (!isBelieved(state)) return unknownDomain(domain, 'dns_untrusted', nowMs());
    const found = await findDomain(domain, { ...options, servers }, signal);
    const proof = await nameServers.believed(
      found.route.kind === 'none' ? denialProofMsMax : proofMsMax,
      signal,
    );
    const isProved = servers.every((server) => proof.servers.includes(server));
    return isProved && isCredible(domain, found.route, proof.state)
      ? found
      : unknownDomain(domain, 'dns_untrusted', nowMs());
  }

  return { find };
}

/** Good news may be older than bad news: what was mended should count soon. */
async function findBelieved(nameServers: NameServers, signal: AbortSignal): Promise<BelievedServers> {
  const known = await nameServers.believed(proofMsMax, signal);
  return isBelieved(known.state) ? known : nameServers.believed(denialProofMsMax, signal);
}

function unknownDomain(
  domain: string,
  reason: Extract<MailRoute, { kind: 'unknown' }>['reason'],
  checkedMs: number,
): MailDomain {
  return {
    domain,
    route: { kind: 'unknown', reason },
    hasSpf: null,
    hasDmarc: null,
    checkedAt: new Date(checkedMs),
    expiresAt: new Date(checkedMs + routeLifetimeMs.unknown),
  };
}

/** Answer of the name servers, trusted or not. */
async function findDomain(
  domain: string,
  options: MailDomainLookupOptions,
  signal: AbortSignal,
): Promise<MailDomain> {
  const { nowMs, isAllowedHost = () => false } = options;
  return withDns(options, signal, async (ask) => {
    const texts = askTexts(ask, domain);
    const [route, policies, isUnderDmarc] = await Promise.all([
      findRoute({ domain, texts, ask, isAllowedHost }),
      texts,
      findDmarc(ask, domain),
    ]);
    const checkedMs = nowMs();
    return {
      domain,
      route,
      hasSpf: policies === null ? null : hasSpf(policies),
      hasDmarc: isUnderDmarc,
      checkedAt: new Date(checkedMs),
      expiresAt: new Date(checkedMs + routeLifetimeMs[route.kind]),
    };
  });
}

interface RouteQuestion extends HostQuestions {
  readonly domain: string;
  /** The TXT records of the domain; null where DNS did not tell. */
  readonly texts: Promise<readonly string[] | null>;
}

async function findRoute(question: RouteQuestion): Promise<MailRoute> {
  const { domain, ask } = question;
  const answer = await ask((resolver) => resolver.resolveMx(domain));
  switch (answer.kind) {
    case 'trouble':
      return { kind: 'unknown', reason: answer.reason };
    case 'no_name':
      return { kind: 'none', reason: 'domain_not_found', mx: null };
    case 'no_records':
      return implicitRoute(question);
    case 'records': {
      const records = answer.records.map(({ exchange, priority }) => ({
        name: exchange,
        preference: priority,
      }));
      const exchanges = sortExchanges(records);
      if (exchanges.length === 0) return { kind: 'none', reason: 'null_mx', mx: null };
      return routeOver(await checkHosts(exchanges, question), false);
    }
  }
}

/**
 * Without an MX record the domain's own address takes the mail (RFC 5321 §5.1). Where the domain also says that it sends none, nobody
 * meant that: the address is that of a web site.
 */
async function implicitRoute({ domain, texts, ...questions }: RouteQuestion): Promise<MailRoute> {
  const finding = await checkHost(domain, questions);
  const route = routeOver([{ name: domain, preference: 0, finding }], true);
  if (route.kind === 'none' || !rejectsAllSenders((await texts) ?? [])) return route;
  return { kind: 'none', reason: 'spf_reject_all_without_mx', mx: null };
}

/** The TXT records of a name; null where DNS did not tell. */
async function askTexts(ask: Ask, name: string): Promise<readonly string[] | null> {
  const answer = await ask((resolver) => resolver.resolveTxt(name));
  if (answer.kind === 'trouble') return null;
  return answer.kind === 'records' ? answer.records.map((pieces) => pieces.join('')) : [];
}

/** True when the domain has a policy, its own or that of the organisation it belongs to (RFC 7489 §6.6.3); null: not known. */
async function findDmarc(ask: Ask, domain: string): Promise<boolean | null> {
  const own = await askTexts(ask, `_dmarc.${domain}`);
  if (own === null) return null;
  if (hasDmarc(own)) return true;
  const organisation = parseDomain(domain);
  if (organisation.kind !== 'domain' || organisation.domain === domain) return false;
  const inherited = await askTexts(ask, `_dmarc.${organisation.domain}`);
  return inherited === null ? null : hasDmarc(inherited);
}
