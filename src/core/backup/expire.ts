import type { Backup } from './backup.ts';
import { parseBackupPath, parseCallsPath, parseWalPath } from './archive-paths.ts';
import { isWalSegment, walPosition } from './wal-files.ts';

/**
 * Returns the files of an archive that no restore of the newest `keep` backups needs: older backups, WAL and calls from before them, and what
 * interrupted backups left.
 *
 * @param backups complete backups.
 * @param paths all files of the archive.
 */
export function listExpired(
  backups: readonly Pick<Backup, 'id' | 'walFirst' | 'startedAt'>[],
  paths: readonly string[],
  keep: number,
): readonly string[] {
  const kept = [...backups].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, keep);
  const oldest = kept.at(-1);
  const newest = kept[0];
  if (oldest === undefined || newest === undefined) return [];
  const keptIds = new Set(kept.map(({ id }) => id));
  return paths.filter((path) => {
    const ofBackup = parseBackupPath(path);
    // A younger one may be running.
    if (ofBackup !== null) return !keptIds.has(ofBackup.id) && ofBackup.id < newest.id;
    const wal = parseWalPath(path);
    // Histories of timelines are small, and always needed.
    if (wal !== null)
      return isWalSegment(wal.slice(0, 24)) && walPosition(wal) < walPosition(oldest.walFirst);
    const day = parseCallsPath(path);
    return day !== null && day < oldest.startedAt.slice(0, 10);
  });
}
