import type pg from 'pg';
import type { Database } from '../connection/client.ts';
import { readLogPlace, readReplicaState, waitForReplay } from '../replica/replay.ts';
import { replicaMsMax } from '../replica/replica.ts';

/** Relation of a server to the primary whose standby it should be. */
export interface ReplicaRelation {
  readonly isStandby: boolean;
  /** True if it and the primary are one system. */
  readonly isSameSystem: boolean;
  /** True if it follows the history of the primary: each promotion begins a new one. */
  readonly isSameTimeline: boolean;
  /** Bytes of log of the primary that the server had not replayed at the first look; 0 for no standby. */
  readonly lagBytes: number;
  /** True when it had replayed them within the time that a reading waits. */
  readonly isReplayedInTime: boolean;
  readonly isReplayPaused: boolean;
}

/** Compares a server with the primary. */
export async function readReplicaRelation(
  primary: Database,
  client: pg.ClientBase,
): Promise<ReplicaRelation> {
  const place = await readLogPlace(primary.sql);
  const { isStandby, system, timeline } = await readReplicaState(client, place.lsn);
  const { rows } = await client.query<{ lag: string; paused: boolean }>(
    `SELECT CASE WHEN pg_is_in_recovery() THEN greatest(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0) ELSE 0 END AS lag,
      CASE WHEN pg_is_in_recovery() THEN pg_is_wal_replay_paused() ELSE false END AS paused`,
    [place.lsn],
  );
  const lack = await waitForReplay(client, place, performance.now() + replicaMsMax);
  return {
    isStandby,
    isSameSystem: system === place.system,
    isSameTimeline: timeline === place.timeline,
    lagBytes: Number(rows[0]?.lag ?? 0),
    isReplayedInTime: lack === null,
    isReplayPaused: rows[0]?.paused === true,
  };
}
