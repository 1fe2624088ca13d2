import { SourceThrottled } from '../errors.ts';
import { commitAsTheyCome, commitAtOnce, committing } from '../work/commit-results.ts';
import type { ChunkHandler } from '../work/work-chunk.ts';
import type { AdsClaim } from '../work/claim.ts';
import type { Reschedule } from '../work/reschedule.ts';
import { sourceFailureDelayMs } from '../work/retry-policies.ts';
import { askSources, type Deferred } from './ask-sources.ts';
import { callOptionsFor, type SearchContext } from './search-context.ts';
import { waitEachTime } from './wait-budget.ts';

/** The parts of the handler beside those of every search. */
export interface SearchHandlerOptions extends SearchContext {
  /** A number from 0 to below 1, for the jitter of the next try. */
  readonly random: () => number;
  /** Limits the concurrent commits of whole chunks. */
  readonly commitLimit: <T>(commit: () => Promise<T>) => Promise<T>;
}

/**
 * Length of the line of a source, and maximum wait for each reservation, in milliseconds: a longer one reschedules the chunk instead of holding a worker
 * (docs/architecture/decisions/0006-rate-limits.md).
 */
export const batchWaitMsMax = 60_000;

const waitBudget = waitEachTime(batchWaitMsMax);

/**
 * Creates the handler of chunks of companies.
 *
 * With a live source every answer is committed as it comes; local and batched sources commit the chunk at once
 * (docs/architecture/decisions/0005-chunks.md).
 */
export function createSearchHandler(options: SearchHandlerOptions): ChunkHandler<AdsClaim> {
  return async (claim, { lease, reported }) => {
    const [sources, callOptions] = await Promise.all([
      options.sourcesFor(claim),
      callOptionsFor(options, claim),
    ]);
    const commits = sources.every((source) => source.kind !== 'live')
      ? commitAtOnce(options.outcomes, claim, options.commitLimit)
      : commitAsTheyCome(options.outcomes, claim);
    const deferred = await committing(commits, () =>
      askSources(sources, claim.lookups, {
        ...callOptions,
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
  };
}

/** Due as soon as a throttled source allows, but not before the backoff of the failed lookups. */
function rescheduleFor(deferred: readonly Deferred[], claim: AdsClaim, random: () => number): Reschedule {
  const failed = deferred
    .filter(({ error }) => !(error instanceof SourceThrottled))
    .map(({ lookupId }) => lookupId);
  const asked = deferred.map(({ error }) => (error.retry.kind === 'after' ? error.retry.delayMs : 0));
  const tries = Math.max(...claim.lookups.map((lookup) => lookup.tries));
  const backoffMs = failed.length === 0 ? 0 : sourceFailureDelayMs(tries, random());
  return { delayMs: Math.max(backoffMs, ...asked), failedTries: failed };
}
