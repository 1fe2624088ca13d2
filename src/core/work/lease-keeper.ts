import { setMaxListeners } from 'node:events';
import { LeaseLost } from '../errors.ts';
import type { Claim } from './claim.ts';
import type { WorkStore } from './work-store.ts';

/** Keeps the leases of this process' claims alive, and tells the work when one is lost or when it has to stop. */
export interface LeaseKeeper {
  /** Starts keeping a claim. The signal aborts with `LeaseLost` once another worker may own the chunk. */
  keep(claim: Claim): { readonly signal: AbortSignal; release(): void };
  /** Asks all work under way to stop now; what has come back by then is still committed. */
  abortAll(reason: Error): void;
  close(): void;
}

/** Renews all claims together, every third of a lease. A renewal that fails is tried again until the lease is over. */
export function createLeaseKeeper(work: WorkStore, leaseMs: number): LeaseKeeper {
  interface Kept {
    readonly abort: AbortController;
    /** By our clock, counted from before the renewal was sent: never later than the database's own end. */
    safeUntilMs: number;
  }
  const kept = new Map<string, Kept>();
  let renewing = false;
  const timer = setInterval(() => void renewAll(), leaseMs / 3);

  async function renewAll(): Promise<void> {
    dropOutdated();
    if (renewing || kept.size === 0) return;
    renewing = true;
    const startedMs = performance.now();
    const tokens = [...kept.keys()];
    try {
      const lost = new Set(await work.renew(tokens, leaseMs));
      for (const token of tokens) {
        if (lost.has(token)) lose(token);
        else if (kept.has(token)) kept.set(token, { ...at(token), safeUntilMs: startedMs + leaseMs });
      }
    } catch {
      // The database is away. The leases run on; dropOutdated ends the work before somebody else may begin it.
    } finally {
      renewing = false;
    }
  }

  function at(token: string): Kept {
    const entry = kept.get(token);
    if (entry === undefined) throw new Error('A claim was renewed that is not kept.');
    return entry;
  }

  function dropOutdated(): void {
    for (const [token, { safeUntilMs }] of kept) if (performance.now() >= safeUntilMs) lose(token);
  }

  function lose(token: string): void {
    kept
      .get(token)
      ?.abort.abort(new LeaseLost('The lease of a chunk ran out; another worker may have it by now.'));
    kept.delete(token);
  }

  return {
    keep(claim) {
      const abort = new AbortController();
      // Every call and every wait of the chunk listens to it.
      setMaxListeners(0, abort.signal);
      kept.set(claim.token, { abort, safeUntilMs: performance.now() + leaseMs });
      return { signal: abort.signal, release: () => void kept.delete(claim.token) };
    },
    abortAll(reason) {
      for (const { abort } of kept.values()) abort.abort(reason);
    },
    close: () => clearInterval(timer),
  };
}
