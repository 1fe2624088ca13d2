import type { Location } from '../../src/core/storage/location.ts';
import type { Asked } from './server-info.ts';

/** Provision of a server of the user's own for the loss of its machine: the ways in which its WAL goes elsewhere. */
export interface OwnBackupInfo {
  /** True when the server hands its WAL to an archiver (`archive_mode`). */
  readonly archives: boolean;
  /** `archive_library`, else `archive_command`; empty without either, null when the login may not read them. */
  readonly archiver: string | null;
  /** Time since the last file of WAL was archived; seconds, null if none was. */
  readonly archivedAgoS: number | null;
  /** Time since the last file of WAL was archived, if a later one failed; seconds, null otherwise. */
  readonly failingForS: number | null;
  /** Programs that receive the WAL as a stream to store it, such as `pg_receivewal`. A standby replays it instead. */
  readonly receivers: readonly string[];
  /** Number of programs that receive the WAL for a purpose that the login may not see. */
  readonly unseen: number;
  /** Physical replication slots without a program that receives their WAL. */
  readonly idleSlots: readonly string[];
  /** Location of the archive of calls; null without one. */
  readonly callArchive: Location | null;
}

export async function readOwnBackupInfo(asked: Asked): Promise<OwnBackupInfo> {
  const { rows } = await asked.query<{
    archives: boolean;
    archiver: string | null;
    archived_ago_s: number | null;
    failing_for_s: number | null;
    receivers: readonly string[];
    unseen: number;
    idle_slots: readonly string[];
    call_archive: Location | null;
  }>(`SELECT current_setting('archive_mode') <> 'off' AS archives,
      (SELECT coalesce(max(nullif(p.setting, '')) FILTER (WHERE p.name = 'archive_library'), max(p.setting) FILTER (WHERE p.name = 'archive_command'))
        FROM pg_settings p) AS archiver,
      extract(epoch FROM now() - s.last_archived_time)::float8 AS archived_ago_s,
      CASE WHEN s.last_failed_time > coalesce(s.last_archived_time, s.stats_reset)
        THEN extract(epoch FROM now() - coalesce(s.last_archived_time, s.stats_reset))::float8 END AS failing_for_s,
      r.receivers, r.unseen,
      ARRAY(SELECT l.slot_name::text FROM pg_replication_slots l WHERE l.slot_type = 'physical' AND NOT l.active ORDER BY 1) AS idle_slots,
      (SELECT a.location FROM nightshift.archive a) AS call_archive
    FROM pg_stat_archiver s, (
      SELECT coalesce(array_agg(DISTINCT w.application_name) FILTER (WHERE w.write_lsn IS NOT NULL AND w.replay_lsn IS NULL), '{}') AS receivers,
        (count(*) FILTER (WHERE w.state IS NULL))::integer AS unseen
      FROM pg_stat_replication w
      WHERE w.application_name <> 'pg_basebackup'
        AND NOT EXISTS (SELECT FROM pg_replication_slots l WHERE l.active_pid = w.pid AND l.slot_type = 'logical')
    ) r`);
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres answered no row about its archiver.');
  return {
    archives: row.archives,
    archiver: row.archiver,
    archivedAgoS: row.archived_ago_s,
    failingForS: row.failing_for_s,
    receivers: row.receivers,
    unseen: row.unseen,
    idleSlots: row.idle_slots,
    callArchive: row.call_archive,
  };
}
