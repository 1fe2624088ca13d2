import type { BatchBounds } from './batch.ts';

/** Work that a paused or cancelled batch still has in flight. */
export type Drain =
  /** Nothing is left: no call is in flight, no call can begin, and nothing is held. */
  | { readonly kind: 'at_rest' }
  /** A part was set aside; there may be more. */
  | { readonly kind: 'more' }
  /** Workers have calls under way in so many chunks; they end, or their leases lapse. */
  | { readonly kind: 'calls'; readonly chunks: number };

/**
 * Selection of the failed lookups to retry: all except those in doubt; those in doubt too, although they may be paid for twice; or those
 * whose stored reply could not be parsed, which is parsed again without calling the source.
 */
export type RetryChoice = 'certain' | 'in_doubt' | 'reparse';

/** Result of a retry. */
export interface Retried {
  readonly batchId: number;
  /** Failed lookups that got a successor. */
  readonly retried: number;
  /** Failed as `in_doubt`, and left as they are. */
  readonly inDoubtLeft: number;
}

/**
 * Port: a batch as people steer it. Ids are public ids.
 *
 * Every move but `windDown` throws NotFound when the account has no such batch, and Conflict, saying why, when its state does not
 * allow the move.
 */
export interface BatchControl {
  /** The same, with its moves noted in the timelines of batches as those of `actor`: the id of a key or of a user, or `cli`. */
  actingAs(actor: string): BatchControl;
  /** From now on no worker claims any of its chunks. Calls under way go on: see `windDown`. */
  pause(accountId: number, publicId: string): Promise<{ readonly batchId: number }>;
  /** For good. A batch that was never loaded whole is removed; `batchId` is null then. */
  cancel(accountId: number, publicId: string): Promise<{ readonly batchId: number | null }>;
  /** Lets a batch that is paused, or waits, go on. Bounds that are given replace those it has; a limit that is reached is lifted. */
  resume(accountId: number, publicId: string, bounds: Partial<BatchBounds>): Promise<void>;
  /** Gives the failed lookups of a finished batch that `choice` names a successor. */
  retry(accountId: number, publicId: string, choice: RetryChoice): Promise<Retried>;
  /**
   * One step on a paused or cancelled batch's way to rest: takes chunks that nobody works on out of line and releases what is held
   * for them; a cancelled batch's open lookups end as cancelled. Safe to repeat, from any process.
   */
  drain(batchId: number): Promise<Drain>;
  /** Batches that were paused or cancelled and are not at rest, except where calls are still under way. */
  listUnsettled(): Promise<readonly number[]>;
}

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
