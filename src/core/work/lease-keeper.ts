import { setMaxListeners } from 'node:events';
import { LeaseLost } from '../errors.ts';
import type { Claim } from './claim.ts';
import type { WorkStore } from './work-store.ts';

/** Keeps the leases of this process' claims alive, and tells the work when one is lost or when it has to stop. */
export interface LeaseKeeper {
  /** Starts keeping a claim. */
  keep(claim: Claim): Lease;
  /** From now on no work begins a call, neither what is under way nor what is still to come; calls under way end first. */
  stopBeginning(reason: Error): void;
  /** Asks all work under way to stop now; what has come back by then is still committed. */
  abortAll(reason: Error): void;
  close(): void;
}

/** A claim that is kept. */
export interface Lease {
  /** Aborts with `LeaseLost` once another worker may own the chunk. */
  readonly signal: AbortSignal;
  /** Aborts with the same, and before that when no further call may begin. */
  readonly turnSignal: AbortSignal;
  release(): void;
}

/** Renews all claims together, every third of a lease. A renewal that fails is tried again until the lease is over. */
export function createLeaseKeeper(work: WorkStore, leaseMs: number): LeaseKeeper {
  interface Kept {
    readonly abort: AbortController;
    readonly abortTurns: AbortController;
    /** By our clock, counted from before the renewal was sent: never later than the database's own end. */
    safeUntilMs: number;
  }
  const kept = new Map<string, Kept>();
  let renewing = false;
  let stopped: Error | null = null;
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
    const reason = new LeaseLost('The lease of a chunk ran out; another worker may have it by now.');
    const entry = kept.get(token);
    if (entry !== undefined) end(entry, reason);
    kept.delete(token);
  }

  function end({ abort, abortTurns }: Kept, reason: Error): void {
    abortTurns.abort(reason);
    abort.abort(reason);
  }

  return {
    keep(claim) {
      const [abort, abortTurns] = [new AbortController(), new AbortController()];
      // Every call and every wait of the chunk listens to them.
      setMaxListeners(0, abort.signal, abortTurns.signal);
      if (stopped !== null) abortTurns.abort(stopped);
      kept.set(claim.token, { abort, abortTurns, safeUntilMs: performance.now() + leaseMs });
      return {
        signal: abort.signal,
        turnSignal: abortTurns.signal,
        release: () => void kept.delete(claim.token),
      };
    },
    stopBeginning(reason) {
      stopped = reason;
      for (const { abortTurns } of kept.values()) abortTurns.abort(reason);
    },
    abortAll(reason) {
      for (const entry of kept.values()) end(entry, reason);
    },
    close: () => clearInterval(timer),
  };
}
