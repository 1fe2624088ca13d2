import { sql, type SQL } from 'drizzle-orm';
import type { LandingReplay } from '../../../src/core/destinations/destination-store.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import { isFinal, rowsArePurged, type BatchState } from '../../../src/core/batches/batch.ts';
import type { Sql } from '../../connection/client.ts';
import { msAgo } from '../sql/moments.ts';

/**
 * Lands batches again, at once and with all attempts; in the caller's transaction, which has locked the destination. Every part is written
 * again. Returns the number of landings.
 */
export async function replayLandings(
  db: Sql,
  accountId: number,
  destinationKey: number,
  replay: LandingReplay,
): Promise<number> {
  switch (replay.kind) {
    case 'batch':
      return openForBatch(db, destinationKey, await findFinal(db, accountId, replay.batch));
    case 'dead':
      return reopenDead(db, destinationKey);
    case 'since':
      return openBatches(
        db,
        destinationKey,
        sql`b.account_id = ${accountId} AND b.state = 'finished' AND b.purged_at IS NULL AND b.finished_at > ${msAgo(replay.ageMs)}
          AND EXISTS (SELECT FROM nightshift.destinations d WHERE d.id = ${destinationKey}
            AND (d.batch_id IS NULL OR d.batch_id = b.id)
            AND (d.schedule_id IS NULL OR EXISTS (
              SELECT FROM nightshift.scans n WHERE n.batch_id = b.id AND n.schedule_id = d.schedule_id))
            AND EXISTS (SELECT FROM unnest(d.shapes) s(shape) WHERE NOT EXISTS (
              SELECT FROM nightshift.landings l
              WHERE l.destination_id = d.id AND l.batch_id = b.id AND l.shape = s.shape AND l.state IN ('landed', 'pending'))))`,
      );
  }
}

/** Creates or reopens the landings of a batch if it is finished or cancelled; later it lands by itself. Returns their number. */
export function openForBatch(db: Sql, destinationKey: number, batchKey: number): Promise<number> {
  return openBatches(
    db,
    destinationKey,
    sql`b.id = ${batchKey} AND b.state IN ('finished', 'cancelled') AND b.purged_at IS NULL`,
  );
}

async function openBatches(db: Sql, destinationKey: number, condition: SQL): Promise<number> {
  const opened = await db.execute<{ landings: number }>(
    sql`SELECT coalesce(sum(nightshift.open_landings(b, ARRAY[${destinationKey}::bigint])), 0)::integer AS landings
      FROM nightshift.batches b WHERE ${condition}`,
  );
  await distrustParts(db, destinationKey);
  return opened.rows[0]?.landings ?? 0;
}

async function reopenDead(db: Sql, destinationKey: number): Promise<number> {
  const reopened = await db.execute(
    sql`UPDATE nightshift.landings SET state = 'pending', attempts = 0, next_at = now(), last_error = NULL
      WHERE destination_id = ${destinationKey} AND state = 'dead'`,
  );
  await distrustParts(db, destinationKey);
  return reopened.rowCount ?? 0;
}

/** A replay writes every part again, because the receiver may have lost it. */
async function distrustParts(db: Sql, destinationKey: number): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.landing_parts p SET written_at = NULL FROM nightshift.landings l
      WHERE l.id = p.landing_id AND l.destination_id = ${destinationKey} AND l.state = 'pending' AND l.attempts = 0 AND l.next_at = now()`,
  );
}

interface FoundBatch extends Record<string, unknown> {
  readonly id: string;
  readonly state: BatchState;
  readonly purged_at: string | null;
}

async function findFinal(db: Sql, accountId: number, publicId: string): Promise<number> {
  const found = await db.execute<FoundBatch>(
    sql`SELECT b.id, b.state, b.purged_at FROM nightshift.batches b
      WHERE b.account_id = ${accountId} AND b.public_id = ${publicId} AND b.deleted_at IS NULL`,
  );
  const [batch] = found.rows;
  if (batch === undefined) throw new NotFound(`There is no batch ${publicId}.`);
  if (batch.purged_at !== null) throw rowsArePurged(publicId, new Date(batch.purged_at));
  if (!isFinal(batch.state)) {
    throw new Conflict(`${publicId} is ${batch.state}. It lands when it is finished.`);
  }
  return Number(batch.id);
}
