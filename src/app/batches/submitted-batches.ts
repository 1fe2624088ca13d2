import type { Sql } from '../../../db/connection/client.ts';
import { createBatchRows } from '../../../db/stores/reports/batch-rows.ts';
import type { AccountLimitStore } from '../../core/accounts/account-limits.ts';
import type { SubmittedBatch } from '../../core/batches/batch-rows.ts';
import type { Operation } from '../../core/credits/price-book.ts';
import { ValidationError } from '../../core/errors.ts';
import { readFileLimits } from '../../producer/load/account-limits.ts';
import { readScheduleOfBatch, type CheckedScheduleFile } from '../../producer/preview/read-schedule-file.ts';

/** Batches as they were submitted, to schedule them. */
export interface SubmittedBatches {
  /**
   * Reads a batch that a schedule can repeat.
   *
   * @throws NotFound; Conflict for a batch that is still being loaded or whose rows are purged; ValidationError for one that searches no ads
   */
  read(accountId: number, publicId: string): Promise<SubmittedBatch>;
  /**
   * Converts the rows of a batch to the file of a schedule, and checks it.
   *
   * @throws as `readScheduleOfBatch` does
   */
  toScheduleFile(
    accountId: number,
    batch: SubmittedBatch,
    pricesMicro: Readonly<Record<Operation, bigint>>,
  ): Promise<CheckedScheduleFile>;
}

/** Creates the reader of submitted batches; `limits` are those of the files of each account. */
export function createSubmittedBatches(db: Sql, limits: AccountLimitStore): SubmittedBatches {
  const rows = createBatchRows(db);
  return {
    async read(accountId, publicId) {
      const batch = await rows.readSubmitted(accountId, publicId);
      if (batch.operations.includes('ads_search')) return batch;
      throw new ValidationError(
        `${publicId} only validates e-mail addresses. Choose a batch that searches ads of companies.`,
        { where: 'batch' },
      );
    },
    toScheduleFile: async (accountId, batch, pricesMicro) =>
      readScheduleOfBatch(rows, batch, { limits: await readFileLimits(limits, accountId), pricesMicro }),
  };
}
