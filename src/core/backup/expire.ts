import type { Backup, FoundBackups } from './backup.ts';
import { parseBackupPath, parseCallsPath, parseWalPath } from './archive-paths.ts';
import { isWalSegment, walPosition } from './wal-files.ts';

type ExpiringBackup = Pick<Backup, 'id' | 'walFirst' | 'walSystem' | 'startedAt'>;

/**
 * Returns the files of an archive that no restore of the newest `keep` backups needs: older backups, WAL and calls from before them, and what
 * interrupted backups left. A backup that cannot be read is none of them, and stays until it is older than all of them.
 *
 * @param paths all files of the archive.
 */
export function listExpired(
  { backups, unreadable }: FoundBackups<ExpiringBackup>,
  paths: readonly string[],
  keep: number,
): readonly string[] {
  const kept = [...backups].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, keep);
  const oldest = kept.at(-1);
  const newest = kept[0];
  if (oldest === undefined || newest === undefined) return [];
  const spared = unreadable.filter(({ id }) => id > oldest.id);
  const keptIds = new Set([...kept, ...spared].map(({ id }) => id));
  const known = new Set(backups.map(({ walSystem }) => walSystem ?? null));
  const walFrom = firstPositions(kept);
  // The clock may have been set back between two backups.
  const [firstDay = ''] = kept.map(({ startedAt }) => startedAt.slice(0, 10)).sort();
  return paths.filter((path) => {
    const ofBackup = parseBackupPath(path);
    // A younger one may be running.
    if (ofBackup !== null) return !keptIds.has(ofBackup.id) && ofBackup.id < newest.id;
    const wal = parseWalPath(path);
    // Histories of timelines are small, and always needed.
    if (wal !== null) {
      // Of a server whose first backup is running.
      if (!isWalSegment(wal.name.slice(0, 24)) || !known.has(wal.system)) return false;
      const from = walFrom.get(wal.system);
      // A backup that cannot be read may need it.
      if (from === undefined) return spared.length === 0;
      return walPosition(wal.name) < from;
    }
    const day = parseCallsPath(path);
    return day !== null && day < firstDay;
  });
}

/** Returns the files of backups without a manifest: what interrupted ones left, unless one is running. */
export function listInterrupted(paths: readonly string[]): readonly string[] {
  const found = paths.map((path) => ({ path, ofBackup: parseBackupPath(path) }));
  const complete = new Set(
    found.flatMap(({ ofBackup }) => (ofBackup?.isManifest === true ? [ofBackup.id] : [])),
  );
  return found.flatMap(({ path, ofBackup }) =>
    ofBackup === null || complete.has(ofBackup.id) ? [] : [path],
  );
}

/** Returns the first position of WAL that a backup of each server needs. */
function firstPositions(kept: readonly ExpiringBackup[]): ReadonlyMap<string | null, string> {
  const positions = new Map<string | null, string>();
  for (const { walFirst, walSystem = null } of kept) {
    const position = walPosition(walFirst);
    const first = positions.get(walSystem);
    if (first === undefined || position < first) positions.set(walSystem, position);
  }
  return positions;
}
