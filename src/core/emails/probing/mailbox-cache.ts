import { createBatcher } from '../../async/batcher.ts';
import { raceAbort } from '../../async/race-abort.ts';
import { createUnderWay } from '../../async/under-way.ts';
import type { MailLists } from '../lists/mail-lists.ts';
import { mailboxExpiry } from './mailbox-lifetime.ts';
import type { MailboxStore, StoredMailbox } from './mailbox-store.ts';
import {
  mailboxOf,
  unprobed,
  type Mailbox,
  type MailboxEvidence,
  type MailboxLookup,
  type ProbedMailbox,
  type UnprobedMailbox,
} from './mailbox.ts';
import type { ProviderQueue } from './provider-queue.ts';

export interface MailboxCacheOptions {
  readonly queue: ProviderQueue;
  readonly store: Pick<MailboxStore, 'readMailboxes' | 'writeMailboxes'>;
  readonly lists: Pick<MailLists, 'isSilentHost'>;
  /** Null while this machine is ready to probe; else the reason. Called for every address. */
  readonly unavailableReason: () => Promise<UnprobedMailbox | null>;
  readonly nowMs: () => number;
  /** Aborts when the process ends. */
  readonly signal: AbortSignal;
}

/** A lookup that can be closed: abort its signal, then wait until it has settled. */
export interface MailboxCache extends MailboxLookup {
  /** Resolves when no session is open and no evidence is being stored. */
  settled(): Promise<void>;
}

/** Maximum number of mailboxes per query of the store. */
const storeBatchMax = 500;

/** One lookup under way, for all callers that wait for it. */
interface Flight {
  readonly evidence: Promise<MailboxEvidence>;
  waiting: number;
}

/**
 * Single-flight cache of mailboxes: one lookup for all concurrent callers, and none until the stored evidence expires.
 *
 * Evidence is stored before a caller receives it: a process that dies afterwards does not probe the mailbox again.
 */
export function createMailboxCache(options: MailboxCacheOptions): MailboxCache {
  const { queue, store, lists, unavailableReason, nowMs, signal: ended } = options;
  const flights = new Map<string, Flight>();
  const underWay = createUnderWay();
  const read = createBatcher<string, ProbedMailbox | null>(storeBatchMax, async (digests) => {
    const found = await store.readMailboxes(digests);
    return digests.map((digest) => found.get(digest) ?? null);
  });
  const write = createBatcher<StoredMailbox, true>(storeBatchMax, async (found) => {
    await store.writeMailboxes(found);
    return found.map(() => true as const);
  });

  async function find(...[address, domain, signal]: Parameters<MailboxLookup['find']>) {
    const mailbox = mailboxOf(address, domain);
    if (mailbox.hosts.some(({ name }) => lists.isSilentHost(name))) return unprobed('provider_not_probed');
    const unavailable = await unavailableReason();
    if (unavailable !== null) return unavailable;
    ended.throwIfAborted();
    const flight = flights.get(mailbox.digest) ?? begin(mailbox);
    flight.waiting += 1;
    try {
      return await raceAbort(flight.evidence, signal);
    } finally {
      flight.waiting -= 1;
    }
  }

  function begin(mailbox: Mailbox): Flight {
    const isWanted = () => flight.waiting > 0;
    const flight: Flight = { evidence: underWay.add(recallOrProbe(mailbox, isWanted)), waiting: 0 };
    flights.set(mailbox.digest, flight);
    const land = () => void flights.delete(mailbox.digest);
    flight.evidence.then(land, land);
    return flight;
  }

  async function recallOrProbe(mailbox: Mailbox, isWanted: () => boolean): Promise<MailboxEvidence> {
    const known = await read(mailbox.digest);
    // Evidence from a host that the domain has left does not count.
    const earlier = mailbox.hosts.some(({ name }) => name === known?.host) ? known : null;
    if (earlier !== null && mailboxExpiry(earlier).getTime() > nowMs()) return earlier;
    const attempts = earlier === null || earlier.retryAt === null ? 0 : earlier.attempts;
    const evidence = await queue.probe({ ...mailbox, attempts }, isWanted);
    if (evidence.kind === 'probed')
      await write({ digest: mailbox.digest, evidence, expiresAt: mailboxExpiry(evidence) });
    return evidence;
  }

  return {
    find,
    settled: async () => {
      await underWay.settled();
      await queue.settled();
    },
  };
}
