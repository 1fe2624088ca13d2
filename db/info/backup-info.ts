import type { Asked } from './server-info.ts';

/** Provision for the loss of the private server's machine. */
export interface BackupInfo {
  /** Time since the last file of WAL was archived, if a later one failed; seconds, null otherwise. */
  readonly failingForS: number | null;
  /** The archive of this installation; null without one. */
  readonly archive: ArchiveInfo | null;
}

export interface ArchiveInfo {
  readonly hasBackups: boolean;
  /** Interval of backups; seconds, null without one. */
  readonly everyS: number | null;
  /** Age of the last backup; seconds, null if there is none. */
  readonly ageS: number | null;
  readonly failure: string | null;
}

export async function readBackupInfo(asked: Asked): Promise<BackupInfo> {
  const { rows } = await asked.query<{
    failing_for_s: number | null;
    has_backups: boolean | null;
    every_s: number | null;
    age_s: number | null;
    failure: string | null;
  }>(`SELECT CASE WHEN s.last_failed_time > coalesce(s.last_archived_time, s.stats_reset)
        THEN extract(epoch FROM now() - coalesce(s.last_archived_time, s.stats_reset))::float8 END AS failing_for_s,
      a.has_backups, a.every_seconds AS every_s, extract(epoch FROM now() - a.backed_up_at)::float8 AS age_s, a.failure
    FROM pg_stat_archiver s LEFT JOIN nightshift.archive a ON true`);
  const [row] = rows;
  return {
    failingForS: row?.failing_for_s ?? null,
    archive:
      row?.has_backups === undefined || row.has_backups === null
        ? null
        : { hasBackups: row.has_backups, everyS: row.every_s, ageS: row.age_s, failure: row.failure },
  };
}
