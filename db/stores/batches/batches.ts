import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type {
  BatchStore,
  LoadProgress,
  LoadTotals,
  NewBatch,
  OpenedBatch,
  StoredSubject,
} from '../../../src/core/batches/batch-store.ts';
import type { BatchState } from '../../../src/core/batches/batch.ts';
import { failpoint } from '../../../src/core/failpoint.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { newId } from '../../../src/core/ids.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import { cancelOnAbort } from '../../connection/cancel-on-abort.ts';
import { withDatabase, type Database, type Sql } from '../../connection/client.ts';
import { waitForLock, type OnWait } from '../../locks/wait-for-lock.ts';
import { notifyWorkers } from '../../connection/notifier.ts';
import { actAs } from '../sql/act-as.ts';
import { holdOpenLimit } from '../accounts/account-limits.ts';
import { appendRows } from './append-rows.ts';
import { texts } from '../sql/arrays.ts';
import { listSummaries, readSummary } from './batch-summaries.ts';
import { readAbandonedMs } from './abandoned-work.ts';
import { limitLookupSql, setBounds } from '../sql/bounds.ts';
import { deleteLoading } from './discard-batch.ts';
import { keepAnswer } from '../accounts/stored-responses.ts';
import { resumeBatch } from './resume-batch.ts';
import { takeLookupIds } from '../sql/lookup-ids.ts';
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

/** A session's lock, so that it ends with its process, however that ends. */
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
      await transaction.execute(
        sql`UPDATE nightshift.batches SET is_current = false
          WHERE account_id = ${batch.accountId} AND identity = ${batch.identity} AND is_current`,
      );
      return insertBatch(transaction, batch);
    }),
  );
}

async function findCurrent(db: Sql, batch: NewBatch): Promise<OpenedBatch | null> {
  const found = await db.execute<{ id: string; public_id: string; state: BatchState }>(
    sql`SELECT id, public_id, state FROM nightshift.batches
      WHERE account_id = ${batch.accountId} AND identity = ${batch.identity} AND is_current AND state <> 'cancelled'`,
  );
  const row = found.rows[0];
  if (row === undefined) return null;
  return {
    batchId: Number(row.id),
    publicId: row.public_id,
    accountId: batch.accountId,
    state: row.state,
    isNew: false,
  };
}

async function insertBatch(db: Sql, batch: NewBatch): Promise<OpenedBatch> {
  const publicId = newId('bat', Date.now());
  const inserted = await db.execute<{ id: string }>(
    sql`INSERT INTO nightshift.batches (public_id, account_id, file_name, identity, content_sha256, operations, header,
        column_map, sources, search, dispatched_to, emails_dispatched_to)
      VALUES (${publicId}, ${batch.accountId}, ${batch.fileName}, ${batch.identity}, ${batch.contentSha256},
        ${texts(batch.operations)}, ${texts(batch.header)}, ${JSON.stringify(batch.columnMap)}::jsonb,
        ${texts(batch.sources)}, ${JSON.stringify(batch.search)}::jsonb, ${startOf('ads_search', batch)}, ${startOf('email_validation', batch)})
      RETURNING id`,
  );
  const batchId = Number(inserted.rows[0]?.id);
  return { batchId, publicId, accountId: batch.accountId, state: 'loading', isNew: true };
}

/** An operation that the batch lacks is dispatched for ever. */
function startOf(operation: Operation, { operations }: NewBatch): bigint {
  return operations.includes(operation) ? 0n : 2n ** 63n - 1n;
}

async function readLoadProgress(db: Sql, batchId: number): Promise<LoadProgress> {
  const counts = await db.execute<{ rows: number; rejected: number; extra: number }>(
    sql`SELECT count(*)::integer AS rows, (count(*) FILTER (WHERE reject_reason IS NOT NULL))::integer AS rejected,
        greatest(coalesce(max(cardinality(r.cells)), 0) - max(cardinality(b.header)), 0)::integer AS extra
      FROM nightshift.batch_rows r JOIN nightshift.batches b ON b.id = r.batch_id WHERE r.batch_id = ${batchId}`,
  );
  return {
    rowsStored: counts.rows[0]?.rows ?? 0,
    rowsRejected: counts.rows[0]?.rejected ?? 0,
    extraCells: counts.rows[0]?.extra ?? 0,
  };
}

const subjectsPerPage = 10_000;

async function* listSubjects(db: Sql, batchId: number): AsyncGenerator<readonly StoredSubject[]> {
  let last = 0n;
  for (;;) {
    const page = await withDatabase(() =>
      db.execute<{ operation: Operation; subject_key: string; id: string }>(
        sql`SELECT operation, subject_key, id FROM nightshift.lookups WHERE batch_id = ${batchId} AND id > ${last}
          ORDER BY id LIMIT ${subjectsPerPage}`,
      ),
    );
    if (page.rows.length === 0) return;
    yield page.rows.map((row) => ({
      operation: row.operation,
      key: row.subject_key,
      lookupId: BigInt(row.id),
    }));
    last = BigInt(page.rows.at(-1)?.id ?? 0);
  }
}

async function finishLoading(
  db: Sql,
  { batchId, accountId, publicId }: OpenedBatch,
  totals: LoadTotals,
  { kept = null, scanId = null }: NonNullable<Parameters<BatchStore['finishLoading']>[2]>,
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
  if (kept !== null) await keepAnswer(db, kept, await readSummary(db, accountId, publicId));
  await notifyWorkers(db);
}

async function discard(db: Sql, batchId: number): Promise<void> {
  const found = await db.execute(
    sql`SELECT 1 FROM nightshift.batches WHERE id = ${batchId} AND state = 'loading' FOR UPDATE`,
  );
  if (found.rows.length > 0) await deleteLoading(db, batchId);
}
