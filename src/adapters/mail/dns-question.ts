import type { Resolver } from 'node:dns/promises';
import type { DnsError } from '../../core/emails/domains/name-server.ts';
import { openDeadline } from '../http/deadline.ts';

/** Answer of DNS to one question. The first three are knowledge; an error is none. */
export type DnsAnswer<Item> =
  | { readonly kind: 'records'; readonly records: readonly Item[] }
  /** The name exists, and has nothing of the kind. */
  | { readonly kind: 'no_records' }
  | { readonly kind: 'no_name' }
  | { readonly kind: 'trouble'; readonly reason: DnsError };

/** Asks one question of the resolver that a lookup has. */
export type Ask = <Item>(
  question: (resolver: Resolver) => Promise<readonly Item[]>,
) => Promise<DnsAnswer<Item>>;

/**
 * Asks one question of a resolver, which retries as it is set up to, and waits for no longer than so many milliseconds.
 *
 * @throws the signal's reason when it aborts first
 */
export async function askDns<Item>(
  question: () => Promise<readonly Item[]>,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<DnsAnswer<Item>> {
  signal.throwIfAborted();
  const deadline = openDeadline(signal, timeoutMs);
  try {
    const records = await Promise.race([question(), abortOf(deadline.signal)]);
    // Aliases that lead nowhere come as an answer without records of the kind asked for.
    return records.length === 0 ? { kind: 'no_records' } : { kind: 'records', records };
  } catch (error) {
    signal.throwIfAborted();
    return deadline.passed() ? { kind: 'trouble', reason: 'dns_timeout' } : answerOf(error);
  } finally {
    deadline.close();
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The question was given up.')), { once: true });
  });
}

/** The codes of `node:dns` that are answers; every other one is trouble. A name that DNS cannot hold is a name that is not there. */
function answerOf(error: unknown): DnsAnswer<never> {
  switch (queryCodeOf(error)) {
    case 'ENODATA':
      return { kind: 'no_records' };
    case 'ENOTFOUND':
    case 'EBADNAME':
      return { kind: 'no_name' };
    case 'ETIMEOUT':
      return { kind: 'trouble', reason: 'dns_timeout' };
    default:
      return { kind: 'trouble', reason: 'dns_server_failure' };
  }
}

/** Anything that is not about a query is a defect of ours, and thrown on. */
function queryCodeOf(error: unknown): unknown {
  const isQuery = error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('query');
  if (!isQuery || !('code' in error)) throw error;
  return error.code;
}
