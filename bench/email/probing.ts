import type { Closers } from '../../src/closers.ts';
import {
  batchOf,
  findingOf,
  hastyOptions,
  probe,
  type MailboxBatch,
} from '../../test/support/dns-smtp/probe.ts';
import { openPoliteServer } from '../../test/support/dns-smtp/polite-server.ts';
import { openSlowLink } from '../../test/support/dns-smtp/slow-link.ts';
import { expectEqual } from '../support/expect.ts';
import { timed } from '../support/figures.ts';

/** Round-trip time in milliseconds. */
export const roundTripMs = 40;

/** Seconds, and sessions, for the same addresses. */
export interface ProbingRound {
  readonly together: ProbingRun;
  readonly apart: ProbingRun;
}

export interface ProbingRun {
  readonly seconds: number;
  readonly sessions: number;
}

/** Probes `count` addresses of one domain at a server behind a slow link: all at once, and each in its own batch. */
export async function measureProbing(count: number, closers: Closers): Promise<ProbingRound> {
  const addresses = Array.from({ length: count }, (_, index) => `person-${index}@company.example`);
  return {
    together: await measureBatches([addresses], closers),
    apart: await measureBatches(
      addresses.map((address) => [address]),
      closers,
    ),
  };
}

async function measureBatches(groups: readonly (readonly string[])[], closers: Closers): Promise<ProbingRun> {
  const server = await openPoliteServer();
  closers.add('mail server', server.close);
  const link = await openSlowLink(server.port, roundTripMs);
  closers.add('slow link', link.close);
  const batches = groups.map((addresses) => batchOf(addresses, { catchAll: 'refused' }));
  const { seconds, value: accepted } = await timed(() => askAll(batches, link.port));
  expectEqual('Addresses that the server accepted', accepted, groups.flat().length);
  return { seconds, sessions: server.sessions() };
}

/** One batch after the other. */
async function askAll(batches: readonly MailboxBatch[], port: number): Promise<number> {
  const options = {
    ...hastyOptions,
    port,
    connectTimeoutMs: 5_000,
    commandTimeoutMs: 5_000,
    sessionDeadlineMs: 60_000,
  };
  let accepted = 0;
  for (const batch of batches) {
    const { evidence } = await probe(batch, options);
    accepted += [...evidence.values()].filter((found) => findingOf(found) === 'mailbox_accepts').length;
  }
  return accepted;
}
