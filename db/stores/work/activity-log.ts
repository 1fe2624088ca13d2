import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ActivityLogStore, BatchEntry } from '../../../src/core/batches/activity-log.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { listPauses } from '../sources/source-pauses.ts';

/** Number of newest events that are read, so that a read takes the same time in a large database. */
const newest = 1000;

/** Implements `ActivityLogStore`. */
export function createActivityLogStore(db: NodePgDatabase): ActivityLogStore {
  return {
    listEntries: (windowMs) => withDatabase(() => listEntries(db, windowMs)),
    listPauses: () => listPauses(db),
    countOpenBatches: () => withDatabase(() => countOpenBatches(db)),
  };
}

interface EntryRow extends Record<string, unknown> {
  readonly id: string;
  readonly batch: string;
  readonly event: BatchEntry['event'];
  readonly times: number;
  readonly wait_kind: BatchEntry['waitKind'];
}

async function listEntries(db: Sql, windowMs: number): Promise<readonly BatchEntry[]> {
  const { rows } = await db.execute<EntryRow>(
    sql`SELECT e.id, b.public_id AS batch, e.event, e.times, e.wait_kind
      FROM nightshift.batch_events e JOIN nightshift.batches b ON b.id = e.batch_id
      WHERE e.id > (SELECT max(id) FROM nightshift.batch_events) - ${newest}
        AND e.last_at > now() - ${windowMs}::double precision * interval '1 millisecond'
      ORDER BY e.last_at, e.id`,
  );
  return rows.map(({ wait_kind: waitKind, ...entry }) => ({ ...entry, waitKind }));
}

async function countOpenBatches(db: Sql): Promise<number> {
  const { rows } = await db.execute<{ batches: number }>(
    sql`SELECT count(*)::integer AS batches FROM nightshift.batches WHERE state NOT IN ('finished', 'cancelled')`,
  );
  return rows[0]?.batches ?? 0;
}
