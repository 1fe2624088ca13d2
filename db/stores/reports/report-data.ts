import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ReportData } from '../../../src/core/reports/report-data.ts';
import { readAtOnce, withDatabase } from '../../connection/client.ts';
import { readBatchData } from './batch-data.ts';
import { readScheduleData } from './schedule-data.ts';

/** Reads the data of reports, each in one repeatable-read transaction, so from one snapshot. */
export function createReportData(db: NodePgDatabase): ReportData {
  return {
    readBatch: (accountId, publicId, bounds) =>
      withDatabase(() =>
        readAtOnce(db, (transaction) => readBatchData(transaction, accountId, publicId, bounds)),
      ),
    readSchedule: (accountId, schedule, bounds) =>
      withDatabase(() =>
        readAtOnce(db, (transaction) => readScheduleData(transaction, accountId, schedule, bounds)),
      ),
  };
}
