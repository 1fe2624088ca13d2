import { lchown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerUser } from './system/server-user.ts';
import { errorCode } from './system/system-error.ts';

/** Number of rows of a table, and a checksum of all of them in any order. */
export interface TableDigest {
  readonly rows: number;
  readonly sum: string;
}

/** Digests by the name of the table. */
export type TableDigests = Readonly<Record<string, TableDigest>>;

/** Record of the upgrade that created a data folder, in that folder. */
export interface UpgradeRecord {
  readonly fromMajor: number;
  /** Data folder before the upgrade. A user may have removed it since. */
  readonly fromFolder: string;
  readonly upgradedAt: string;
  /** The tables as they were copied. */
  readonly tables: TableDigests;
}

/** Writes the record of an upgrade into its new data folder. */
export async function writeUpgradeRecord(
  dataFolder: string,
  record: UpgradeRecord,
  user: ServerUser,
): Promise<void> {
  await writeFile(recordPath(dataFolder), JSON.stringify(record), { mode: 0o600 });
  if (user.spawnAs.uid !== undefined) await lchown(recordPath(dataFolder), user.uid, user.gid);
}

/** Reads the record of the upgrade that created a data folder; undefined when none did. */
export async function readUpgradeRecord(dataFolder: string): Promise<UpgradeRecord | undefined> {
  try {
    return JSON.parse(await readFile(recordPath(dataFolder), 'utf8')) as UpgradeRecord;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

function recordPath(dataFolder: string): string {
  return join(dataFolder, 'nightshift-upgrade.json');
}
