import type { BatchBounds } from './batch.ts';
import type { RowRange } from '../rows/row-ranges.ts';

/** Work that a paused or cancelled batch still has in flight. */
export type Drain =
  /** The batch is drained: no call is running, no call can start, and no credits are held. */
  | { readonly kind: 'at_rest' }
  /** One part was processed; there may be more. */
  | { readonly kind: 'more' }
  /** Calls are still running in this many chunks. They finish, or their leases expire. */
  | { readonly kind: 'calls'; readonly chunks: number };

/**
 * Lookups to retry. `certain`: all failed ones except those in doubt. `in_doubt`: those in doubt too, although they may be paid for
 * twice. `reparse`: those whose stored reply could not be parsed, which is parsed again without calling the source. `mapped`: those of
 * companies that were not identified, and that the account has mapped since to an advertiser.
 */
export type RetryChoice = 'certain' | 'in_doubt' | 'reparse' | 'mapped';

/** Part of the lookups to retry. */
export interface RetryPart {
  /** Only lookups of these rows; other rows of the same companies and addresses have the same lookups. Default: all rows. */
  readonly rows?: readonly RowRange[];
  /** For `mapped`: only companies that are mapped to one of these advertisers. Default: all mapped companies. */
  readonly advertisers?: readonly string[];
  /** True to include lookups of companies that were not identified, mapped or not. Default: false. */
  readonly unidentified?: boolean;
  /** True to count the lookups, and retry none. Default: false. */
  readonly isDryRun?: boolean;
}

/** Result of a retry. */
export interface Retried {
  readonly batchId: number;
  /** Lookups that are retried. */
  readonly retried: number;
  /** Lookups that failed as `in_doubt` and are not retried. */
  readonly inDoubtLeft: number;
  /** Maximum cost of the retry, in microcredits: every lookup has a result. */
  readonly ceilingMicro: bigint;
}

/**
 * Port: control of a batch by people. Ids are public ids.
 *
 * Every operation except `drain` throws NotFound when the account has no such batch, and Conflict with the reason when the
 * state of the batch does not allow it.
 */
export interface BatchControl {
  /** The same port; the timelines of batches name `actor` as the author: the id of a key or of a user, or `cli`. */
  actingAs(actor: string): BatchControl;
  /** Stops workers from claiming chunks of the batch. Running calls continue: see `drain`. */
  pause(accountId: number, publicId: string): Promise<{ readonly batchId: number }>;
  /** Cancels the batch for good. A batch that was never loaded completely is removed; `batchId` is then null. */
  cancel(accountId: number, publicId: string): Promise<{ readonly batchId: number | null }>;
  /** Resumes a batch that is paused or waits. The given bounds replace the current ones; a limit that was reached is lifted. */
  resume(accountId: number, publicId: string, bounds: Partial<BatchBounds>): Promise<void>;
  /**
   * Retries the lookups of a finished batch that `choice` and `part` select. The batch of a scan rejects `mapped` and `unidentified` with
   * Conflict: changes are evaluated once for each scan, and its next one uses the mapping.
   *
   * @throws ValidationError for rows that the batch does not have; it names them
   */
  retry(accountId: number, publicId: string, choice: RetryChoice, part?: RetryPart): Promise<Retried>;
  /**
   * Drains a paused or cancelled batch by one step: removes unclaimed chunks from the queue and releases their holds; open
   * lookups of a cancelled batch become cancelled. Safe to repeat, from any process.
   */
  drain(batchId: number): Promise<Drain>;
  /** Lists paused or cancelled batches that are not drained, except those with running calls. */
  listUnsettled(): Promise<readonly number[]>;
}

/** The stores and timing that draining a batch needs. */
export interface ControlOptions {
  readonly control: BatchControl;
  /** Resolves after the delay; rejects with the signal's reason if it aborts first. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** Aborts the wait. The request remains, and a dispatcher drains the batch. */
  readonly signal: AbortSignal;
  /** Called while calls of this many chunks are still running. */
  readonly onWaiting: (chunks: number) => void;
}

/** Polling interval while calls are running. */
const askEveryMs = 100;

/**
 * Pauses a batch. When it resolves, no call of the batch is running, none starts until the batch is resumed, and its held
 * credits are released.
 *
 * @throws NotFound, or Conflict when the batch is finished or still being loaded.
 */
export async function pauseBatch(
  options: ControlOptions,
  batch: { readonly accountId: number; readonly publicId: string },
): Promise<void> {
  const { batchId } = await options.control.pause(batch.accountId, batch.publicId);
  await untilAtRest(options, batchId);
}

/**
 * Cancels a batch for good: its open lookups become cancelled, free of charge. When it resolves, no call of the batch is
 * running and none starts. Returns false when the batch was never loaded completely and was removed.
 *
 * @throws NotFound, or Conflict when the batch is finished or another process is loading it.
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
