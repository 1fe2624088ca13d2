import type { Sql } from '../../../db/connection/client.ts';
import { createBatchRows } from '../../../db/stores/reports/batch-rows.ts';
import type { SearchOptions } from '../../core/ads/ads-answer.ts';
import type { BatchLabelChanges } from '../../core/batches/batch-labels.ts';
import type { LoadedBatch, LoadOptions } from '../../producer/load/load-batch.ts';
import { submittedFile } from '../../producer/load/submitted-file.ts';
import type { BatchLoader } from './batch-loader.ts';

/** Options of a batch that is run again. */
export interface RunAgainOptions extends Pick<
  LoadOptions,
  'bounds' | 'by' | 'joinedBy' | 'kept' | 'onProgress' | 'onWait' | 'signal'
> {
  /** Labels of the new batch. Default: those of the earlier one. */
  readonly labels: BatchLabelChanges;
  /** Maximum age of an answer that is reused, in milliseconds; null: none. Default: as for the earlier batch. */
  readonly ageMsMax?: number | null;
  /** Checks the sources before rows are stored. @throws any error that prevents the search */
  readonly check: (sources: readonly string[], search: SearchOptions) => Promise<void>;
}

/**
 * Runs the rows of a batch again, as a new batch with the same columns, operations, sources and search.
 *
 * @throws NotFound, Conflict for a batch that is still being loaded or whose rows are purged, and what the loader throws
 */
export type RunAgain = (
  accountId: number,
  publicId: string,
  options: RunAgainOptions,
) => Promise<LoadedBatch>;

/** Creates the function that runs batches again: it loads the submitted rows like a file. */
export function createRunAgain(db: Sql, load: BatchLoader): RunAgain {
  const rows = createBatchRows(db);
  return async (accountId, publicId, { labels, check, ageMsMax, ...options }) => {
    const batch = await rows.readSubmitted(accountId, publicId);
    const search = ageMsMax === undefined ? batch.search : { ...batch.search, ageMsMax };
    return load({
      ...options,
      ...submittedFile(rows, batch),
      accountId,
      async sources() {
        await check(batch.sources, search);
        return batch.sources;
      },
      search,
      labels: {
        ...(batch.name === null ? {} : { name: batch.name }),
        tags: batch.tags,
        ...labels,
        origin: 'run_again',
        runOf: batch.batchId,
      },
      again: true,
    });
  };
}
