import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import {
  evaluateNameServer,
  surelyThere,
  type KnownAnswer,
  type NameServerState,
} from '../../core/emails/domains/name-server.ts';
import { raceAbort } from '../../core/async/race-abort.ts';
import { withDns, type DnsOptions } from './dns-resolver.ts';
import type { Ask, DnsAnswer } from './dns-question.ts';

/** A name server, as `Resolver.setServers` takes it, and how far it is believed. */
export interface EvaluatedNameServer {
  readonly server: string;
  readonly state: NameServerState;
}

/** The name servers that are believed furthest, and how far. */
export interface BelievedServers {
  /** In the order in which they are asked; all that there are where none is believed. */
  readonly servers: readonly string[];
  readonly state: NameServerState;
}

/** Knows which name servers tell the truth, so far as questions show whose answers are known. */
export interface NameServers {
  /**
   * Asks them such questions, unless that was done within so many milliseconds.
   *
   * @throws the signal's reason when it aborts first
   */
  believed(withinMs: number, signal: AbortSignal): Promise<BelievedServers>;
}

/** The fewer a server is in, the further it is believed. */
const kinds = ['honest', 'makes_up_addresses', 'makes_up_mail', 'denies', 'silent'] as const;

/** The longest that a server is waited for which may be none; milliseconds. */
const checkMsMax = 2_000;

/** Knows the servers of the options, or of the machine, for all lookups of this process. Who asks meanwhile waits for the same questions. */
export function createNameServers(options: DnsOptions & { readonly nowMs: () => number }): NameServers {
  const { nowMs } = options;
  let latest: { readonly atMs: number; readonly found: Promise<BelievedServers> } | null = null;

  return {
    believed(withinMs, signal) {
      if (latest === null || nowMs() - latest.atMs > withinMs) {
        const found = examineNameServers(options, new AbortController().signal).then(chooseServers);
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

/** Chooses the most trusted servers. A wrong answer of the last resort counts as much as any: the others are not asked at all. */
function chooseServers(evaluated: readonly EvaluatedNameServer[]): BelievedServers {
  for (const wanted of kinds) {
    const those = evaluated.filter(({ state }) => state.kind === wanted);
    const [first] = those;
    if (first !== undefined) return { servers: those.map(({ server }) => server), state: first.state };
  }
  return { servers: [], state: { kind: 'silent', reason: 'dns_server_failure' } };
}

/**
 * Asks each name server questions whose answers are known, and judges it by them.
 *
 * @throws the signal's reason when it aborts
 */
export async function examineNameServers(
  options: DnsOptions,
  signal: AbortSignal,
): Promise<readonly EvaluatedNameServer[]> {
  const servers = options.servers ?? new Resolver().getServers();
  const timeoutMs = Math.min(options.timeoutMs ?? checkMsMax, checkMsMax);
  return Promise.all(
    servers.map((server) =>
      withDns({ servers: [server], timeoutMs }, signal, async (ask) => ({
        server,
        state: await examine(ask),
      })),
    ),
  );
}

/** The end of names is one that must not be there (RFC 6761 §6.4), and one that anybody could have. */
async function examine(ask: Ask): Promise<NameServerState> {
  const label = `nightshift-${randomBytes(10).toString('hex')}`;
  const nobodys = [`${label}.invalid`, `${label}.com`];
  const [there, addresses, mail] = await Promise.all([
    Promise.all(surelyThere.map(async (name) => known(await ask((resolver) => resolver.resolveMx(name))))),
    Promise.all(nobodys.map(async (name) => known(await ask((resolver) => resolver.resolve4(name))))),
    Promise.all(nobodys.map(async (name) => known(await ask((resolver) => resolver.resolveMx(name))))),
  ]);
  return evaluateNameServer({ there, addresses, mail });
}

function known(answer: DnsAnswer<unknown>): KnownAnswer {
  if (answer.kind === 'records') return 'records';
  return answer.kind === 'trouble' ? answer.reason : 'denied';
}
