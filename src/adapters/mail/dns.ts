import { Resolver } from 'node:dns/promises';
import { parseDomain } from '../../core/domain.ts';
import type { MailDomainLookup, MailRoute } from '../../core/email/mail-domain.ts';
import { routeLifetimeMs, routeOver, sortExchanges } from '../../core/email/mail-route.ts';
import { hasDmarc, hasSpf, rejectsAllSenders } from '../../core/email/sender-policy.ts';
import { Misconfigured } from '../../core/errors.ts';
import { askDns, type Ask } from './dns-question.ts';
import { lookAtHost, lookAtHosts, type HostQuestions } from './mail-hosts.ts';

/** Who is asked, and for how long. */
export interface DnsOptions {
  /** Resolvers to ask, as addresses with an optional port: `127.0.0.1:5353`. Those of the machine when not given. */
  readonly servers?: readonly string[];
  /** Milliseconds for one question, its retry included; 5,000 when not given. A lookup asks three times in a row at most. */
  readonly timeoutMs?: number;
}

export interface MailDomainLookupOptions extends DnsOptions {
  /** The time of day in milliseconds. */
  readonly nowMs: () => number;
  /** Hosts that may have addresses of a private network: the operator's own. None when not given. */
  readonly isAllowedHost?: (name: string) => boolean;
}

/**
 * Looks mail domains up in DNS: MX records, addresses of the hosts they name, SPF and DMARC. SPF and DMARC are told besides; trouble
 * with them changes nothing else.
 *
 * An address that is not public is never given out, unless its host is allowed to have one. An answer lasts as long as
 * `routeLifetimeMs` has it.
 *
 * @throws Misconfigured when a server is not written as an address
 */
export function createMailDomainLookup(options: MailDomainLookupOptions): MailDomainLookup {
  const { nowMs, isAllowedHost = () => false } = options;
  openResolver(options);
  return {
    find: (domain, signal) =>
      withDns(options, signal, async (ask) => {
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
      }),
  };
}

/**
 * Lets the work ask, through a resolver of its own: it asks from ports of its own, and what is still under way in the end is called off.
 *
 * @throws Misconfigured when a server is not written as an address
 */
export async function withDns<T>(
  options: DnsOptions,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  const { timeoutMs = timeoutMsDefault } = options;
  const resolver = openResolver(options);
  try {
    return await work((question) => askDns(() => question(resolver), { timeoutMs, signal }));
  } finally {
    resolver.cancel();
  }
}

const timeoutMsDefault = 5_000;

/** With one server the first try takes a third of the time, and the second, which waits twice as long, the rest. */
function openResolver({ servers, timeoutMs = timeoutMsDefault }: DnsOptions): Resolver {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  if (servers === undefined) return resolver;
  try {
    resolver.setServers(servers);
  } catch (error) {
    const given = servers.join(', ');
    throw new Misconfigured(`A DNS server is written as an address, with or without a port, not: ${given}`, {
      cause: error,
    });
  }
  return resolver;
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
      return routeOver(await lookAtHosts(exchanges, question), false);
    }
  }
}

/**
 * Without an MX record the domain's own address takes the mail (RFC 5321 §5.1). Where the domain also says that it sends none, nobody
 * meant that: the address is that of a web site.
 */
async function implicitRoute({ domain, texts, ...questions }: RouteQuestion): Promise<MailRoute> {
  const finding = await lookAtHost(domain, questions);
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

/** Whether the domain has a policy, its own or that of the organisation it belongs to (RFC 7489 §6.6.3); null: not known. */
async function findDmarc(ask: Ask, domain: string): Promise<boolean | null> {
  const own = await askTexts(ask, `_dmarc.${domain}`);
  if (own === null) return null;
  if (hasDmarc(own)) return true;
  const organisation = parseDomain(domain);
  if (organisation.kind !== 'domain' || organisation.domain === domain) return false;
  const inherited = await askTexts(ask, `_dmarc.${organisation.domain}`);
  return inherited === null ? null : hasDmarc(inherited);
}
