import type { BatchControl } from './batch-control.ts';

/** The stores and timing that bringing a batch to rest needs. */
export interface ControlOptions {
  readonly control: BatchControl;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** Aborts the waiting; what was asked for stays asked for, and a dispatcher brings the batch to rest. */
  readonly signal: AbortSignal;
  /** Told while calls of so many chunks are still under way. */
  readonly onWaiting: (chunks: number) => void;
}

/** Polling interval while calls are in flight. */
const askEveryMs = 100;

/**
 * Pauses a batch. When it resolves, no call of the batch is in flight, none will begin until it is resumed, and the credits that
 * were held for it are back in the balance.
 *
 * @throws NotFound, or Conflict when the batch is over or still being loaded.
 */
export async function pauseBatch(
  options: ControlOptions,
  batch: { readonly accountId: number; readonly publicId: string },
): Promise<void> {
  const { batchId } = await options.control.pause(batch.accountId, batch.publicId);
  await untilAtRest(options, batchId);
}

/**
 * Cancels a batch for good: its open lookups end as cancelled, free of charge. When it resolves, no call of the batch is in flight
 * and none will begin. False when the batch was never loaded whole and was removed.
 *
 * @throws NotFound, or Conflict when the batch is finished or somebody is loading it.
 */
export async function cancelBatch(
  options: ControlOptions,
  batch: { readonly accountId: number; readonly publicId: string },
): Promise<boolean> {
  const { batchId } = await options.control.cancel(batch.accountId, batch.publicId);
  if (batchId === null) return false;
  await untilAtRest(options, batchId);
  return true;
}

async function untilAtRest(
  { control, sleep, signal, onWaiting }: ControlOptions,
  batchId: number,
): Promise<void> {
  for (;;) {
    const left = await control.drain(batchId);
    if (left.kind === 'at_rest') return;
    if (left.kind === 'more') continue;
    onWaiting(left.chunks);
    await sleep(askEveryMs, signal);
  }
}
