import { Resolver } from 'node:dns/promises';
import type { DnsError } from '../../../core/emails/domains/name-server.ts';
import { Misconfigured } from '../../../core/errors.ts';
import { dnsQuery } from '../../../core/work/retry-policies.ts';
import { openDeadline } from '../../http/deadline.ts';

/** Name servers and timeouts. */
export interface DnsOptions {
  /** Name servers, as addresses with an optional port: `127.0.0.1:5353`. Default: those of the machine. */
  readonly servers?: readonly string[];
  /** Milliseconds for one query with its retry. Default 5,000. A lookup makes at most three queries in a row. */
  readonly timeoutMs?: number;
}

/** Answer of DNS to one query. The first three are knowledge; an error is none. */
export type DnsAnswer<Item> =
  | { readonly kind: 'records'; readonly records: readonly Item[] }
  /** The name exists, without records of the type. */
  | { readonly kind: 'no_records' }
  | { readonly kind: 'no_name' }
  | { readonly kind: 'error'; readonly reason: DnsError };

/** Makes one query through the resolver of a lookup. */
export type DnsQuery = <Item>(
  query: (resolver: Resolver) => Promise<readonly Item[]>,
) => Promise<DnsAnswer<Item>>;

const timeoutMsDefault = 5_000;

/**
 * Runs work with its own resolver, which uses its own ports, and cancels the queries that are still running at the end.
 *
 * @throws Misconfigured when a server is not an address
 */
export async function withDns<T>(
  options: DnsOptions,
  signal: AbortSignal,
  work: (query: DnsQuery) => Promise<T>,
): Promise<T> {
  const { timeoutMs = timeoutMsDefault } = options;
  const resolver = openResolver(options);
  try {
    return await work((query) => answerTo(() => query(resolver), { timeoutMs, signal }));
  } finally {
    resolver.cancel();
  }
}

/**
 * Makes a resolver. With one server the first attempt takes a third of the time, and the second, which waits twice as long, the rest.
 *
 * @throws Misconfigured when a server is not an address
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

/** @throws the signal's reason when it aborts first */
async function answerTo<Item>(
  query: () => Promise<readonly Item[]>,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<DnsAnswer<Item>> {
  signal.throwIfAborted();
  const deadline = openDeadline(signal, timeoutMs);
  try {
    const records = await Promise.race([query(), abortOf(deadline.signal)]);
    // An alias without a target is an answer without records of the type.
    return records.length === 0 ? { kind: 'no_records' } : { kind: 'records', records };
  } catch (error) {
    signal.throwIfAborted();
    return deadline.passed() ? { kind: 'error', reason: 'dns_timeout' } : answerOf(error);
  } finally {
    deadline.close();
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The DNS query was cancelled.')), { once: true });
  });
}

/** Translates the codes of `node:dns`. A name that DNS cannot hold is a name that does not exist. */
function answerOf(error: unknown): DnsAnswer<never> {
  switch (queryCodeOf(error)) {
    case 'ENODATA':
      return { kind: 'no_records' };
    case 'ENOTFOUND':
    case 'EBADNAME':
      return { kind: 'no_name' };
    case 'ETIMEOUT':
      return { kind: 'error', reason: 'dns_timeout' };
    default:
      return { kind: 'error', reason: 'dns_server_failure' };
  }
}

/** Code of a failed query. An error that does not come from a query is a bug and rethrown. */
function queryCodeOf(error: unknown): unknown {
  const isQuery = error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('query');
  if (!isQuery || !('code' in error)) throw error;
  return error.code;
}
