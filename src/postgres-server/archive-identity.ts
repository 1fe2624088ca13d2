import { lchown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerUser } from './system/server-user.ts';
import { errorCode } from './system/system-error.ts';

/**
 * Identity of a server in archives, in its data folder. A server without one is known by the system identifier of its cluster; a restored or
 * upgraded one has its own, because its WAL has the same names as that of the server it comes from.
 */
export interface ArchiveIdentity {
  /** Digits, as those of a system identifier. */
  readonly id: string;
  /** Ids of the same server before its upgrades, newest first: it goes on in their archive. */
  readonly earlier: readonly string[];
  /** Ids of the server that the data was restored from, which may still run. */
  readonly restoredFrom: readonly string[];
}

/** Writes the identity of a new data folder, which belongs to the user of the server. */
export async function writeArchiveIdentity(
  dataFolder: string,
  identity: ArchiveIdentity,
  user?: ServerUser,
): Promise<void> {
  await writeFile(identityPath(dataFolder), JSON.stringify(identity), { mode: 0o600 });
  if (user?.spawnAs.uid !== undefined) await lchown(identityPath(dataFolder), user.uid, user.gid);
}

/** Reads the identity of a data folder; null when it has none of its own. */
export async function readArchiveIdentity(dataFolder: string): Promise<ArchiveIdentity | null> {
  try {
    return JSON.parse(await readFile(identityPath(dataFolder), 'utf8')) as ArchiveIdentity;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

function identityPath(dataFolder: string): string {
  return join(dataFolder, 'nightshift-archive.json');
}
