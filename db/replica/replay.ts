import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Sql } from '../connection/client.ts';

/** A place in the write-ahead log of a primary: a replica that has replayed it has everything that was committed there before. */
export interface LogPlace {
  readonly lsn: string;
  /** History of the log: a promotion begins a new one, in which the same number is another place. */
  readonly timeline: number;
  /** Identifier of the system, which a primary and its standbys share. */
  readonly system: string;
}

/** State of a server that should be a standby. */
export interface ReplicaState {
  readonly isStandby: boolean;
  readonly system: string;
  readonly timeline: number;
  /** True when everything up to the place was replayed. */
  readonly isReplayed: boolean;
}

/** Pauses between two looks at a standby that has not replayed a place yet, in milliseconds. */
const pollMs = [1, 2, 4, 8, 16, 32] as const;
const pollMsMax = 50;

/**
 * Reads the end of the log of the primary. It is that of the flushed log: a COMMIT is acknowledged after it was flushed, and only that is sent to
 * standbys. On a server that acknowledges before (`synchronous_commit = off`), it is that of everything written, which is flushed soon.
 */
export async function readLogPlace(primary: Sql): Promise<LogPlace> {
  const { rows } = await primary.execute<{ lsn: string; file: string; system: string }>(
    sql`SELECT l.lsn::text AS lsn, pg_walfile_name(l.lsn) AS file, s.system_identifier::text AS system
      FROM pg_control_system() s,
        (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END) l(lsn)`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres answered no row about its log.');
  return { lsn: row.lsn, timeline: Number.parseInt(row.file.slice(0, 8), 16), system: row.system };
}

/** Reads the state of the server of a connection. Its timeline is that of its last restart point, which follows a promotion within minutes. */
export async function readReplicaState(client: pg.ClientBase, lsn: LogPlace['lsn']): Promise<ReplicaState> {
  const { rows } = await client.query<ReplicaState>(
    `SELECT pg_is_in_recovery() AS "isStandby", s.system_identifier::text AS system, c.timeline_id AS timeline,
        coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS "isReplayed"
      FROM pg_control_system() s, pg_control_checkpoint() c`,
    [lsn],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres answered no row about its state.');
  return row;
}

/**
 * Waits until the server of a connection has replayed the log up to a place.
 *
 * @param deadlineMs moment of `performance.now()`.
 * @returns null when it has, otherwise why the server must not be read.
 */
export async function waitForReplay(
  client: pg.ClientBase,
  place: LogPlace,
  deadlineMs: number,
): Promise<ReplicaLack | null> {
  for (let round = 0; ; round += 1) {
    const state = await readReplicaState(client, place.lsn);
    if (!state.isStandby) return 'primary';
    if (state.system !== place.system) return 'foreign';
    if (state.timeline !== place.timeline) return 'timeline';
    if (state.isReplayed) return null;
    if (performance.now() >= deadlineMs) return 'behind';
    await wait(pollMs[round] ?? pollMsMax);
  }
}

/**
 * Reason why a replica is not read: it cannot be reached (`away`), is no standby (`primary`) or one of another system (`foreign`), follows another
 * history than the primary (`timeline`), or has not replayed the log in time (`behind`).
 */
export type ReplicaLack = 'away' | 'primary' | 'foreign' | 'timeline' | 'behind';
