import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import {
  evaluateNameServer,
  controlDomains,
  type KnownAnswer,
  type NameServerState,
} from '../../../core/emails/domains/name-server.ts';
import { raceAbort } from '../../../core/async/race-abort.ts';
import { withDns, type DnsAnswer, type DnsOptions, type DnsQuery } from './dns-resolver.ts';

/** A name server, as `Resolver.setServers` takes it, and its state. */
export interface EvaluatedNameServer {
  readonly server: string;
  readonly state: NameServerState;
}

/** The name servers in the best state. */
export interface TrustedServers {
  /** In the order in which they are queried. */
  readonly servers: readonly string[];
  readonly state: NameServerState;
}

/** Selects name servers by their answers to control queries, whose answers are known. */
export interface NameServers {
  /**
   * Repeats the control queries, unless the last ones were within this time.
   *
   * @throws the signal's reason when it aborts first
   */
  trusted(withinMs: number, signal: AbortSignal): Promise<TrustedServers>;
}

/** From the best state to the worst. */
const kinds = ['honest', 'forges_addresses', 'forges_mail', 'denies_domains', 'silent'] as const;

/** Timeout of the control queries, in milliseconds: a server may not exist. */
const checkMsMax = 2_000;

/** Uses the servers of the options, or of the machine. Concurrent callers share the control queries. */
export function createNameServers(options: DnsOptions & { readonly nowMs: () => number }): NameServers {
  const { nowMs } = options;
  let latest: { readonly atMs: number; readonly found: Promise<TrustedServers> } | null = null;

  return {
    trusted(withinMs, signal) {
      if (latest === null || nowMs() - latest.atMs > withinMs) {
        const found = probeNameServers(options, new AbortController().signal).then(chooseServers);
        const begun = { atMs: nowMs(), found };
        latest = begun;
        found.catch(() => {
          if (latest === begun) latest = null;
        });
      }
      return raceAbort(latest.found, signal);
    },
  };
}

/** Selects the servers in the best state. The others are not queried at all. */
function chooseServers(evaluated: readonly EvaluatedNameServer[]): TrustedServers {
  for (const wanted of kinds) {
    const those = evaluated.filter(({ state }) => state.kind === wanted);
    const [first] = those;
    if (first !== undefined) return { servers: those.map(({ server }) => server), state: first.state };
  }
  return { servers: [], state: { kind: 'silent', reason: 'dns_server_failure' } };
}

/**
 * Evaluates each name server by control queries.
 *
 * @throws the signal's reason when it aborts
 */
export async function probeNameServers(
  options: DnsOptions,
  signal: AbortSignal,
): Promise<readonly EvaluatedNameServer[]> {
  const servers = options.servers ?? new Resolver().getServers();
  const timeoutMs = Math.min(options.timeoutMs ?? checkMsMax, checkMsMax);
  return Promise.all(
    servers.map((server) =>
      withDns({ servers: [server], timeoutMs }, signal, async (query) => ({
        server,
        state: await evaluate(query),
      })),
    ),
  );
}

/** Queries two random names that do not exist: one below a reserved domain (RFC 6761 §6.4), one below `com`. */
async function evaluate(query: DnsQuery): Promise<NameServerState> {
  const label = `nightshift-${randomBytes(10).toString('hex')}`;
  const unregistered = [`${label}.invalid`, `${label}.com`];
  const [there, addresses, mail] = await Promise.all([
    Promise.all(
      controlDomains.map(async (name) => known(await query((resolver) => resolver.resolveMx(name)))),
    ),
    Promise.all(unregistered.map(async (name) => known(await query((resolver) => resolver.resolve4(name))))),
    Promise.all(unregistered.map(async (name) => known(await query((resolver) => resolver.resolveMx(name))))),
  ]);
  return evaluateNameServer({ there, addresses, mail });
}

function known(answer: DnsAnswer<unknown>): KnownAnswer {
  if (answer.kind === 'records') return 'records';
  return answer.kind === 'error' ? answer.reason : 'denied';
}
