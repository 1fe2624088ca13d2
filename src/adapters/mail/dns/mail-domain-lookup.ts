import { parseDomain } from '../../../core/companies/domain.ts';
import type { MailDomain, MailDomainLookup, MailRoute } from '../../../core/emails/domains/mail-domain.ts';
import { routeLifetimeMs, routeOver, sortExchanges } from '../../../core/emails/domains/mail-route.ts';
import { isTrusted, isCredible } from '../../../core/emails/domains/name-server.ts';
import { hasDmarc, hasSpf, rejectsAllSenders } from '../../../core/emails/domains/sender-policy.ts';
import { openResolver, withDns, type DnsOptions, type DnsQuery } from './dns-resolver.ts';
import { checkHost, checkHosts, type HostCheck } from './mail-hosts.ts';
import type { TrustedServers, NameServers } from './name-servers.ts';

export interface MailDomainLookupOptions extends DnsOptions {
  /** The time of day in milliseconds. */
  readonly nowMs: () => number;
  /** Selection and trust of the name servers. */
  readonly nameServers: NameServers;
  /** True for hosts of the operator that may have private addresses. Default: none. */
  readonly isAllowedHost?: (name: string) => boolean;
}

/** Maximum age of the proof of a name server, in milliseconds. A route of `none` makes addresses invalid and needs a newer proof. */
const proofMsMax = 60_000;
const denialProofMsMax = 5_000;

/**
 * Looks mail domains up in DNS: MX records, addresses of the hosts, SPF and DMARC. An error in SPF or DMARC changes nothing else.
 *
 * An address that is not public is never returned, unless its host is allowed to have one. A result expires after `routeLifetimeMs`. A name
 * server is trusted as far as its answers to control queries were right; without trust the route is `unknown`.
 *
 * @throws Misconfigured when a server is not an address
 */
export function createMailDomainLookup(options: MailDomainLookupOptions): MailDomainLookup {
  const { nameServers, nowMs } = options;
  openResolver(options);

  async function find(domain: string, signal: AbortSignal): Promise<MailDomain> {
    const { servers, state } = await findTrusted(nameServers, signal);
    if (state.kind === 'silent') return unknownDomain(domain, state.reason, nowMs());
    if (!isTrusted(state)) return unknownDomain(domain, 'dns_untrusted', nowMs());
    const found = await findDomain(domain, { ...options, servers }, signal);
    const proof = await nameServers.trusted(
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

/** Trust may be older than distrust: a repaired name server should count soon. */
async function findTrusted(nameServers: NameServers, signal: AbortSignal): Promise<TrustedServers> {
  const known = await nameServers.trusted(proofMsMax, signal);
  return isTrusted(known.state) ? known : nameServers.trusted(denialProofMsMax, signal);
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

/** Finds the domain through the name servers, trusted or not. */
async function findDomain(
  domain: string,
  options: MailDomainLookupOptions,
  signal: AbortSignal,
): Promise<MailDomain> {
  const { nowMs, isAllowedHost = () => false } = options;
  return withDns(options, signal, async (query) => {
    const texts = readTexts(query, domain);
    const [route, policies, isUnderDmarc] = await Promise.all([
      findRoute({ domain, texts, query, isAllowedHost }),
      texts,
      findDmarc(query, domain),
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

interface RouteLookup extends HostCheck {
  readonly domain: string;
  /** The TXT records of the domain; null after an error of DNS. */
  readonly texts: Promise<readonly string[] | null>;
}

async function findRoute(lookup: RouteLookup): Promise<MailRoute> {
  const { domain, query } = lookup;
  const answer = await query((resolver) => resolver.resolveMx(domain));
  switch (answer.kind) {
    case 'error':
      return { kind: 'unknown', reason: answer.reason };
    case 'no_name':
      return { kind: 'none', reason: 'domain_not_found', mx: null };
    case 'no_records':
      return implicitRoute(lookup);
    case 'records': {
      const records = answer.records.map(({ exchange, priority }) => ({
        name: exchange,
        preference: priority,
      }));
      const exchanges = sortExchanges(records);
      if (exchanges.length === 0) return { kind: 'none', reason: 'null_mx', mx: null };
      return routeOver(await checkHosts(exchanges, lookup), false);
    }
  }
}

/**
 * Without an MX record, the domain's own address receives the mail (RFC 5321 §5.1). If the domain also states that it sends no
 * mail, the address is that of a web site.
 */
async function implicitRoute({ domain, texts, ...check }: RouteLookup): Promise<MailRoute> {
  const finding = await checkHost(domain, check);
  const route = routeOver([{ name: domain, preference: 0, finding }], true);
  if (route.kind === 'none' || !rejectsAllSenders((await texts) ?? [])) return route;
  return { kind: 'none', reason: 'spf_reject_all_without_mx', mx: null };
}

/** The TXT records of a name; null after an error of DNS. */
async function readTexts(query: DnsQuery, name: string): Promise<readonly string[] | null> {
  const answer = await query((resolver) => resolver.resolveTxt(name));
  if (answer.kind === 'error') return null;
  return answer.kind === 'records' ? answer.records.map((pieces) => pieces.join('')) : [];
}

/** True when the domain has a policy, its own or that of the organisation it belongs to (RFC 7489 §6.6.3); null: not known. */
async function findDmarc(query: DnsQuery, domain: string): Promise<boolean | null> {
  const own = await readTexts(query, `_dmarc.${domain}`);
  if (own === null) return null;
  if (hasDmarc(own)) return true;
  const organisation = parseDomain(domain);
  if (organisation.kind !== 'domain' || organisation.domain === domain) return false;
  const inherited = await readTexts(query, `_dmarc.${organisation.domain}`);
  return inherited === null ? null : hasDmarc(inherited);
}
