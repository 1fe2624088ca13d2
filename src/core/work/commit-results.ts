import { createBatcher } from '../async/batcher.ts';
import { settleAll } from '../async/under-way.ts';
import type { Claim } from './claim.ts';
import type { LookupResult, OutcomeStore } from './outcomes.ts';

/** Collects the results of a claim and commits them. */
export interface Commits {
  readonly add: (result: LookupResult) => void;
  /** Resolves when every result is committed. @throws the error of the first commit that failed. */
  readonly finish: () => Promise<void>;
}

/** Maximum number of results per commit. */
const resultsMax = 1000;

/**
 * Commits all results of a claim in one transaction at the end. `limit` bounds the number of such commits, because more of them
 * slow Postgres down (measured).
 */
export function commitAtOnce(
  outcomes: OutcomeStore,
  claim: Claim,
  limit: <T>(commit: () => Promise<T>) => Promise<T>,
): Commits {
  const results: LookupResult[] = [];
  return {
    add: (result) => void results.push(result),
    finish: async () => {
      if (results.length > 0) await limit(() => outcomes.commit(claim, results));
    },
  };
}

/** Commits each result as soon as it is known, together with others that arrive meanwhile. */
export function commitAsTheyCome(outcomes: OutcomeStore, claim: Claim): Commits {
  const commit = createBatcher<LookupResult, true>(resultsMax, async (results) => {
    await outcomes.commit(claim, results);
    return results.map(() => true as const);
  });
  const pending: Promise<unknown>[] = [];
  return {
    add: (result) => {
      const done = commit(result);
      // `finish` reports it; until then a failed commit must not count as unhandled.
      done.catch(() => undefined);
      pending.push(done);
    },
    finish: async () => void (await settleAll(pending)),
  };
}

/** Runs `work` and commits its results, even if it throws. */
export async function committing<T>(commits: Commits, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await commits.finish();
  }
}
