import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ActivityLogStore, BatchEntry, SourcePause } from '../../../src/core/batches/activity-log.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

/** Number of newest events that are read, so that a read takes the same time in a large database. */
const newest = 1000;

/** Implements `ActivityLogStore`. */
export function createActivityLogStore(db: NodePgDatabase): ActivityLogStore {
  return {
    listEntries: (windowMs) => withDatabase(() => listEntries(db, windowMs)),
    listPauses: () => withDatabase(() => listPauses(db)),
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

interface PauseRow extends Record<string, unknown> {
  readonly source: string;
  readonly kind: SourcePause['kind'];
  readonly until: string;
  readonly pauses: number;
}

/** Lists one pause per source, the longest of its credentials. A pause that has passed lasts until its probe succeeds. */
async function listPauses(db: Sql): Promise<readonly SourcePause[]> {
  const { rows } = await db.execute<PauseRow>(
    sql`SELECT DISTINCT ON (s.source) s.source, s.pause_kind AS kind, s.paused_until AS until, s.pauses
      FROM nightshift.source_states s WHERE s.pause_kind IS NOT NULL AND s.paused_until IS NOT NULL
      ORDER BY s.source, s.paused_until DESC`,
  );
  return rows.map(({ until, ...pause }) => ({ ...pause, until: new Date(until) }));
}

async function countOpenBatches(db: Sql): Promise<number> {
  const { rows } = await db.execute<{ batches: number }>(
    sql`SELECT count(*)::integer AS batches FROM nightshift.batches WHERE state NOT IN ('finished', 'cancelled')`,
  );
  return rows[0]?.batches ?? 0;
}
