import { hasOpenCall } from '../core/sources/open-calls.ts';
import type { BatchControl } from '../core/batches/batch-control.ts';
import type { OutcomeStore } from '../core/work/outcomes.ts';
import type { DispatchStore, LapsedChunk } from '../core/work/work-store.ts';
import { unfinishedChunk } from '../core/work/retry-policies.ts';
import type { ChunkQueue } from '../queue/queues.ts';

/** Looked at per round, so that a round stays short. */
const chunksPerRound = 500;

export interface ReconcileOptions {
  readonly dispatch: DispatchStore;
  readonly control: Pick<BatchControl, 'listUnsettled' | 'drain'>;
  readonly outcomes: OutcomeStore;
  readonly queue: ChunkQueue;
  /** A chunk that nobody claimed for so long is asked about at the queue. */
  readonly queuedMsMax: number;
  readonly leaseMs: number;
}

/**
 * Sets right whatever a lost worker, a lost queue or a lost dispatcher left behind. Safe at any time, any number of times.
 */
export async function reconcile(options: ReconcileOptions): Promise<void> {
  await endLapsedLeases(options);
  await requeueLostJobs(options);
  await settleHalted(options);
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
 * Ends what is open of a chunk as failed, free of charge, through the same guarded commit as everything else. A lookup of which a call
 * may have been charged ends in doubt, so that a plain retry does not pay for it twice.
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

/** Chunks whose job the queue has lost, with all of Redis or one by one, go in again as their next generation. */
async function requeueLostJobs({ dispatch, queue, queuedMsMax }: ReconcileOptions): Promise<void> {
  const waiting = await dispatch.listWaitingLong(queuedMsMax, chunksPerRound);
  if (waiting.length === 0) return;
  const missing = new Set(await queue.listMissing(waiting));
  await dispatch.requeue(waiting.filter((chunk) => missing.has(chunk)));
  await dispatch.markQueued(waiting.filter((chunk) => !missing.has(chunk)));
}

/** A batch whose `pause` or `cancel` was cut off half-way comes to rest all the same. */
async function settleHalted({ control }: ReconcileOptions): Promise<void> {
  for (const batchId of await control.listUnsettled()) {
    let left = await control.drain(batchId);
    while (left.kind === 'more') left = await control.drain(batchId);
  }
}
