import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Recheck, RecheckStore } from '../../../src/core/validation/recheck.ts';
import { recheck as recheckPolicy } from '../../../src/core/work/retry-policies.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { lookups } from '../../schema/lookups.ts';
import { mailboxRechecks } from '../../schema/probing.ts';
import { msFromNow } from '../sql/moments.ts';

/** Store of due rechecks, in `nightshift.mailbox_rechecks`. */
export function createRecheckStore(db: Sql): RecheckStore {
  return {
    takeDue: (limit, leaseMs) => withDatabase(() => takeDue(db, limit, leaseMs)),
    readAddress: (recheck) => withDatabase(() => readAddress(db, recheck)),
    settle: (recheck, dueAt) => withDatabase(() => settle(db, recheck, dueAt)),
  };
}

/** Runs in the transaction that commits the results of the requests. */
export async function addRechecks(
  db: Sql,
  due: readonly { readonly lookupId: bigint; readonly dueAt: Date }[],
): Promise<void> {
  if (due.length > 0)
    await db
      .insert(mailboxRechecks)
      .values([...due])
      .onConflictDoNothing();
}

async function takeDue(db: Sql, limit: number, leaseMs: number): Promise<readonly Recheck[]> {
  const { lookupId, round, dueAt } = mailboxRechecks;
  const due = db
    .select({ lookupId })
    .from(mailboxRechecks)
    .where(lte(dueAt, sql`now()`))
    .orderBy(dueAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  return db
    .update(mailboxRechecks)
    .set({ round: sql`${round} + 1`, dueAt: msFromNow(leaseMs) })
    .where(inArray(lookupId, due))
    .returning({ lookupId, round });
}

async function readAddress(db: Sql, recheck: Recheck): Promise<string | null> {
  const [found] = await db
    .select({ email: lookups.email })
    .from(mailboxRechecks)
    .innerJoin(lookups, eq(lookups.id, mailboxRechecks.lookupId))
    .where(isRound(recheck));
  return found?.email ?? null;
}

async function settle(db: Sql, recheck: Recheck, dueAt: Date | null): Promise<void> {
  if (dueAt === null) await db.delete(mailboxRechecks).where(isRound(recheck));
  else await db.update(mailboxRechecks).set({ dueAt }).where(isRound(recheck));
}

function isRound({ lookupId, round }: Recheck) {
  return and(eq(mailboxRechecks.lookupId, lookupId), eq(mailboxRechecks.round, round));
}

/** Deletes rechecks of lookups that ended long ago (`recheck`); the next request for the address creates its own. */
export async function giveUpRechecks(db: Sql): Promise<void> {
  await db.execute(
    sql`DELETE FROM nightshift.mailbox_rechecks r USING nightshift.lookups l
      WHERE l.id = r.lookup_id AND l.ended_at < now() - ${recheckPolicy.giveUpMs} * interval '1 millisecond'`,
  );
}
