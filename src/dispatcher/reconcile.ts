import { hasOpenCall } from '../core/sources/open-calls.ts';
import type { BatchControl } from '../core/batches/batch-control.ts';
import type { OutcomeStore } from '../core/work/outcomes.ts';
import type { DispatchStore, LapsedChunk } from '../core/work/work-store.ts';
import { unfinishedChunk } from '../core/work/retry-policies.ts';
import type { ChunkQueue } from '../queue/chunk-queue.ts';

/** Maximum per round, so that a round stays short. */
const chunksPerRound = 500;

/** Options of the reconciliation. */
export interface ReconcileOptions {
  readonly dispatch: DispatchStore;
  readonly control: Pick<BatchControl, 'listUnsettled' | 'drain'>;
  readonly outcomes: OutcomeStore;
  readonly leaseMs: number;
  /** Called when the clock of the database was set back by this many milliseconds. */
  readonly onClockSetBack: (backMs: number) => void;
}

/**
 * Repairs the state in Postgres after the loss of a worker or a dispatcher. Idempotent, and safe at any time. Without `rescues`, it leaves the chunks
 * whose lease has expired, also those of batches that are paused or cancelled, to workers that are about to release them.
 */
export async function reconcile(options: ReconcileOptions, { rescues = true } = {}): Promise<void> {
  const backMs = await options.dispatch.followClock(options.leaseMs);
  if (backMs > 0) options.onClockSetBack(backMs);
  if (rescues) {
    await endLapsedLeases(options);
    await settleHalted(options);
  }
  await options.dispatch.wakeBatches();
}

async function endLapsedLeases(options: ReconcileOptions): Promise<void> {
  for (const chunk of await options.dispatch.listLapsed(chunksPerRound)) {
    if (chunk.batchId === null) await endAsFailed(chunk, 'interrupted', options);
    else if (chunk.lookups === 1 && chunk.starts >= unfinishedChunk.startsAloneMax)
      await endAsFailed(chunk, 'dead_letter', options);
    else if (chunk.lookups > 1 && chunk.starts >= unfinishedChunk.startsTogetherMax)
      await options.dispatch.split(chunk);
    else await options.dispatch.rescue(chunk);
  }
}

/**
 * Ends the open lookups of a chunk as failed, free of charge, through the same guarded commit as all outcomes. A lookup whose call may have
 * been charged ends in doubt, so that a plain retry does not pay twice.
 */
async function endAsFailed(
  chunk: LapsedChunk,
  reason: string,
  { dispatch, outcomes, leaseMs }: ReconcileOptions,
): Promise<void> {
  const claim = await dispatch.takeOver(chunk, leaseMs);
  if (claim === null) return;
  const inDoubt =
    claim.operation === 'ads_search' ? claim.lookups.filter(hasOpenCall).map(({ lookupId }) => lookupId) : [];
  const results = claim.lookups.map(({ lookupId }) => ({
    lookupId,
    source: null,
    answer: { kind: 'failed' as const, reason: inDoubt.includes(lookupId) ? 'in_doubt' : reason },
  }));
  await outcomes.commit(claim, results);
}

/** Completes an interrupted `pause` or `cancel` of a batch. */
async function settleHalted({ control }: ReconcileOptions): Promise<void> {
  for (const batchId of await control.listUnsettled()) {
    let left = await control.drain(batchId);
    while (left.kind === 'more') left = await control.drain(batchId);
  }
}

/** Options of the repair of the queue. */
export interface RequeueOptions {
  readonly dispatch: Pick<DispatchStore, 'listWaitingLong' | 'requeue' | 'markQueued'>;
  readonly queue: Pick<ChunkQueue, 'listMissing'>;
  /** Time after which the queue is checked for an unclaimed chunk. */
  readonly queuedMsMax: number;
}

/** Marks chunks whose job the queue has lost to be enqueued as their next generation. */
export async function requeueLostJobs({ dispatch, queue, queuedMsMax }: RequeueOptions): Promise<void> {
  const waiting = await dispatch.listWaitingLong(queuedMsMax, chunksPerRound);
  if (waiting.length === 0) return;
  const missing = new Set(await queue.listMissing(waiting));
  await dispatch.requeue(waiting.filter((chunk) => missing.has(chunk)));
  await dispatch.markQueued(waiting.filter((chunk) => !missing.has(chunk)));
}
