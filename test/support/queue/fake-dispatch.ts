import type { DispatchStore } from '../../../src/core/work/work-store.ts';
import type { ReconcileOptions } from '../../../src/dispatcher/reconcile.ts';
import type { ChunkQueue } from '../../../src/queue/chunk-queue.ts';

/** A store without any work. */
export const emptyDispatchStore: DispatchStore = {
  cutChunks: () => Promise.resolve(0),
  forgetTurns: () => undefined,
  listUnqueued: () => Promise.resolve([]),
  markQueued: () => Promise.resolve(),
  countOpen: () => Promise.resolve(0),
  listWaitingLong: () => Promise.resolve([]),
  requeue: () => Promise.resolve(),
  listLapsed: () => Promise.resolve([]),
  rescue: () => Promise.resolve(false),
  split: () => Promise.resolve(false),
  takeOver: () => Promise.resolve(null),
  followClock: () => Promise.resolve(0),
  wakeBatches: () => Promise.resolve(0),
  finishBatches: () => Promise.resolve(0),
};

/** A queue that accepts and discards every chunk. */
export const emptyQueue: ChunkQueue = {
  enqueue: () => Promise.resolve(),
  listMissing: () => Promise.resolve([]),
  readPayloads: () => Promise.resolve([]),
  empty: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Batches without actions of users. */
export const emptyControl: ReconcileOptions['control'] = {
  listUnsettled: () => Promise.resolve([]),
  drain: () => Promise.resolve({ kind: 'at_rest' }),
};
