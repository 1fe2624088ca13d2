import { sql } from 'drizzle-orm';
import type { BatchStore, LoadTotals, OpenedBatch } from '../../../src/core/batches/batch-store.ts';
import { failpoint } from '../../../src/core/failpoint.ts';
import type { Sql } from '../../connection/client.ts';
import { notifyWorkers } from '../../connection/notifier.ts';
import { holdOpenLimit } from '../accounts/account-limits.ts';
import { keepAnswer } from '../accounts/stored-responses.ts';
import { linkInboxFile } from '../inboxes/settle-file.ts';
import { linkScan } from '../schedules/prepare-scan.ts';
import { limitLookupSql } from '../sql/bounds.ts';
import { readSummary } from './batch-summaries.ts';

/** Makes a loaded batch runnable, with everything that belongs to its load, in the caller's transaction. */
export async function finishLoading(
  db: Sql,
  { batchId, accountId, publicId }: OpenedBatch,
  totals: LoadTotals,
  { kept = null, scanId = null, inboxFile = null }: NonNullable<Parameters<BatchStore['finishLoading']>[2]>,
): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.batches b SET state = 'running', state_since = now(), loaded_at = now(),
        rows_total = ${totals.rowsTotal}, rows_rejected = ${totals.rowsRejected}, extra_cells = ${totals.extraCells},
        is_current = is_current AND ${totals.staysJoinable}, lookups_total = ${totals.lookupsTotal},
        email_lookups_total = ${totals.emailLookupsTotal}, last_lookup_id = ${totals.lastLookupId},
        limit_lookup_id = CASE WHEN limit_rows IS NOT NULL THEN ${limitLookupSql} END
      WHERE id = ${batchId} AND state = 'loading'`,
  );
  await holdOpenLimit(db, accountId);
  if (scanId !== null) {
    await linkScan(db, scanId, batchId);
    failpoint('scan:linked');
  }
  if (inboxFile !== null) {
    await linkInboxFile(db, inboxFile, batchId);
    failpoint('inbox:linked');
  }
  if (kept !== null) await keepAnswer(db, kept, await readSummary(db, accountId, publicId));
  await notifyWorkers(db);
}
