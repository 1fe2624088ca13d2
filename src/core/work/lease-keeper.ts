import { setMaxListeners } from 'node:events';
import { LeaseLost } from '../errors.ts';
import type { Claim } from './claim.ts';
import { ShutdownError } from '../async/shutdown-error.ts';
import type { WorkStore } from './work-store.ts';

/** The part of a lease that calls need. */
export interface CallLease {
  /** Aborts when no new call may start; running calls continue. */
  readonly turnSignal: AbortSignal;
  /** Aborts when not even a recorded call may be sent. */
  readonly sendSignal: AbortSignal;
  /** Aborts when running calls have to stop. */
  readonly signal: AbortSignal;
  /** @throws the reason when no call may start at this moment; a process that slept through its lease learns it here. */
  readonly assertHeld: () => void;
}

/** Renews the leases of all claims of this process, and signals the work when a lease is lost or the work has to stop. */
export interface LeaseKeeper {
  /** Starts renewing a claim that was requested at `askedAtMs`, by `performance.now()`. */
  keep(claim: Claim, askedAtMs: number): Lease;
  /** No work starts another call from now on; running calls finish. */
  stopAccepting(reason: Error): void;
  /** Aborts all running work; results that have arrived are still committed. */
  abortAll(reason: Error): void;
  /** Stops renewing; resolves when no renewal is running. */
  close(): Promise<void>;
}

/** A renewed claim: `signal` aborts with `LeaseLost` once another worker may own the chunk. */
export interface Lease extends CallLease {
  release(): void;
}

/** Maximum delay until a worker notices that its batch was paused or cancelled. */
const renewEveryMsMax = 1000;

interface Kept {
  readonly abort: AbortController;
  readonly abortTurns: AbortController;
  /** By our clock, counted from before the claim or renewal was sent, so never later than the end in the database. */
  safeUntilMs: number;
}

/** Interval for renewing leases of this length, in milliseconds. */
export function renewEveryMs(leaseMs: number): number {
  return Math.min(renewEveryMsMax, leaseMs / 3);
}

/** Renews all claims together, every second. A failed renewal is retried until the lease ends. */
export function createLeaseKeeper(work: WorkStore, leaseMs: number): LeaseKeeper {
  const kept = new Map<string, Kept>();
  let renewing: Promise<void> | null = null;
  let stopped: Error | null = null;
  const timer = setInterval(checkAll, renewEveryMs(leaseMs));

  function checkAll(): void {
    for (const [token, { safeUntilMs }] of kept) if (performance.now() >= safeUntilMs) lose(token);
    if (kept.size > 0) renewing ??= renewAll().finally(() => (renewing = null));
  }

  async function renewAll(): Promise<void> {
    const startedMs = performance.now();
    const tokens = [...kept.keys()];
    try {
      const { lost, halted } = await work.renew(tokens, leaseMs);
      for (const token of tokens) prolong(token, startedMs + leaseMs);
      for (const token of lost) lose(token);
      for (const token of halted)
        kept.get(token)?.abortTurns.abort(new ShutdownError('The batch no longer runs.'));
    } catch {
      // The database is unavailable. The leases expire; the next round aborts the work before another process may start it.
    }
  }

  /** A claim that was released while the renewal was running stays released. */
  function prolong(token: string, safeUntilMs: number): void {
    const entry = kept.get(token);
    if (entry !== undefined) entry.safeUntilMs = safeUntilMs;
  }

  function lose(token: string): void {
    const entry = kept.get(token);
    if (entry !== undefined) end(entry, leaseLost());
    kept.delete(token);
  }

  return {
    keep(claim, askedAtMs) {
      const entry = { ...openControllers(), safeUntilMs: askedAtMs + leaseMs };
      if (stopped !== null) entry.abortTurns.abort(stopped);
      kept.set(claim.token, entry);
      return { ...leaseOf(entry), release: () => void kept.delete(claim.token) };
    },
    stopAccepting(reason) {
      stopped = reason;
      for (const { abortTurns } of kept.values()) abortTurns.abort(reason);
    },
    abortAll(reason) {
      for (const entry of kept.values()) end(entry, reason);
    },
    close: async () => {
      clearInterval(timer);
      await renewing;
    },
  };
}

function openControllers(): Pick<Kept, 'abort' | 'abortTurns'> {
  const [abort, abortTurns] = [new AbortController(), new AbortController()];
  // Every call and every wait of the chunk listens to them.
  setMaxListeners(0, abort.signal, abortTurns.signal);
  return { abort, abortTurns };
}

function leaseOf(entry: Kept): CallLease {
  return {
    signal: entry.abort.signal,
    turnSignal: entry.abortTurns.signal,
    sendSignal: entry.abortTurns.signal,
    assertHeld: () => {
      entry.abortTurns.signal.throwIfAborted();
      if (performance.now() >= entry.safeUntilMs) throw leaseLost();
    },
  };
}

function end({ abort, abortTurns }: Kept, reason: Error): void {
  abortTurns.abort(reason);
  abort.abort(reason);
}

function leaseLost(): LeaseLost {
  return new LeaseLost('The lease of a chunk expired; another worker may hold it now.');
}
