import { compactTime, parseCompactTime } from '../time/compact-time.ts';

/** Paths in an archive. A backup exists when its manifest does: it is written last. */
export const archivePaths = {
  identity: 'archive.json',
  manifest: (id: string) => `backups/${id}/manifest.json`,
  part: (id: string, name: string) => `backups/${id}/${name}`,
  /** Files of WAL of two servers have the same names: those of one that was upgraded or restored are in a folder of their own. */
  wal: (name: string, system: string | null) => `wal/${system === null ? '' : `${system}/`}${name}.gz`,
} as const;

/** Returns the id of the backup that a path belongs to, and whether the file is its manifest; null for other files. */
export function parseBackupPath(path: string): { readonly id: string; readonly isManifest: boolean } | null {
  const found = /^backups\/(\d{8}T\d{6}Z)\/(.+)$/.exec(path);
  const [, id, name] = found ?? [];
  return id === undefined ? null : { id, isManifest: name === 'manifest.json' };
}

/**
 * Returns the id of a backup that begins now: its time, or that of a second after the newest backup of the archive if the clock was set back
 * since. The newest backup has the highest id.
 *
 * @param paths all files of the archive.
 */
export function nextBackupId(paths: readonly string[], now: Date): string {
  const times = paths.flatMap((path) => {
    const found = parseBackupPath(path);
    return (found === null ? null : parseCompactTime(found.id)) ?? [];
  });
  const newest = times.reduce((max, time) => Math.max(max, time.getTime()), -Infinity);
  return compactTime(new Date(Math.max(now.getTime(), newest + idStepMs)));
}

/** Resolution of an id. */
const idStepMs = 1000;

/** A file of WAL in an archive. */
export interface WalPath {
  readonly name: string;
  /** As `Backup.walSystem`. */
  readonly system: string | null;
}

/** Returns the WAL file that a path stores; null for other files. */
export function parseWalPath(path: string): WalPath | null {
  const found =
    /^wal\/(?:(\d+)\/)?([0-9A-F]{24}|[0-9A-F]{8}\.history|[0-9A-F]{24}\.[0-9A-F]{8}\.backup)\.gz$/.exec(path);
  const [, system, name] = found ?? [];
  return name === undefined ? null : { name, system: system ?? null };
}

/** Returns the day of a segment of the call log, such as `2026-11-22`; null for other files. */
export function parseCallsPath(path: string): string | null {
  return /^calls\/(\d{4}-\d{2}-\d{2})\/[^/]+\.ndjson$/.exec(path)?.[1] ?? null;
}
