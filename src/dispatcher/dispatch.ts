import { failpoint } from '../core/failpoint.ts';
import type { Operation } from '../core/credits/price-book.ts';
import { sleep } from '../core/async/wait.ts';
import type { LeaderLock } from '../core/work/leader-lock.ts';
import type { Housekeeping } from '../core/work/housekeeping.ts';
import { dispatcherFailure } from '../core/work/retry-policies.ts';
import { reconcile, type ReconcileOptions } from './reconcile.ts';

export interface DispatcherOptions extends ReconcileOptions {
  readonly openLeaderLock: () => LeaderLock;
  /** Chunks that are in line or under way at a time, at most: a million rows do not become a million jobs. */
  readonly windowChunks: number;
  /** Lookups per chunk for an operation of a batch with these sources. */
  readonly sizeOf: (operation: Operation, sources: readonly string[]) => number;
  readonly reconcileEveryMs: number;
  readonly housekeeping: Housekeeping;
  /** Puts into the queue what mail servers are to be asked again. */
  readonly queueRechecks: () => Promise<void>;
  /** Fires what is due of the schedules, begins their scans, and finds out what the ended ones changed. */
  readonly keepScans: () => Promise<void>;
  /** Begins to prepare, beside everything else, what pages about lists that are over are quick by. Returns at once. */
  readonly startPreparing: () => void;
  readonly tidyEveryMs: number;
  readonly nowMs: () => number;
  /** Told of every error; the dispatcher goes on after it. */
  readonly onError: (error: unknown) => void;
}

/** A dispatcher at work. */
export interface Dispatcher {
  /** Ends it; resolves when nothing of it runs any more. */
  close(): Promise<void>;
}

/** Starts the dispatcher of this process: it waits for the seat, and takes another seat when it loses one. */
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
  while (!signal.aborted) {
    if (options.nowMs() - reconciledAtMs >= options.reconcileEveryMs) {
      await reconcile(options);
      await options.queueRechecks();
      await options.keepScans();
      options.startPreparing();
      reconciledAtMs = options.nowMs();
    }
    if (options.nowMs() - tidiedAtMs >= options.tidyEveryMs) {
      await options.housekeeping.tidy();
      tidiedAtMs = options.nowMs();
    }
    await fillWindow(options);
    await finishBatches(options);
    await leaderLock.wait(options.reconcileEveryMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
  // The workers of this process stop before it: a batch whose last row they committed must not wait for another process.
  await finishBatches(options);
}

async function finishBatches({ dispatch }: DispatcherOptions): Promise<void> {
  if ((await dispatch.finishBatches()) > 0) {
    failpoint('dispatch:batch-finished');
  }
}

/** Cuts new chunks as far as the window has room, and puts everything that is in line into the queue. */
async function fillWindow({ dispatch, queue, windowChunks, sizeOf }: DispatcherOptions): Promise<void> {
  const room = windowChunks - (await dispatch.countOpen());
  if (room > 0) await dispatch.cutChunks({ chunksMax: room, sizeOf });
  failpoint('dispatch:chunks-committed');
  const unqueued = await dispatch.listUnqueued(windowChunks * 2);
  if (unqueued.length === 0) return;
  await queue.enqueue(unqueued);
  failpoint('dispatch:enqueued');
  await dispatch.markQueued(unqueued);
  failpoint('dispatch:marked');
}
