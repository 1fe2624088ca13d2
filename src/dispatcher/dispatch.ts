import { failpoint } from '../core/failpoint.ts';
import type { Operation } from '../core/credits/price-book.ts';
import { sleep } from '../core/async/wait.ts';
import type { LeaderLock } from '../core/work/leader-lock.ts';
import type { Housekeeping } from '../core/work/housekeeping.ts';
import { dispatcherFailure } from '../core/work/retry-policies.ts';
import { reconcile, type ReconcileOptions } from './reconcile.ts';

/** Options of the dispatcher. */
export interface DispatcherOptions extends ReconcileOptions {
  readonly openLeaderLock: () => LeaderLock;
  /** Number of queued and running chunks of all accounts, so that a million rows do not become a million jobs. */
  readonly windowChunks: number;
  /** Lookups per chunk for an operation of a batch with these sources, beside this number of accounts with work. */
  readonly sizeOf: (operation: Operation, sources: readonly string[], accounts: number) => number;
  readonly reconcileEveryMs: number;
  readonly housekeeping: Housekeeping;
  /** Enqueues mailbox rechecks that are due. */
  readonly queueRechecks: () => Promise<void>;
  /** Fires due schedules, starts their scans, and evaluates the changes of finished scans. */
  readonly keepScans: () => Promise<void>;
  /** Enqueues inboxes that are due. */
  readonly keepInboxes: () => Promise<void>;
  /** Starts to update the indexes of finished batches in the background. Returns immediately. */
  readonly startPreparing: () => void;
  readonly tidyEveryMs: number;
  /** Creates a function that logs what has happened since its last call. Called when this process takes the leader lock. Default: none. */
  readonly openActivityLog?: () => () => Promise<void>;
  readonly nowMs: () => number;
  /** Called with every error; the dispatcher continues. */
  readonly onError: (error: unknown) => void;
}

/** Running dispatcher. */
export interface Dispatcher {
  /** Stops it; resolves when it has stopped. */
  close(): Promise<void>;
}

/** Starts the dispatcher of this process: it waits for the leader lock, and takes it again when it loses it. */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const stop = new AbortController();
  const ended = keepDispatching(options, stop.signal);
  return {
    close: async () => {
      stop.abort();
      await ended;
    },
  };
}

async function keepDispatching(options: DispatcherOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const leaderLock = options.openLeaderLock();
    try {
      await leaderLock.take(signal);
      await dispatchFrom(leaderLock, options, signal);
    } catch (error) {
      if (!signal.aborted) options.onError(error);
    } finally {
      await leaderLock.leave();
    }
    if (!signal.aborted) await sleep(dispatcherFailure.delayMs, signal).catch(() => undefined);
  }
}

async function dispatchFrom(
  leaderLock: LeaderLock,
  options: DispatcherOptions,
  signal: AbortSignal,
): Promise<void> {
  let reconciledAtMs = -Infinity;
  let tidiedAtMs = -Infinity;
  const logActivity = options.openActivityLog?.();
  while (!signal.aborted) {
    if (options.nowMs() - reconciledAtMs >= options.reconcileEveryMs) {
      await reconcile(options);
      await options.queueRechecks();
      await options.keepScans();
      await options.keepInboxes();
      options.startPreparing();
      await logActivity?.();
      reconciledAtMs = options.nowMs();
    }
    if (options.nowMs() - tidiedAtMs >= options.tidyEveryMs) {
      await options.housekeeping.tidy();
      tidiedAtMs = options.nowMs();
    }
    await fillWindow(options);
    // The changes of a scan are evaluated as soon as its batch has finished.
    if (await finishBatches(options)) await options.keepScans();
    await leaderLock.wait(options.reconcileEveryMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
  // The workers of this process have stopped before: a batch whose last row they committed must not wait for another process.
  await finishBatches(options);
  await logActivity?.();
}

/** Returns true if a batch has finished. */
async function finishBatches({ dispatch }: DispatcherOptions): Promise<boolean> {
  if ((await dispatch.finishBatches()) === 0) return false;
  failpoint('dispatch:batch-finished');
  return true;
}

/** Open chunks of an account with the lowest weight: one that runs and one that waits. */
const chunksPerAccountMin = 2;
/** The window widens for many accounts, or for accounts with different weights, by up to this factor. */
const windowFactorMax = 4;

/** Creates chunks up to the size of the window, and enqueues all chunks that are not in the queue. */
async function fillWindow({ dispatch, queue, windowChunks, sizeOf }: DispatcherOptions): Promise<void> {
  const room = windowChunks - (await dispatch.countOpen());
  await dispatch.cutChunks({
    chunksMax: Math.max(room, 0),
    chunksPerAccountMin,
    windowChunksMax: windowChunks * windowFactorMax,
    sizeOf,
  });
  failpoint('dispatch:chunks-committed');
  const unqueued = await dispatch.listUnqueued(windowChunks * 2);
  if (unqueued.length === 0) return;
  await queue.enqueue(unqueued);
  failpoint('dispatch:enqueued');
  await dispatch.markQueued(unqueued);
  failpoint('dispatch:marked');
}
