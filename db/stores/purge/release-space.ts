import pg from 'pg';
import type { PurgeCounts, PurgedSpace } from '../../../src/core/purge/purge-store.ts';
import { cancelOnAbort } from '../../connection/cancel-on-abort.ts';
import { withDatabase, type Database } from '../../connection/client.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';

/** Fewer deleted rows of a table are left to autovacuum. */
const deletedMin = 10_000;

/** Time limit of a statement, in milliseconds. */
const statementMsMax = 600_000;

/** Tables from which a purge deletes, by the count that tells how much; a block has 32 rows. */
const tablesOf: Readonly<Record<string, readonly string[]>> = {
  lookups: ['lookups'],
  verdicts: ['email_results'],
  rows: ['row_blocks', 'search_blocks'],
  calls: ['source_calls'],
  raw_responses: ['raw_responses'],
  events: ['events'],
  deliveries: ['webhook_deliveries'],
  changes: ['ad_changes', 'tracked_ad_rows', 'scan_companies'],
  files: ['inbox_files'],
  versions: ['ad_versions', 'ad_variants', 'ads', 'answers', 'answer_advertisers', 'answer_summaries'],
};

/**
 * Creates the return of space. `VACUUM` cuts the end of a table off where nothing is left of it, and never copies a table. It does not shrink
 * indexes, so those of a table that lost at least half of its rows are rebuilt, beside its writers: that costs as much as what is left.
 */
export function createPurgedSpace({ pool }: Pick<Database, 'pool'>): PurgedSpace {
  return {
    release: (counts, signal) =>
      withDatabase(async () => {
        const emptied = emptiedTables(counts);
        if (emptied.length === 0) return;
        const client = await pool.connect();
        try {
          await cancelOnAbort(pool, client, { signal, work: () => release(client, emptied, signal) });
        } finally {
          // With its settings and its lock.
          client.release(true);
        }
      }),
  };
}

interface EmptiedTable {
  readonly name: string;
  /** Number of rows that the purge deleted, about. */
  readonly deleted: number;
}

function emptiedTables(counts: PurgeCounts): readonly EmptiedTable[] {
  return Object.entries(tablesOf).flatMap(([count, names]) => {
    const deleted = counts[count] ?? 0;
    if (deleted < deletedMin) return [];
    return names.map((name) => ({ name, deleted: count === 'rows' ? Math.ceil(deleted / 32) : deleted }));
  });
}

/** Another session that gives space back does this one's part, too, or autovacuum does. */
async function release(
  client: pg.PoolClient,
  tables: readonly EmptiedTable[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { rows } = await client.query<{ is_mine: boolean }>(
    `SELECT pg_try_advisory_lock(${advisoryLocks.purgedSpace}) AS is_mine`,
  );
  if (rows[0]?.is_mine !== true) return;
  await client.query(`SET statement_timeout = ${statementMsMax}`);
  await client.query('SELECT nightshift.drop_unfinished_indexes()');
  for (const { name, deleted } of tables) {
    signal?.throwIfAborted();
    // Without the right, this is a warning and nothing more.
    await unlessForbidden(() => client.query(`VACUUM nightshift.${name}`));
    const left = await client.query<{ rows: number }>(
      'SELECT reltuples::float8 AS rows FROM pg_class WHERE oid = $1::regclass',
      [`nightshift.${name}`],
    );
    if ((left.rows[0]?.rows ?? Infinity) <= deleted)
      await unlessForbidden(() => client.query(`REINDEX TABLE CONCURRENTLY nightshift.${name}`));
  }
}

/** Runs a statement that needs a right, and time. */
async function unlessForbidden(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && hasCode(error, ['42501', '57014']))) throw error;
  }
}

function hasCode({ code }: pg.DatabaseError, codes: readonly string[]): boolean {
  return code !== undefined && codes.includes(code);
}
