import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { BatchStore, LoadTotals, NewBatch, OpenedBatch } from '../../../src/core/batches/batch-store.ts';
import { failpoint } from '../../../src/core/failpoint.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { newId } from '../../../src/core/ids.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import { cancelOnAbort } from '../../connection/cancel-on-abort.ts';
import { withDatabase, type Database, type Sql } from '../../connection/client.ts';
import { waitForLock, type OnWait } from '../../locks/wait-for-lock.ts';
import { notifyWorkers } from '../../connection/notifier.ts';
import { batches } from '../../schema/batches.ts';
import { actAs } from '../sql/act-as.ts';
import { holdOpenLimit } from '../accounts/account-limits.ts';
import { appendRows } from './append-rows.ts';
import { packRows } from './pack-rows.ts';
import { listSummaries, readSummary } from './batch-summaries.ts';
import { readAbandonedMs } from './abandoned-work.ts';
import { limitLookupSql, setBounds } from '../sql/bounds.ts';
import { deleteLoading } from './discard-batch.ts';
import { listSubjects, readLoadProgress } from './load-progress.ts';
import { keepAnswer } from '../accounts/stored-responses.ts';
import { resumeBatch } from './resume-batch.ts';
import { takeLookupIds } from '../sql/lookup-ids.ts';
import { linkInboxFile } from '../inboxes/settle-file.ts';
import { linkScan } from '../schedules/prepare-scan.ts';

/** Batches, rows and lookups in Postgres. */
export function createBatchStore(database: Database): BatchStore {
  const { sql: db } = database;
  return {
    withBatch: (batch, { again, ...waiting }, load) =>
      withLoadLock(database, batch, waiting, () => openBatch(db, batch, { again }).then(load)),
    readLoadProgress: (batchId) => withDatabase(() => readLoadProgress(db, batchId)),
    listSubjects: (batchId) => listSubjects(db, batchId),
    takeLookupIds: () => withDatabase(() => takeLookupIds(db)),
    packRows: ({ batchId }, rows) => packRows(batchId, rows),
    appendRows: (opened, block) => withDatabase(() => appendRows(database, opened, block)),
    finishLoading: (opened, totals, effects = {}) =>
      withDatabase(() =>
        db.transaction((transaction) => finishLoading(transaction, opened, totals, effects)),
      ),
    discard: (batchId) => withDatabase(() => db.transaction((transaction) => discard(transaction, batchId))),
    setBounds: (batchId, bounds) =>
      withDatabase(() => db.transaction((transaction) => setBounds(transaction, batchId, bounds))),
    wake: (batchId) =>
      withDatabase(() => resumeBatch(db, batchId, ['waiting_for_credits', 'waiting_for_source'])),
    readAbandonedMs: (batchId, leaseMs) => withDatabase(() => readAbandonedMs(db, batchId, leaseMs)),
    readSummary: (accountId, publicId) => withDatabase(() => readSummary(db, accountId, publicId)),
    listSummaries: (accountId, limit, before) =>
      withDatabase(() => listSummaries(db, accountId, limit, before)),
  };
}

/** A session lock, which ends with its process, however that ends. */
async function withLoadLock<T>(
  { pool }: Database,
  batch: NewBatch,
  { onWait, signal }: { readonly onWait?: OnWait | undefined; readonly signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const client = await withDatabase(() => pool.connect());
  try {
    const wait = () =>
      waitForLock(drizzle(client), [advisoryLocks.batchLoad, batch.identity.readInt32BE(0)], {
        lasts: 'session',
        reason: 'another process is loading the same file',
        onWait,
      });
    await withDatabase(() => cancelOnAbort(pool, client, { signal, work: wait }));
    return await work();
  } finally {
    client.release(true);
  }
}

async function openBatch(
  db: NodePgDatabase,
  batch: NewBatch,
  { again }: { again: boolean },
): Promise<OpenedBatch> {
  return withDatabase(() =>
    db.transaction(async (transaction) => {
      await actAs(transaction, batch.by ?? null);
      const current = again ? null : await findCurrent(transaction, batch);
      if (current !== null) return current;
      await transaction.update(batches).set({ isCurrent: false }).where(isCurrent(batch));
      return insertBatch(transaction, batch);
    }),
  );
}

async function findCurrent(db: Sql, batch: NewBatch): Promise<OpenedBatch | null> {
  const { id: batchId, publicId, accountId, state } = batches;
  const [current] = await db
    .select({ batchId, publicId, accountId, state })
    .from(batches)
    .where(and(isCurrent(batch), ne(state, 'cancelled')));
  return current === undefined ? null : { ...current, isNew: false };
}

/** Condition on the batch that the same file continues. */
function isCurrent({ accountId, identity }: NewBatch): SQL | undefined {
  return and(eq(batches.accountId, accountId), eq(batches.identity, identity), batches.isCurrent);
}

async function insertBatch(db: Sql, batch: NewBatch): Promise<OpenedBatch> {
  const { accountId, fileName, sheet, identity, contentSha256, operations } = batch;
  const { header, columnMap, sources, search } = batch;
  const publicId = newId('bat', Date.now());
  const [inserted] = await db
    .insert(batches)
    .values({
      publicId,
      accountId,
      fileName,
      sheet,
      identity,
      contentSha256,
      operations,
      header,
      columnMap,
      sources,
      search,
      dispatchedTo: startOf('ads_search', batch),
      emailsDispatchedTo: startOf('email_validation', batch),
    })
    .returning({ batchId: batches.id });
  if (inserted === undefined) throw new Error('A batch was inserted and not answered.');
  return { ...inserted, publicId, accountId, state: 'loading', isNew: true };
}

/** An operation that the batch lacks counts as dispatched. */
function startOf(operation: Operation, { operations }: NewBatch): bigint {
  return operations.includes(operation) ? 0n : 2n ** 63n - 1n;
}

async function finishLoading(
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

async function discard(db: Sql, batchId: number): Promise<void> {
  const [found] = await db
    .select({ id: batches.id })
    .from(batches)
    .where(and(eq(batches.id, batchId), eq(batches.state, 'loading')))
    .for('update');
  if (found !== undefined) await deleteLoading(db, batchId);
}
