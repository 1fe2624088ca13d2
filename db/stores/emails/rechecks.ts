import { sql } from 'drizzle-orm';
import type { Recheck, RecheckStore } from '../../../src/core/validation/recheck.ts';
import { recheck as recheckPolicy } from '../../../src/core/work/retry-policies.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

/** Store of due rechecks, in `nightshift.mailbox_rechecks`. */
export function createRecheckStore(db: Sql): RecheckStore {
  return {
    takeDue: (limit, leaseMs) => withDatabase(() => takeDue(db, limit, leaseMs)),
    readAddress: (recheck) => withDatabase(() => readAddress(db, recheck)),
    settle: (recheck, dueAt) => withDatabase(() => settle(db, recheck, dueAt)),
  };
}

/** In the transaction that answers the request. */
export async function addRecheck(db: Sql, lookupId: bigint, dueAt: Date): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.mailbox_rechecks (lookup_id, due_at) VALUES (${lookupId}, ${dueAt.toISOString()})
      ON CONFLICT DO NOTHING`,
  );
}

async function takeDue(db: Sql, limit: number, leaseMs: number): Promise<readonly Recheck[]> {
  const taken = await db.execute<{ lookup_id: string; round: number }>(
    sql`UPDATE nightshift.mailbox_rechecks SET round = round + 1, due_at = now() + ${leaseMs} * interval '1 millisecond'
      WHERE lookup_id IN (
        SELECT lookup_id FROM nightshift.mailbox_rechecks WHERE due_at <= now() ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING lookup_id, round`,
  );
  return taken.rows.map((row) => ({ lookupId: BigInt(row.lookup_id), round: row.round }));
}

async function readAddress(db: Sql, { lookupId, round }: Recheck): Promise<string | null> {
  const found = await db.execute<{ email: string | null }>(
    sql`SELECT l.email FROM nightshift.mailbox_rechecks r JOIN nightshift.lookups l ON l.id = r.lookup_id
      WHERE r.lookup_id = ${lookupId} AND r.round = ${round}`,
  );
  return found.rows[0]?.email ?? null;
}

async function settle(db: Sql, { lookupId, round }: Recheck, dueAt: Date | null): Promise<void> {
  await db.execute(
    dueAt === null
      ? sql`DELETE FROM nightshift.mailbox_rechecks WHERE lookup_id = ${lookupId} AND round = ${round}`
      : sql`UPDATE nightshift.mailbox_rechecks SET due_at = ${dueAt.toISOString()}
          WHERE lookup_id = ${lookupId} AND round = ${round}`,
  );
}

/** Gives up rechecks of lookups that ended long ago (`recheck`); the next request for the address makes its own. */
export async function giveUpRechecks(db: Sql): Promise<void> {
  await db.execute(
    sql`DELETE FROM nightshift.mailbox_rechecks r USING nightshift.lookups l
      WHERE l.id = r.lookup_id AND l.ended_at < now() - ${recheckPolicy.giveUpMs} * interval '1 millisecond'`,
  );
}
