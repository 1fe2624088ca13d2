import { and, eq, isNotNull, or, sql, type SQL } from 'drizzle-orm';
import {
  noLimits,
  weightDefault,
  type AccountLimits,
  type AccountLimitStore,
  type CallerLimits,
} from '../../../src/core/accounts/account-limits.ts';
import { LimitReached } from '../../../src/core/errors.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { accountLimits, accounts, accountSourceLimits } from '../../schema/accounts.ts';
import { endedSql } from '../sql/chunk-counts.ts';

/** Limits in `nightshift.account_limits`. */
export function createAccountLimitStore(db: Sql): AccountLimitStore {
  return {
    read: (accountId) => withDatabase(() => readLimits(db, accountId)),
    readOfCaller: (accountId) => withDatabase(() => readOfCaller(db, accountId)),
    requireRoom: (accountId) =>
      withDatabase(async () => {
        const { openLookups: most } = await readLimits(db, accountId);
        if (most === null) return;
        const open = await countOpen(db, accountId);
        if (open >= most) throw full(open, most);
      }),
  };
}

async function readLimits(db: Sql, accountId: number): Promise<AccountLimits> {
  const { requestsPerMinute, openLookups, rowsPerBatch, weight } = accountLimits;
  const [limits] = await db
    .select({ requestsPerMinute, openLookups, rowsPerBatch, weight })
    .from(accountLimits)
    .where(eq(accountLimits.accountId, accountId));
  return limits ?? noLimits;
}

async function readOfCaller(db: Sql, accountId: number): Promise<CallerLimits> {
  const { source, concurrency, callsPerDay } = accountSourceLimits;
  const rows = await db
    .select({ weight: accountLimits.weight, atSource: { source, concurrency, callsPerDay } })
    .from(accounts)
    .leftJoin(accountLimits, eq(accountLimits.accountId, accounts.id))
    .leftJoin(
      accountSourceLimits,
      and(eq(accountSourceLimits.accountId, accounts.id), or(isNotNull(concurrency), isNotNull(callsPerDay))),
    )
    .where(eq(accounts.id, accountId));
  return {
    weight: rows[0]?.weight ?? weightDefault,
    atSources: new Map(
      rows.flatMap(({ atSource }) => (atSource === null ? [] : [[atSource.source, atSource]])),
    ),
  };
}

/**
 * Checks, after open lookups were added in the same transaction, that they fit the limit. Locks the account, so that two
 * batches that are submitted at once cannot both take the last room.
 *
 * @throws LimitReached
 */
export async function holdOpenLimit(db: Sql, accountId: number): Promise<void> {
  const [limits] = await db
    .select({ openLookups: accountLimits.openLookups })
    .from(accountLimits)
    .where(and(eq(accountLimits.accountId, accountId), isNotNull(accountLimits.openLookups)))
    .for('no key update');
  const most = limits?.openLookups ?? null;
  if (most === null) return;
  const open = await countOpen(db, accountId);
  if (open > most) throw full(open, most);
}

async function countOpen(db: Sql, accountId: number): Promise<number> {
  const counted = await db.execute<{ open: string }>(
    sql`SELECT coalesce(sum(o.open), 0) AS open FROM (${openByBatch(sql`b.account_id = ${accountId}`)}) o`,
  );
  return Number(counted.rows[0]?.open ?? 0);
}

/** Unfinished batches, with their account and their number of open lookups. */
export function openByBatch(which: SQL): SQL {
  return sql`SELECT b.account_id, b.lookups_total + b.retried - coalesce(sum(${endedSql}), 0) AS open
    FROM nightshift.batches b LEFT JOIN nightshift.chunks c ON c.batch_id = b.id
    WHERE b.state NOT IN ('finished', 'cancelled', 'loading') AND ${which} GROUP BY b.id`;
}

function full(open: number, most: number): LimitReached {
  const [here, limit] = [open, most].map((count) => count.toLocaleString('en-US'));
  return new LimitReached(
    `The account may have ${limit} unfinished companies and addresses at a time, and would have ${here}. Wait until some are finished, or submit fewer.`,
  );
}
