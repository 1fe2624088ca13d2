import { failpoint } from '../core/failpoint.ts';
import { onAbort, raceAbort } from '../core/async/race-abort.ts';
import { sleep } from '../core/async/wait.ts';
import type { LeaderLock } from '../core/work/leader-lock.ts';
import type { Housekeeping } from '../core/work/housekeeping.ts';
import { dispatcherFailure, serverOutage } from '../core/work/retry-policies.ts';
import type { ChunkBounds, DispatchStore } from '../core/work/work-store.ts';
import type { ChunkQueue } from '../queue/chunk-queue.ts';
import { reconcile, requeueLostJobs, type ReconcileOptions, type RequeueOptions } from './reconcile.ts';

/** Options of the dispatcher. */
export interface DispatcherOptions extends ReconcileOptions, RequeueOptions, ChunkBounds {
  readonly dispatch: DispatchStore;
  /** A call that gets no answer must end with an error: then another dispatcher, which may reach the queue, gets the leader lock. */
  readonly queue: Pick<ChunkQueue, 'enqueue' | 'listMissing'>;
  readonly openLeaderLock: () => LeaderLock;
  /** Number of queued and running chunks of all accounts, so that a million rows do not become a million jobs. */
  readonly windowChunks: number;
  readonly reconcileEveryMs: number;
  readonly housekeeping: Housekeeping;
  /** Enqueues mailbox rechecks that are due. */
  readonly queueRechecks: () => Promise<void>;
  /** Finishes scans, and starts to evaluate their changes. */
  readonly settleScans: () => Promise<void>;
  /** Keeps the job schedulers of schedules, and enqueues ticks and scans that are due. */
  readonly keepTicks: () => Promise<void>;
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
  /** Stops it; resolves when it has stopped. Calls to the queue that get no answer are left after two seconds. */
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
  /**
   * Infinity after the connection of the leader lock has failed, until the next one. Other errors leave it: the first rounds after an outage may meet
   * connections that broke in it.
   */
  let rescuesFromMs = -Infinity;
  const noteAway = (error: unknown) => {
    rescuesFromMs = Infinity;
    throw error;
  };
  while (!signal.aborted) {
    const lock = options.openLeaderLock();
    const leaderLock: LeaderLock = {
      ...lock,
      take: (...args) => lock.take(...args).catch(noteAway),
      wait: (...args) => lock.wait(...args).catch(noteAway),
    };
    try {
      await leaderLock.take(signal);
      if (rescuesFromMs === Infinity) rescuesFromMs = options.nowMs() + serverOutage.rescueAfterMs;
      await dispatchFrom(leaderLock, { ...options, rescuesFromMs }, signal);
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
  options: DispatcherOptions & { readonly rescuesFromMs: number },
  signal: AbortSignal,
): Promise<void> {
  let reconciledAtMs = -Infinity;
  let tidiedAtMs = -Infinity;
  const logActivity = options.openActivityLog?.();
  options.dispatch.forgetTurns();
  while (!signal.aborted) {
    const isDue = options.nowMs() - reconciledAtMs >= options.reconcileEveryMs;
    // The part that needs Postgres alone precedes: it is done while the queue is unreachable, too.
    if (isDue) {
      await reconcile(options, { rescues: options.nowMs() >= options.rescuesFromMs });
      options.startPreparing();
      await logActivity?.();
    }
    if (options.nowMs() - tidiedAtMs >= options.tidyEveryMs) {
      await options.housekeeping.tidy();
      tidiedAtMs = options.nowMs();
    }
    await cutChunks(options);
    const haveFinished = await finishBatches(options);
    // A scan is settled as soon as its batch has finished.
    if (isDue || haveFinished) await options.settleScans();
    if (signal.aborted) break;
    await untilStopped(fillQueue(options, isDue), signal);
    if (isDue) reconciledAtMs = options.nowMs();
    await leaderLock.wait(options.reconcileEveryMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
  // The workers of this process have stopped before: a batch whose last row they committed must not wait for another process.
  await finishBatches(options);
  await logActivity?.();
}

/** Open chunks of an account with the lowest weight: one that runs and one that waits. */
const chunksPerAccountMin = 2;
/** The window widens for many accounts, or for accounts with different weights, by up to this factor. */
const windowFactorMax = 4;

/** Creates chunks up to the size of the window. */
async function cutChunks({
  dispatch,
  windowChunks,
  sizeOf,
  searchChunksMax,
}: DispatcherOptions): Promise<void> {
  const room = windowChunks - (await dispatch.countOpen());
  await dispatch.cutChunks({
    chunksMax: Math.max(room, 0),
    chunksPerAccountMin,
    windowChunksMax: windowChunks * windowFactorMax,
    sizeOf,
    searchChunksMax,
  });
  failpoint('dispatch:chunks-committed');
}

/** Returns true if a batch has finished. */
async function finishBatches({ dispatch }: DispatcherOptions): Promise<boolean> {
  if ((await dispatch.finishBatches()) === 0) return false;
  failpoint('dispatch:batch-finished');
  return true;
}

/** Enqueues all chunks that are not in the queue; with `isDue` also what else is due, and chunks whose job is lost. */
async function fillQueue(options: DispatcherOptions, isDue: boolean): Promise<void> {
  if (isDue) {
    await requeueLostJobs(options);
    await options.queueRechecks();
    await options.keepTicks();
    await options.keepInboxes();
  }
  const { dispatch, queue, windowChunks } = options;
  const unqueued = await dispatch.listUnqueued(windowChunks * 2);
  if (unqueued.length === 0) return;
  await queue.enqueue(unqueued);
  failpoint('dispatch:enqueued');
  await dispatch.markQueued(unqueued);
  failpoint('dispatch:marked');
}

/** Time that a stop waits for the queue. */
const stopMsMax = 2000;

/** Waits for the work; once the signal aborts, for `stopMsMax` more, and then without its error. The work itself continues. */
async function untilStopped(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const forget = onAbort(signal, () => (timer = setTimeout(() => late.abort(), stopMsMax)));
  try {
    await raceAbort(work, late.signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    forget();
    clearTimeout(timer);
  }
}
