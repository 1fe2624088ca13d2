import { createBatcher } from '../../async/batcher.ts';
import { createUnderWay } from '../../async/under-way.ts';
import { raceAbort } from '../../async/race-abort.ts';
import type { MailDomain, MailDomainLookup, MailDomainStore } from './mail-domain.ts';

export interface MailDomainCacheOptions {
  /** Looks up domains that are not cached. */
  readonly lookup: MailDomainLookup;
  /** Read before the lookup, and written after it; null: memory only. */
  readonly store: MailDomainStore | null;
  /** The time of day in milliseconds. */
  readonly nowMs: () => number;
  /** Limits the concurrent lookups of this process, in their order. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
  /** The most domains in memory. Default 50,000; the least recently used one is evicted first. */
  readonly domainsMax?: number;
  /** Receives errors of the store; the lookup continues without it. */
  readonly onError: (error: unknown) => void;
}

/** A lookup that must be closed. */
export interface MailDomainCache extends MailDomainLookup {
  /** Cancels lookups under way; resolves when none of them uses the store. */
  close(): Promise<void>;
}

/** Maximum number of domains per query of the store. */
const storeBatchMax = 500;

/** One lookup under way, for all callers that wait for it. */
interface Flight {
  readonly domain: Promise<MailDomain>;
  waiting: number;
  /** Cancels the lookup. */
  readonly abandon: () => void;
}

/**
 * Single-flight cache of mail domains, in memory and in a store: one lookup for all concurrent callers, and none until the result expires.
 *
 * A lookup without callers is cancelled. Errors of DNS are cached in this process only: another one may do better. Without the store the
 * lookup is repeated.
 */
export function createMailDomainCache(options: MailDomainCacheOptions): MailDomainCache {
  const { lookup, nowMs, limit, domainsMax = 50_000 } = options;
  const memory = createMemory(domainsMax, nowMs);
  const stored = options.store === null ? null : openStore(options.store, options.onError);
  const flights = new Map<string, Flight>();
  const underWay = createUnderWay();

  async function find(domain: string, signal: AbortSignal): Promise<MailDomain> {
    signal.throwIfAborted();
    const known = memory.recall(domain);
    if (known !== null) return known;
    const flight = flights.get(domain) ?? begin(domain);
    flight.waiting += 1;
    try {
      return await raceAbort(flight.domain, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) flight.abandon();
    }
  }

  function begin(domain: string): Flight {
    const controller = new AbortController();
    const land = () => {
      if (flights.get(domain) === flight) flights.delete(domain);
    };
    const flight: Flight = {
      domain: underWay.add(readOrFind(domain, controller.signal)).finally(land),
      waiting: 0,
      abandon: () => {
        land();
        controller.abort();
      },
    };
    flights.set(domain, flight);
    return flight;
  }

  async function readOrFind(domain: string, signal: AbortSignal): Promise<MailDomain> {
    const known = (await stored?.read(domain)) ?? null;
    if (known !== null && isFresh(known, nowMs())) return memory.remember(known);
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

/** The store, in batches. Reports an error once a batch and continues without the store. */
function openStore(store: MailDomainStore, onError: (error: unknown) => void) {
  const read = createBatcher<string, MailDomain | null>(storeBatchMax, async (domains) => {
    const found = await store.read(domains).catch(report);
    return domains.map((domain) => found?.get(domain) ?? null);
  });
  const write = createBatcher<MailDomain, true>(storeBatchMax, async (found) => {
    await store.write(found).catch(report);
    return found.map(() => true);
  });
  function report(error: unknown): undefined {
    onError(error);
  }
  return { read, write };
}

/** Unexpired results, least recently used ones evicted. */
function createMemory(domainsMax: number, nowMs: () => number) {
  // A Map keeps insertion order: a used entry is inserted again, so the first one is the least recently used.
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
