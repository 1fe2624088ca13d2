import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { archivePaths, parseBackupPath, parseWalPath } from '../core/backup/archive-paths.ts';
import type { Backup, FoundBackups, UnreadableBackup } from '../core/backup/backup.ts';
import { parseBackup } from '../core/backup/parse-backup.ts';
import { findMissingSegment } from '../core/backup/wal-files.ts';
import { StorageRejected } from '../core/errors.ts';
import type { Storage } from '../core/storage/storage.ts';
import { storeContent } from '../files/store-content.ts';

/** Lists the paths of all files in an archive. */
export async function listPaths(storage: Storage, signal: AbortSignal): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const page of storage.list(signal)) paths.push(...page.map(({ path }) => path));
  return paths;
}

/** Reads the complete backups among the files of an archive. One that cannot be read is no obstacle to the others. */
export async function readBackups(
  storage: Storage,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<FoundBackups> {
  const ids = paths.flatMap((path) => {
    const found = parseBackupPath(path);
    return found?.isManifest === true ? [found.id] : [];
  });
  const backups: Backup[] = [];
  const unreadable: UnreadableBackup[] = [];
  for (const id of ids.sort()) {
    const path = archivePaths.manifest(id);
    const text = await readText(storage, path, signal);
    // Removed meanwhile.
    if (text === null) continue;
    try {
      backups.push(parseBackup(text, path));
    } catch (error) {
      if (!(error instanceof StorageRejected)) throw error;
      unreadable.push({ id, reason: error.message });
    }
  }
  return { backups, unreadable };
}

/** Returns the names of the WAL in an archive that is of the server of a backup. */
export function listWalNames(paths: readonly string[], { walSystem }: Backup): readonly string[] {
  const system = walSystem ?? null;
  return paths.flatMap((path) => {
    const wal = parseWalPath(path);
    return wal === null || wal.system !== system ? [] : [wal.name];
  });
}

/** Returns the path of a file of WAL that a backup needs and the archive does not have; null when all are there. */
export function findMissingWal(walNames: readonly string[], backup: Backup): string | null {
  const missing = findMissingSegment(new Set(walNames), backup);
  return missing === null ? null : archivePaths.wal(missing, backup.walSystem ?? null);
}

/** Reads a file as a whole; null when there is none. */
export async function readContent(
  storage: Storage,
  path: string,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const found = await storage.find(path, signal);
  return found === null ? null : buffer(await storage.read(found, signal));
}

/** Reads a small file; null when there is none. */
export async function readText(storage: Storage, path: string, signal: AbortSignal): Promise<string | null> {
  return (await readContent(storage, path, signal))?.toString('utf8') ?? null;
}

export interface Writing {
  readonly storage: Storage;
  readonly workFolder: string;
  readonly signal: AbortSignal;
}

export async function writeJson(
  { storage, workFolder, signal }: Writing,
  path: string,
  value: unknown,
): Promise<void> {
  const through = join(workFolder, 'archive-file.json');
  const content = Buffer.from(`${JSON.stringify(value)}\n`);
  await storeContent(storage, path, content, { through, contentType: 'application/json', signal });
}
