import pLimit from 'p-limit';
import type { AccountLimitStore } from '../../core/accounts/account-limits.ts';
import type { BatchStore } from '../../core/batches/batch-store.ts';
import { readFileLimits } from '../../producer/load/account-limits.ts';
import { loadBatch, type LoadedBatch, type LoadOptions } from '../../producer/load/load-batch.ts';

/** Loads a batch within the limits of its account; at most 4 at a time, because each uses several connections. */
export type BatchLoader = (options: LoadOptions) => Promise<LoadedBatch>;

/** Creates the loader of batches. */
export function createBatchLoader(store: BatchStore, limits: AccountLimitStore): BatchLoader {
  const limitLoads = pLimit(loadsMax);
  return (options) => limitLoads(async () => loadBatch(store, await withinLimits(limits, options)));
}

/** Maximum number of batches that one process loads at a time. */
const loadsMax = 4;

/** Adds the limits of the account to the reading options. */
async function withinLimits(limits: AccountLimitStore, options: LoadOptions): Promise<LoadOptions> {
  const own = await readFileLimits(limits, options.accountId);
  return { ...options, reading: { ...options.reading, limits: { ...options.reading.limits, ...own } } };
}
