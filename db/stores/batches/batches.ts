import { and, eq, ne, type SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { BatchStore, NewBatch, OpenedBatch } from '../../../src/core/batches/batch-store.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { newId } from '../../../src/core/ids.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import { cancelOnAbort } from '../../connection/cancel-on-abort.ts';
import { withDatabase, type Database, type Sql } from '../../connection/client.ts';
import { waitForLock, type OnWait } from '../../locks/wait-for-lock.ts';
import { batches } from '../../schema/batches.ts';
import { actAs } from '../sql/act-as.ts';
import { appendRows } from './append-rows.ts';
import { countBatches } from './batch-filter.ts';
import { deleteBatch, labelBatch } from './batch-labels.ts';
import { packRows } from './pack-rows.ts';
import { listSummaries, readSummary } from './batch-summaries.ts';
import { findNamedBatches } from './find-named.ts';
import { readAbandonedMs } from './abandoned-work.ts';
import { setBounds } from '../sql/bounds.ts';
import { discardLoading } from './discard-batch.ts';
import { finishLoading } from './finish-loading.ts';
import { listSubjects, readLoadProgress } from './load-progress.ts';
import { resumeBatch } from './resume-batch.ts';
import { takeLookupIds } from '../sql/lookup-ids.ts';

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
    discard: (batchId) =>
      withDatabase(() => db.transaction((transaction) => discardLoading(transaction, batchId))),
    setBounds: (batchId, bounds) =>
      withDatabase(() => db.transaction((transaction) => setBounds(transaction, batchId, bounds))),
    wake: (batchId) =>
      withDatabase(() => resumeBatch(db, batchId, ['waiting_for_credits', 'waiting_for_source'])),
    readAbandonedMs: (batchId, leaseMs) => withDatabase(() => readAbandonedMs(db, batchId, leaseMs)),
    ...createBatchPages(db),
    label: (accountId, publicId, changes) =>
      withDatabase(async () => {
        await labelBatch(db, accountId, publicId, changes);
        return readSummary(db, accountId, publicId);
      }),
    delete: (accountId, publicId) =>
      withDatabase(() => db.transaction((transaction) => deleteBatch(transaction, accountId, publicId))),
    findNamed: (accountId, name, limit) => withDatabase(() => findNamedBatches(db, accountId, name, limit)),
  };
}

/** The summaries of batches alone. */
export function createBatchPages(
  db: Sql,
): Pick<BatchStore, 'readSummary' | 'listSummaries' | 'countBatches'> {
  return {
    readSummary: (accountId, publicId) => withDatabase(() => readSummary(db, accountId, publicId)),
    listSummaries: (accountId, limit, before, filter) =>
      withDatabase(() => listSummaries(db, accountId, limit, before, filter)),
    countBatches: (accountId, filter) => withDatabase(() => countBatches(db, accountId, filter)),
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
  const { header, columnMap, sources, search, name, tags, origin, by, runOf, delimiter } = batch;
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
      ...(name === undefined ? {} : { name }),
      ...(tags === undefined ? {} : { tags: [...tags] }),
      ...{ origin, createdBy: by, runOf, delimiter },
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
