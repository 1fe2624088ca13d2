import { Resolver } from 'node:dns/promises';
import { Misconfigured } from '../../core/errors.ts';
import { dnsQuery } from '../../core/work/retry-policies.ts';
import { askDns, type Ask } from './dns-question.ts';

/** Name servers and timeouts. */
export interface DnsOptions {
  /** Resolvers to ask, as addresses with an optional port: `127.0.0.1:5353`. Those of the machine when not given. */
  readonly servers?: readonly string[];
  /** Milliseconds for one question, its retry included; 5,000 when not given. A lookup asks three times in a row at most. */
  readonly timeoutMs?: number;
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

/**
 * With one server the first try takes a third of the time, and the second, which waits twice as long, the rest.
 *
 * @throws Misconfigured when a server is not written as an address
 */
export function openResolver({ servers, timeoutMs = timeoutMsDefault }: DnsOptions): Resolver {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: dnsQuery.triesMax });
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
