import type { Backup } from './backup.ts';
import { parseBackupPath, parseCallsPath, parseWalPath } from './archive-paths.ts';
import { isWalSegment, walPosition } from './wal-files.ts';

type ExpiringBackup = Pick<Backup, 'id' | 'walFirst' | 'walSystem' | 'startedAt'>;

/**
 * Returns the files of an archive that no restore of the newest `keep` backups needs: older backups, WAL and calls from before them, and what
 * interrupted backups left.
 *
 * @param backups complete backups.
 * @param paths all files of the archive.
 */
export function listExpired(
  backups: readonly ExpiringBackup[],
  paths: readonly string[],
  keep: number,
): readonly string[] {
  const kept = [...backups].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, keep);
  const oldest = kept.at(-1);
  const newest = kept[0];
  if (oldest === undefined || newest === undefined) return [];
  const keptIds = new Set(kept.map(({ id }) => id));
  const known = new Set(backups.map(({ walSystem }) => walSystem ?? null));
  return paths.filter((path) => {
    const ofBackup = parseBackupPath(path);
    // A younger one may be running.
    if (ofBackup !== null) return !keptIds.has(ofBackup.id) && ofBackup.id < newest.id;
    const wal = parseWalPath(path);
    // Histories of timelines are small, and always needed.
    if (wal !== null) {
      // Of a server whose first backup is running.
      if (!isWalSegment(wal.name.slice(0, 24)) || !known.has(wal.system)) return false;
      const from = kept.findLast(({ walSystem = null }) => walSystem === wal.system);
      return from === undefined || walPosition(wal.name) < walPosition(from.walFirst);
    }
    const day = parseCallsPath(path);
    return day !== null && day < oldest.startedAt.slice(0, 10);
  });
}
