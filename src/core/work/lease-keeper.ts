import { setMaxListeners } from 'node:events';
import { DatabaseUnavailable, LeaseLost } from '../errors.ts';
import type { Claim } from './claim.ts';
import { createClaimReleases } from './claim-releases.ts';
import { ShutdownError } from '../async/shutdown-error.ts';
import type { WorkStore } from './work-store.ts';

/** The part of a lease that calls need. */
export interface CallLease {
  /** Aborts when no new call may start; running calls continue. */
  readonly turnSignal: AbortSignal;
  /** Aborts when not even a recorded call may be sent. */
  readonly sendSignal: AbortSignal;
  /** Aborts when the process stops: then nothing waits any longer for a database that is unavailable. */
  readonly stopSignal: AbortSignal;
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

/** A renewed claim: `signal` aborts with `LeaseLost` once another worker may own the chunk; its cause is the outage of the database, if that ended it. */
export interface Lease extends CallLease {
  /** Releases the claim by `release`, see `ClaimReleases.run`, until the process stops. */
  releaseClaim(release: () => Promise<void>): Promise<void>;
  /** Stops renewing. */
  release(): void;
}

/** Maximum delay until a worker notices that its batch was paused or cancelled. */
const renewEveryMsMax = 1000;

interface Kept {
  readonly abort: AbortController;
  readonly abortTurns: AbortController;
  readonly abortSends: AbortController;
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
  const releases = createClaimReleases();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  /** The error of the last renewal; null after one that succeeded. */
  let outage: DatabaseUnavailable | null = null;
  const timer = setInterval(checkAll, renewEveryMs(leaseMs));

  function checkAll(): void {
    for (const [token, { safeUntilMs }] of kept) if (performance.now() >= safeUntilMs) lose(token, outage);
    if (kept.size > 0) renewing ??= renewAll().finally(() => (renewing = null));
  }

  async function renewAll(): Promise<void> {
    const startedMs = performance.now();
    const tokens = [...kept.keys()];
    try {
      const { lost, waiting, halted } = await work.renew(tokens, leaseMs);
      outage = null;
      for (const token of tokens) prolong(token, startedMs + leaseMs);
      for (const token of lost) lose(token, null);
      const reason = new ShutdownError('The batch no longer runs.');
      // A recorded call may be the probe of the source for which the batch waits.
      for (const token of waiting) kept.get(token)?.abortTurns.abort(reason);
      for (const token of halted) stopCalls(kept.get(token), reason);
    } catch (error) {
      // The leases expire; the next round aborts the work before another process may start it.
      if (error instanceof DatabaseUnavailable) outage = error;
    }
  }

  function leaseOf(entry: Kept): CallLease {
    return {
      signal: entry.abort.signal,
      turnSignal: entry.abortTurns.signal,
      sendSignal: entry.abortSends.signal,
      stopSignal: stopping.signal,
      assertHeld: () => {
        entry.abortSends.signal.throwIfAborted();
        if (performance.now() >= entry.safeUntilMs) throw leaseLost(outage);
      },
    };
  }

  /** A claim that was released while the renewal was running stays released. */
  function prolong(token: string, safeUntilMs: number): void {
    const entry = kept.get(token);
    if (entry !== undefined) entry.safeUntilMs = safeUntilMs;
  }

  function lose(token: string, cause: DatabaseUnavailable | null): void {
    const entry = kept.get(token);
    if (entry !== undefined) end(entry, leaseLost(cause));
    kept.delete(token);
  }

  return {
    keep(claim, askedAtMs) {
      const entry = { ...openControllers(), safeUntilMs: askedAtMs + leaseMs };
      if (stopping.signal.aborted) stopCalls(entry, stopping.signal.reason);
      kept.set(claim.token, entry);
      let isWhole = true;
      return {
        ...leaseOf(entry),
        releaseClaim: (release) => {
          isWhole = false;
          return releases.run(claim.chunkId, release, stopping.signal);
        },
        release: () => {
          kept.delete(claim.token);
          if (isWhole) releases.forget(claim.chunkId);
        },
      };
    },
    stopAccepting(reason) {
      stopping.abort(reason);
      for (const entry of kept.values()) stopCalls(entry, reason);
    },
    abortAll(reason) {
      stopping.abort(reason);
      for (const entry of kept.values()) end(entry, reason);
    },
    close: async () => {
      clearInterval(timer);
      await renewing;
    },
  };
}

function openControllers(): Omit<Kept, 'safeUntilMs'> {
  const [abort, abortTurns, abortSends] = [
    new AbortController(),
    new AbortController(),
    new AbortController(),
  ];
  // Every call and every wait of the chunk listens to them.
  setMaxListeners(0, abort.signal, abortTurns.signal, abortSends.signal);
  return { abort, abortTurns, abortSends };
}

function end(entry: Kept, reason: Error): void {
  stopCalls(entry, reason);
  entry.abort.abort(reason);
}

/** Running calls continue. */
function stopCalls(entry: Kept | undefined, reason: unknown): void {
  entry?.abortTurns.abort(reason);
  entry?.abortSends.abort(reason);
}

function leaseLost(cause: DatabaseUnavailable | null): LeaseLost {
  return new LeaseLost('The lease of a chunk expired; another worker may hold it now.', { cause });
}
