import { createAtomicBatcher, type AtomicBatcherOptions } from '../../src/core/async/atomic-batcher.ts';
import { DatabaseUnavailable } from '../../src/core/errors.ts';
import { withDatabase } from './client.ts';

/** Maximum number of callers that share a call: some 100 ms of work for the largest, a commit. */
const callersMax = 100;

/**
 * Combines the calls of callers that wait at the same moment into one statement or transaction; a caller that is alone never waits. If it
 * fails, each caller's part is repeated alone: one with an error must not fail the others. An unavailable database fails all of them.
 *
 * `start` and `letNext` are those of `createBatcher`.
 */
export function shareCalls<Item, Result>(
  work: (items: readonly Item[], letNext: () => void) => Promise<readonly Result[]>,
  { start }: Pick<AtomicBatcherOptions<Item, Result>, 'start'> = {},
): (item: Item) => Promise<Result> {
  return createAtomicBatcher<Item, Result>({
    itemsMax: callersMax,
    ...(start === undefined ? {} : { start }),
    work: (items, letNext) => withDatabase(() => work(items, letNext)),
    concernsAll: (error) => error instanceof DatabaseUnavailable,
  });
}
