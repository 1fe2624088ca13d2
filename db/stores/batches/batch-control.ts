import { and, eq, ne, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type {
  BatchControl,
  Retried,
  RetryChoice,
  RetryPart,
} from '../../../src/core/batches/batch-control.ts';
import {
  movesFrom,
  type BatchBounds,
  type BatchMove,
  type BatchState,
  rowsArePurged,
} from '../../../src/core/batches/batch.ts';
import { rejectUnknownRows } from '../../../src/core/rows/parse-row-ranges.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { notifyWorkers } from '../../connection/notifier.ts';
import { batches } from '../../schema/batches.ts';
import { actAs } from '../sql/act-as.ts';
import { holdOpenLimit } from '../accounts/account-limits.ts';
import { limitReachedSql, maxSpendOf, maxSpendSql, setBounds, type MaxSpendRow } from '../sql/bounds.ts';
import { discardBatch } from './discard-batch.ts';
import { continueBatch, probeSources } from './resume-batch.ts';
import { retryLookups } from './retry-lookups.ts';
import { listUnsettled, drain } from './drain-batch.ts';

/** Store of people's actions on a batch; each action is one transaction. */
export function createBatchControl(db: NodePgDatabase, actor: string | null = null): BatchControl {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() =>
      db.transaction(async (transaction) => {
        await actAs(transaction, actor);
        return work(transaction);
      }),
    );
  return {
    actingAs: (other) => createBatchControl(db, other),
    pause: (accountId, publicId) => inTransaction((sql) => pause(sql, accountId, publicId)),
    cancel: (accountId, publicId) => inTransaction((sql) => cancel(sql, accountId, publicId)),
    resume: (accountId, publicId, bounds) => inTransaction((sql) => resume(sql, accountId, publicId, bounds)),
    retry: (accountId, publicId, choice, part = {}) =>
      inTransaction((sql) => retry(sql, { accountId, publicId, choice, part })),
    drain: (batchId) => inTransaction((sql) => drain(sql, batchId)),
    listUnsettled: () => withDatabase(() => listUnsettled(db)),
  };
}

interface LockedBatch {
  readonly batchId: number;
  readonly state: BatchState;
  readonly rowsTotal: number;
  readonly isLimitReached: boolean;
  readonly bounds: BatchBounds;
}

/** Locks the batch against other actions. @throws NotFound | Conflict when the action is not allowed. */
async function lockFor(db: Sql, move: BatchMove, accountId: number, publicId: string): Promise<LockedBatch> {
  const found = await db.execute<{
    id: string;
    state: BatchState;
    rows_total: number;
    limit_reached: boolean;
    limit_rows: number | null;
    max_credits_micro: string | null;
    max_spend: MaxSpendRow;
    purged_at: string | null;
  }>(
    sql`SELECT b.id, b.state, b.rows_total, ${limitReachedSql} AS limit_reached, b.limit_rows, b.max_credits_micro,
        ${maxSpendSql} AS max_spend, b.purged_at
      FROM nightshift.batches b WHERE b.account_id = ${accountId} AND b.public_id = ${publicId} AND b.deleted_at IS NULL FOR NO KEY UPDATE`,
  );
  const row = found.rows[0];
  if (row === undefined) {
    throw new NotFound(`There is no batch ${publicId}. \`nightshift status\` lists all batches.`);
  }
  if (!movesFrom[move].includes(row.state)) throw new Conflict(refusals[move](publicId, row.state));
  if (row.purged_at !== null) throw rowsArePurged(publicId, new Date(row.purged_at));
  return {
    batchId: Number(row.id),
    state: row.state,
    rowsTotal: row.rows_total,
    isLimitReached: row.limit_reached,
    bounds: {
      limitRows: row.limit_rows,
      maxCreditsMicro: row.max_credits_micro === null ? null : BigInt(row.max_credits_micro),
      ...maxSpendOf(row.max_spend),
    },
  };
}

const refusals: Readonly<Record<BatchMove, (publicId: string, state: BatchState) => string>> = {
  pause: (publicId, state) =>
    `${publicId} is ${state}: ${unavailableReason(state)}, so there is nothing to pause.`,
  resume: (publicId, state) =>
    `${publicId} is ${state}: ${unavailableReason(state)}, so there is nothing to resume.`,
  cancel: (publicId, state) =>
    `${publicId} is ${state}: ${unavailableReason(state)}, so there is nothing to cancel.`,
  retry: (publicId, state) =>
    state === 'cancelled'
      ? `${publicId} is cancelled for good. Load the file again to create a new batch.`
      : `${publicId} is ${state}: failed companies can be retried when it is finished.`,
};

function unavailableReason(state: BatchState): string {
  return state === 'loading' ? 'its file is not read to the end' : 'it is over';
}

async function pause(db: Sql, accountId: number, publicId: string): Promise<{ batchId: number }> {
  const { batchId } = await lockFor(db, 'pause', accountId, publicId);
  await db
    .update(batches)
    .set({ state: 'paused', stateReason: 'by request', stateSince: sql`now()` })
    .where(and(eq(batches.id, batchId), ne(batches.state, 'paused')));
  return { batchId };
}

async function cancel(db: Sql, accountId: number, publicId: string): Promise<{ batchId: number | null }> {
  const { batchId, state } = await lockFor(db, 'cancel', accountId, publicId);
  if (state === 'loading') {
    await discardBatch(db, batchId);
    return { batchId: null };
  }
  await db
    .update(batches)
    .set({ state: 'cancelled', stateReason: null, stateSince: sql`now()` })
    .where(and(eq(batches.id, batchId), ne(batches.state, 'cancelled')));
  return { batchId };
}

const waitingStates: readonly BatchState[] = ['waiting_for_credits', 'waiting_for_source', 'paused'];

async function resume(
  db: Sql,
  accountId: number,
  publicId: string,
  changes: Partial<BatchBounds>,
): Promise<void> {
  const { batchId, bounds, isLimitReached } = await lockFor(db, 'resume', accountId, publicId);
  const lifted = isLimitReached ? { ...bounds, limitRows: null } : bounds;
  await probeSources(db, batchId, waitingStates);
  await setBounds(db, batchId, { ...lifted, ...changes });
  await continueBatch(db, batchId, waitingStates);
  await notifyWorkers(db);
}

async function retry(db: Sql, { accountId, publicId, choice, part }: RetryRequest): Promise<Retried> {
  const { batchId, rowsTotal } = await lockFor(db, 'retry', accountId, publicId);
  if (choice === 'mapped' || part.unidentified === true) await rejectScan(db, batchId, publicId);
  rejectUnknownRows(part.rows ?? null, rowsTotal);
  const counts = await retryLookups(db, batchId, choice, part);
  if (part.isDryRun !== true) {
    await holdOpenLimit(db, accountId);
    await notifyWorkers(db);
  }
  return { batchId, ...counts };
}

interface RetryRequest {
  readonly accountId: number;
  readonly publicId: string;
  readonly choice: RetryChoice;
  readonly part: RetryPart;
}

/** @throws Conflict for the batch of a scan, whose changes are evaluated once */
async function rejectScan(db: Sql, batchId: number, publicId: string): Promise<void> {
  const found = await db.execute(sql`SELECT FROM nightshift.scans WHERE batch_id = ${batchId} LIMIT 1`);
  if (found.rows.length === 0) return;
  throw new Conflict(`${publicId} is a scan of a schedule. The next scan of the schedule uses the mapping.`);
}
