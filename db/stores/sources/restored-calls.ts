import { inArray, lt, sql } from 'drizzle-orm';
import type { CalledSource } from '../../../src/core/sources/ad-source.ts';
import type { NewCall, SourceCallLog } from '../../../src/core/sources/call-log.ts';
import type { EarlierCall } from '../../../src/core/work/claim.ts';
import type { Sql } from '../../connection/client.ts';
import { restoredCalls } from '../../schema/archive.ts';

/** Calls of this age are no longer used: the ads may have changed. Our choice. */
const daysMax = 7;

/**
 * Calls that a restore brought back without their lookups. Only a restore adds some, while no other process runs: a process that finds none
 * at its first call does not ask again.
 */
export function createRestoredCalls(db: Sql): Pick<SourceCallLog, 'adopt'> {
  let hasSome: Promise<boolean> | null = null;
  return {
    async adopt(source, call) {
      hasSome ??= hasRestored(db).catch((error: unknown) => {
        hasSome = null;
        throw error;
      });
      return (await hasSome) ? adopt(db, source, call) : null;
    },
  };
}

/** Deletes at most `max` calls that no lookup gets any more. */
export async function deleteOldRestoredCalls(db: Sql, max: number): Promise<void> {
  const { id, restoredAt } = restoredCalls;
  const old = db
    .select({ id })
    .from(restoredCalls)
    .where(lt(restoredAt, sql`now() - ${daysMax} * interval '1 day'`))
    .limit(max);
  await db.delete(restoredCalls).where(inArray(id, old));
}

async function hasRestored(db: Sql): Promise<boolean> {
  const result = await db.execute<{ some: boolean }>(
    sql`SELECT EXISTS (SELECT FROM nightshift.restored_calls) AS some`,
  );
  return result.rows[0]?.some === true;
}

/**
 * Moves the call to `source_calls`, and its cost to the batch of its new lookup. Its id stays: another restore from the same archive knows it.
 * Answered calls come first.
 */
async function adopt(db: Sql, { name }: CalledSource, call: NewCall): Promise<EarlierCall | null> {
  const result = await db.execute<{ id: string; source: string; about: string; kept: boolean }>(
    sql`WITH taken AS (
        DELETE FROM nightshift.restored_calls WHERE id = (
          SELECT r.id FROM nightshift.restored_calls r
          WHERE r.account_id = ${call.caller.accountId} AND r.source = ${name} AND r.description = ${call.about}
            AND r.restored_at > now() - ${daysMax} * interval '1 day'
          ORDER BY r.response_hash IS NULL, r.id LIMIT 1 FOR UPDATE SKIP LOCKED
        ) RETURNING *
      ), adopted AS (
        INSERT INTO nightshift.source_calls AS c (id, lookup_id, source, request_key, sent_at, answered_at, answer, source_charge, bucket,
          description, units, response_hash, account_id)
        OVERRIDING SYSTEM VALUE
        SELECT t.id, ${call.lookupId}, t.source, ${call.requestKey}, t.sent_at, t.answered_at, t.answer, t.source_charge, t.bucket,
          t.description, t.units, t.response_hash, t.account_id
        FROM taken t
        RETURNING c.*, nightshift.ended_cost(c, c.units, c.source_charge) AS cost
      ), spent AS (
        UPDATE nightshift.batch_spending s SET spent = s.spent + a.cost FROM adopted a
        WHERE s.batch_id = nightshift.bounded_batch(a.lookup_id) AND a.answered_at IS NOT NULL
      )
      SELECT a.id, a.source, a.description AS about,
        a.answer IS NOT NULL AND EXISTS (SELECT FROM nightshift.raw_responses r WHERE r.hash = a.response_hash) AS kept
      FROM adopted a`,
  );
  const [row] = result.rows;
  if (row === undefined) return null;
  return { callId: BigInt(row.id), source: row.source, about: row.about, state: row.kept ? 'kept' : 'lost' };
}
