import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ReportFacts } from '../../../src/core/reports/report-data.ts';
import { readAtOnce, withDatabase } from '../../client.ts';
import { readBatchFacts } from './batch-data.ts';
import { readScheduleFacts } from './schedule-data.ts';

/** Reads what reports tell, each in one repeatable-read transaction: what is read is of one moment. */
export function createReportFacts(db: NodePgDatabase): ReportFacts {
  return {
    readBatch: (accountId, publicId, bounds) =>
      withDatabase(() =>
        readAtOnce(db, (transaction) => readBatchFacts(transaction, accountId, publicId, bounds)),
      ),
    readSchedule: (accountId, schedule, bounds) =>
      withDatabase(() =>
        readAtOnce(db, (transaction) => readScheduleFacts(transaction, accountId, schedule, bounds)),
      ),
  };
}
