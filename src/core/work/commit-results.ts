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

/** Commits that go to Postgres together. */
const resultsMax = 1000;

/** Commits all results of a claim in one transaction at the end. `limit` bounds such commits: with more of them Postgres is slower (measured). */
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

/** Commits each result as it comes, together with those that come meanwhile. */
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

/** Runs `work` and commits the results that came, also when it throws. */
export async function committing<T>(commits: Commits, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await commits.finish();
  }
}
