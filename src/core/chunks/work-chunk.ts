import { askSources, type Deferred } from '../search/ask-sources.ts';
import { waitEachTime } from '../search/wait-budget.ts';
import { callOptionsFor, type SearchContext } from '../search/search-context.ts';
import { pauseAfter, HalfOpenRejected } from '../search/source-errors.ts';
import { createBatcher } from '../async/batcher.ts';
import { failpoint } from '../failpoint.ts';
import { validateClaim } from '../validation/validate-claim.ts';
import type { EmailValidator } from '../validation/validate-email.ts';
import { EnrichError, LeaseLost, SourceThrottled } from '../errors.ts';
import type { LookupResult, OutcomeStore } from '../lookups/outcomes.ts';
import { settleAll } from '../async/under-way.ts';
import type { AdsClaim, Claim, PriorAnswer, EmailClaim } from '../lookups/claim.ts';
import type { Reschedule } from '../work/reschedule.ts';
import type { Lease } from '../work/lease-keeper.ts';
import { ShutdownError } from '../async/shutdown-error.ts';
import { serverOutage, sourceFailureDelayMs } from '../work/retry-policies.ts';
import type { WorkStore } from '../work/work-store.ts';

export interface ChunkWork extends SearchContext {
  readonly work: WorkStore;
  readonly validator: Pick<EmailValidator, 'validate'>;
  readonly now: () => Date;
  /** A number from 0 up to 1, for the jitter of the next try. */
  readonly random: () => number;
  /** Lets so many commits of whole chunks run at a time: with more of them Postgres is slower, not faster (measured). */
  readonly commitLimit: <T>(commit: () => Promise<T>) => Promise<T>;
}

/**
 * A turn at a source further away than a minute gives the chunk back instead of holding a worker
 * (docs/architecture/decisions/0006-rate-limits.md).
 */
const waitBudget = waitEachTime(60_000);

/**
 * Works on one chunk: claims it, asks its sources, and commits what they say.
 *
 * With a live source, and of addresses, every answer is committed as it comes; local and batched sources commit the chunk at once
 * (docs/architecture/decisions/0005-chunks.md). A chunk that runs again skips what is finished. What cannot be answered yet goes back with
 * a delay. Anything unexpected is thrown and leaves the claim to lapse: such a start counts.
 */
export async function workChunk(options: ChunkWork, chunkId: number, generation: number): Promise<void> {
  const askedAtMs = performance.now();
  const claim = await options.work.claim(chunkId, generation, options.leaseMs);
  if (claim === null) return;
  failpoint('work:claimed');
  const lease = options.leases.keep(claim, askedAtMs);
  const reported: PartialAnswers = new Map();
  try {
    await answerClaim(options, claim, lease, reported);
  } catch (error) {
    await endUnfinished(options, claim, error, reported);
  } finally {
    lease.release();
  }
  failpoint('work:chunk-done');
}

/** Answers of sources for lookups that are still open: these sources are not called, nor paid, again. */
type PartialAnswers = Map<bigint, readonly PriorAnswer[]>;

async function answerClaim(
  options: ChunkWork,
  claim: Claim,
  lease: Lease,
  reported: PartialAnswers,
): Promise<void> {
  const reschedule = await (claim.operation === 'ads_search'
    ? searchCompanies(options, claim, lease, reported)
    : validateAddresses(options, claim, lease));
  if (reschedule !== null) await options.work.release(claim, reschedule);
}

async function searchCompanies(
  options: ChunkWork,
  claim: AdsClaim,
  lease: Lease,
  reported: PartialAnswers,
): Promise<Reschedule | null> {
  const sources = await options.sourcesFor(claim);
  const commits = sources.every((source) => source.kind !== 'live')
    ? commitAtOnce(options, claim)
    : commitAsTheyCome(options.outcomes, claim);
  const deferred = await committing(commits, () =>
    askSources(sources, claim.lookups, {
      ...callOptionsFor(options, claim),
      waitBudget,
      comesBack: true,
      lease,
      via: [],
      onPartialAnswer: (view) => {
        if (view.reported.length > 0) reported.set(view.lookup.lookupId, view.reported);
      },
      onResult: (result) => {
        reported.delete(result.lookupId);
        commits.add(result);
      },
    }),
  );
  return deferred.length === 0 ? null : { ...rescheduleFor(deferred, claim, options.random), reported };
}

async function validateAddresses(
  options: ChunkWork,
  claim: EmailClaim,
  { turnSignal: signal }: Lease,
): Promise<Reschedule | null> {
  const commits = commitAsTheyCome(options.outcomes, claim);
  return committing(commits, () =>
    validateClaim(claim, { validator: options.validator, now: options.now, signal, onResult: commits.add }),
  );
}

/** Whatever becomes of the work, what has come back is committed. */
async function committing<T>(commits: Commits, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await commits.finish();
  }
}

/** Collects results and writes them down; `finish` resolves when all that were added are committed, or throws. */
interface Commits {
  readonly add: (result: LookupResult) => void;
  readonly finish: () => Promise<void>;
}

function commitAtOnce({ outcomes, commitLimit }: ChunkWork, claim: Claim): Commits {
  const results: LookupResult[] = [];
  return {
    add: (result) => void results.push(result),
    finish: async () => {
      if (results.length > 0) await commitLimit(() => outcomes.commit(claim, results));
    },
  };
}

function commitAsTheyCome(outcomes: OutcomeStore, claim: Claim): Commits {
  const commit = createBatcher<LookupResult, true>(1000, async (results) => {
    await outcomes.commit(claim, results);
    return results.map(() => true as const);
  });
  const pending: Promise<unknown>[] = [];
  return {
    add: (result) => {
      const done = commit(result);
      // Looked at in `finish`; until then a failed commit must not count as unhandled.
      done.catch(() => undefined);
      pending.push(done);
    },
    finish: async () => void (await settleAll(pending)),
  };
}

async function endUnfinished(
  { work, asking }: ChunkWork,
  claim: Claim,
  error: unknown,
  reported: PartialAnswers,
): Promise<void> {
  if (error instanceof LeaseLost) return;
  if (error instanceof ShutdownError) {
    await work.release(claim, { delayMs: 0, failedTries: [], reported });
  } else if (error instanceof EnrichError) {
    await endFailed({ work, asking }, claim, error, reported);
  } else {
    throw error;
  }
}

async function endFailed(
  { work, asking }: Pick<ChunkWork, 'work' | 'asking'>,
  claim: Claim,
  error: EnrichError,
  reported: PartialAnswers,
): Promise<void> {
  const pause = pauseAfter(error, asking.refusedWaitMs);
  if (pause !== null) {
    // First the batch, so that no dispatcher puts the chunk in again in between.
    if (claim.batchId !== null) await work.holdBatch(claim.batchId, pause);
    const failedTries = error instanceof HalfOpenRejected ? [error.lookupId] : [];
    await work.release(claim, { delayMs: 0, failedTries, reported });
  } else if (error.retry.kind === 'backoff') {
    // Our own database or queue is away. The start does not count, once the database is there to be told so.
    await work.release(claim, { delayMs: serverOutage.delayMs, failedTries: [], reported });
  } else {
    throw error;
  }
}

/** When a chunk comes back: as soon as a throttled source allows, but not before the backoff of lookups that failed. */
function rescheduleFor(deferred: readonly Deferred[], claim: AdsClaim, random: () => number): Reschedule {
  const failed = deferred
    .filter(({ error }) => !(error instanceof SourceThrottled))
    .map(({ lookupId }) => lookupId);
  const asked = deferred.map(({ error }) => (error.retry.kind === 'after' ? error.retry.delayMs : 0));
  const tries = Math.max(...claim.lookups.map((lookup) => lookup.tries));
  const backoffMs = failed.length === 0 ? 0 : sourceFailureDelayMs(tries, random());
  return { delayMs: Math.max(backoffMs, ...asked), failedTries: failed };
}
