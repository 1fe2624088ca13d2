import { createBatcher } from '../../async/batcher.ts';
import { createUnderWay } from '../../async/under-way.ts';
import { raceAbort } from '../../async/race-abort.ts';
import type { MailDomain, MailDomainLookup } from './mail-domain.ts';
import type { MailDomainStore } from './mail-domain-store.ts';

export interface KnownDomainsOptions {
  /** Looks up domains that are not cached. */
  readonly lookup: MailDomainLookup;
  /** Asked before the lookup, and told what it found; null for memory alone. */
  readonly store: MailDomainStore | null;
  /** The time of day in milliseconds. */
  readonly nowMs: () => number;
  /** Lets so many lookups of this process be under way at a time, the others in the order in which they came. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
  /** The most domains in memory, 50,000 when not given; the one that nobody has asked for longest goes first. */
  readonly domainsMax?: number;
  /** Told when the store fails; the lookup goes on without it. */
  readonly onError: (error: unknown) => void;
}

/** A lookup with a memory, and questions under way. */
export interface KnownDomains extends MailDomainLookup {
  /** Calls off what is under way; resolves when none of it uses the store any more. */
  close(): Promise<void>;
}

/** The most domains of one trip to the store. */
const storeBatchMax = 500;

/** A question under way, and everybody who waits for its answer. */
interface Flight {
  readonly answer: Promise<MailDomain>;
  waiting: number;
  /** Calls the question off. */
  readonly abandon: () => void;
}

/**
 * Puts memory, and a store where there is one, in front of a lookup: each domain is asked for once until its answer expires, however
 * many ask at the same time.
 *
 * Who stops waiting leaves alone; a question that nobody waits for any more is called off. Of trouble with DNS only this process
 * remembers, for others may do better. The store is there to save questions: without it they are asked.
 */
export function createKnownDomains(options: KnownDomainsOptions): KnownDomains {
  const { lookup, nowMs, limit, domainsMax = 50_000 } = options;
  const memory = createMemory(domainsMax, nowMs);
  const stored = options.store === null ? null : openStore(options.store, options.onError);
  const flights = new Map<string, Flight>();
  const underWay = createUnderWay();

  async function find(domain: string, signal: AbortSignal): Promise<MailDomain> {
    signal.throwIfAborted();
    const known = memory.recall(domain);
    if (known !== null) return known;
    const flight = flights.get(domain) ?? start(domain);
    flight.waiting += 1;
    try {
      return await raceAbort(flight.answer, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) flight.abandon();
    }
  }

  function start(domain: string): Flight {
    const controller = new AbortController();
    const leave = () => {
      if (flights.get(domain) === flight) flights.delete(domain);
    };
    const flight: Flight = {
      answer: underWay.add(ask(domain, controller.signal)).finally(leave),
      waiting: 0,
      abandon: () => {
        leave();
        controller.abort();
      },
    };
    flights.set(domain, flight);
    return flight;
  }

  async function ask(domain: string, signal: AbortSignal): Promise<MailDomain> {
    const kept = (await stored?.read(domain)) ?? null;
    if (kept !== null && isFresh(kept, nowMs())) return memory.remember(kept);
    const found = await limit(() => lookup.find(domain, signal));
    if (found.route.kind !== 'unknown') await stored?.write(found);
    return memory.remember(found);
  }

  return {
    find,
    close: async () => {
      for (const { abandon } of flights.values()) abandon();
      await underWay.settled();
    },
  };
}

function isFresh({ expiresAt }: MailDomain, nowMs: number): boolean {
  return expiresAt.getTime() > nowMs;
}

/** The store, in few trips. Its failure is told once for each trip and is no failure here: there is DNS to ask. */
function openStore(store: MailDomainStore, onError: (error: unknown) => void) {
  const read = createBatcher<string, MailDomain | null>(storeBatchMax, async (domains) => {
    const found = await store.read(domains).catch(tell);
    return domains.map((domain) => found?.get(domain) ?? null);
  });
  const write = createBatcher<MailDomain, true>(storeBatchMax, async (found) => {
    await store.write(found).catch(tell);
    return found.map(() => true);
  });
  function tell(error: unknown): undefined {
    onError(error);
  }
  return { read, write };
}

/** Answers that have not expired, as many as fit. */
function createMemory(domainsMax: number, nowMs: () => number) {
  // A Map keeps the order in which entries were put in: whatever is asked for is put in again, so the first is the one to go.
  const entries = new Map<string, MailDomain>();

  function recall(domain: string): MailDomain | null {
    const known = entries.get(domain);
    if (known === undefined) return null;
    entries.delete(domain);
    if (!isFresh(known, nowMs())) return null;
    entries.set(domain, known);
    return known;
  }

  function remember(found: MailDomain): MailDomain {
    entries.delete(found.domain);
    entries.set(found.domain, found);
    const [oldest] = entries.keys();
    if (entries.size > domainsMax && oldest !== undefined) entries.delete(oldest);
    return found;
  }

  return { recall, remember };
}
