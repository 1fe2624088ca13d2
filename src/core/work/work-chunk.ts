import type { Pause } from './wait-cause.ts';
import { failpoint } from '../failpoint.ts';
import { DatabaseUnavailable, EnrichError, LeaseLost } from '../errors.ts';
import type { AdsClaim, Claim, EmailClaim, PriorAnswer } from './claim.ts';
import type { Reschedule } from './reschedule.ts';
import type { Lease, LeaseKeeper } from './lease-keeper.ts';
import { ShutdownError } from '../async/shutdown-error.ts';
import { serverOutage } from './retry-policies.ts';
import type { WorkStore } from './work-store.ts';

/** Answers of sources for open lookups: these sources are not called, nor paid, again. */
export type PartialAnswers = Map<bigint, readonly PriorAnswer[]>;

/** The lease of a claim, and the answers for its open lookups, which the handler keeps up to date. */
export interface ChunkRun {
  readonly lease: Lease;
  readonly reported: PartialAnswers;
}

/** Works on the open lookups of a claim and commits their results. Returns when the chunk is due again; null when all are done. */
export type ChunkHandler<Claimed extends Claim> = (
  claim: Claimed,
  run: ChunkRun,
) => Promise<Reschedule | null>;

/** A batch that waits for its source, and the lookups whose tries the error used up. */
export interface BatchDeferral {
  readonly pause: Pause;
  readonly failedTries: readonly bigint[];
}

/** The parts of a worker that works on chunks. */
export interface ChunkWork {
  readonly work: WorkStore;
  readonly leases: LeaseKeeper;
  /** Lifetime of a claim without a renewal; milliseconds. */
  readonly leaseMs: number;
  readonly handlers: {
    readonly adsSearch: ChunkHandler<AdsClaim>;
    readonly emailValidation: ChunkHandler<EmailClaim>;
  };
  /** Hold of the batch after an error of a source; null if the error concerns one call. */
  readonly deferAfter: (error: EnrichError) => BatchDeferral | null;
}

/**
 * Runs one chunk: claims it, calls its sources, and commits their answers.
 *
 * A chunk that runs again skips finished lookups. Lookups that cannot be answered yet are rescheduled, also when the database was unavailable, as soon
 * as it is back. Any other error is thrown and lets the lease expire: such a start counts.
 */
export async function workChunk(options: ChunkWork, chunkId: number, generation: number): Promise<void> {
  const askedAtMs = performance.now();
  const claim = await options.work.claim(chunkId, generation, options.leaseMs);
  if (claim === null) return;
  failpoint('work:claimed');
  const lease = options.leases.keep(claim, askedAtMs);
  const reported: PartialAnswers = new Map();
  try {
    await answerClaim(options, claim, { lease, reported });
  } catch (error) {
    await lease.releaseClaim(() => endUnfinished(options, claim, error, reported));
  } finally {
    lease.release();
  }
  failpoint('work:chunk-done');
}

async function answerClaim({ work, handlers }: ChunkWork, claim: Claim, run: ChunkRun): Promise<void> {
  const reschedule = await (claim.operation === 'ads_search'
    ? handlers.adsSearch(claim, run)
    : handlers.emailValidation(claim, run));
  if (reschedule !== null) await work.release(claim, reschedule);
}

async function endUnfinished(
  options: ChunkWork,
  claim: Claim,
  error: unknown,
  reported: PartialAnswers,
): Promise<void> {
  if (error instanceof LeaseLost && !(error.cause instanceof DatabaseUnavailable)) return;
  if (error instanceof ShutdownError || error instanceof LeaseLost) {
    await options.work.release(claim, { delayMs: 0, failedTries: [], reported });
  } else if (error instanceof EnrichError) {
    await endFailed(options, claim, error, reported);
  } else {
    throw error;
  }
}

async function endFailed(
  { work, deferAfter }: ChunkWork,
  claim: Claim,
  error: EnrichError,
  reported: PartialAnswers,
): Promise<void> {
  const deferral = deferAfter(error);
  if (deferral !== null) {
    // The batch first, so that no dispatcher enqueues the chunk in between.
    if (claim.batchId !== null) await work.deferBatch(claim.batchId, deferral.pause);
    await work.release(claim, { delayMs: 0, failedTries: deferral.failedTries, reported });
  } else if (error.retry.kind === 'backoff') {
    await work.release(claim, { delayMs: serverOutage.delayMs, failedTries: [], reported });
  } else {
    throw error;
  }
}
