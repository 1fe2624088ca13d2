import { onTestFinished } from 'vitest';
import { createBatchControl } from '../../../db/stores/batches/batch-control.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createHousekeeping } from '../../../db/stores/purge/housekeeping.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import type { LeaderLock } from '../../../src/core/work/leader-lock.ts';
import { startDispatcher, type DispatcherOptions } from '../../../src/dispatcher/dispatch.ts';
import type { ChunkQueue } from '../../../src/queue/chunk-queue.ts';
import type { TestDatabase } from '../db/database.ts';
import { repliesFor } from '../db/retention.ts';

/** The product's dispatcher, one iteration at a time. */
export interface SteppedDispatcher {
  /** Runs one iteration, starting with the reconciliation; resolves when it waits for the next one. */
  step(): Promise<void>;
  /** Errors from which it recovered. */
  readonly errors: readonly unknown[];
}

/** Starts it with a leader lock that is always free, and with minimal delays. */
export function stepDispatcher(
  database: TestDatabase,
  queue: ChunkQueue,
  changes: Partial<DispatcherOptions> = {},
): SteppedDispatcher {
  const errors: unknown[] = [];
  const leaderLock = createSteppedLock();
  const db = database.app.sql;
  const dispatcher = startDispatcher({
    dispatch: createDispatchStore(db),
    control: createBatchControl(db),
    outcomes: createOutcomeStore(db),
    queue,
    openLeaderLock: () => leaderLock.leaderLock,
    windowChunks: 10,
    sizeOf: () => 2,
    leaseMs: 60_000,
    queuedMsMax: alreadyOver,
    reconcileEveryMs: 0,
    housekeeping: createHousekeeping(db, repliesFor(86_400_000)),
    queueRechecks: () => Promise.resolve(),
    settleScans: () => Promise.resolve(),
    keepTicks: () => Promise.resolve(),
    keepInboxes: () => Promise.resolve(),
    startPreparing: () => undefined,
    tidyEveryMs: 0,
    nowMs: () => 0,
    onError: (error) => errors.push(error),
    onClockSetBack: () => undefined,
    ...changes,
  });
  onTestFinished(() => dispatcher.close());
  return { step: leaderLock.step, errors };
}

/** A negative time span: "longer ago than this" is true for everything. */
export const alreadyOver = -60_000;

function createSteppedLock(): { leaderLock: LeaderLock; step: () => Promise<void> } {
  let go = createSignal();
  let arrived = createSignal();
  const waitFor = async (abort: AbortSignal) => {
    const closed = createSignal();
    abort.addEventListener('abort', closed.fire, { once: true });
    arrived.fire();
    await Promise.race([go.fired, closed.fired]);
    abort.removeEventListener('abort', closed.fire);
    abort.throwIfAborted();
    go = createSignal();
  };
  return {
    leaderLock: {
      take: waitFor,
      wait: (_timeoutMs, signal) => waitFor(signal),
      leave: () => Promise.resolve(),
    },
    step: async () => {
      await arrived.fired;
      arrived = createSignal();
      go.fire();
      await arrived.fired;
    },
  };
}

function createSignal() {
  let fire: () => void = () => undefined;
  const fired = new Promise<void>((resolve) => (fire = resolve));
  return { fired, fire };
}
