import { lchown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './system-error.ts';
import type { ServerUser } from './server-user.ts';

/** A record of Nightshift in a data folder, beside the files of Postgres: backups contain it. */
export interface DataRecord<T> {
  /** Writes it into a new data folder. With a user, the file belongs to that one. */
  readonly write: (dataFolder: string, record: T, user?: ServerUser) => Promise<void>;
  /** Reads it; undefined when the folder has none. */
  readonly read: (dataFolder: string) => Promise<T | undefined>;
  readonly remove: (dataFolder: string) => Promise<void>;
}

/** Returns the record with this file name. */
export function dataRecord<T>(name: string): DataRecord<T> {
  return {
    write: async (dataFolder, record, user) => {
      const path = join(dataFolder, name);
      await writeFile(path, JSON.stringify(record), { mode: 0o600 });
      if (user?.spawnAs.uid !== undefined) await lchown(path, user.uid, user.gid);
    },
    read: async (dataFolder) => {
      try {
        return JSON.parse(await readFile(join(dataFolder, name), 'utf8')) as T;
      } catch (error) {
        if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
        throw error;
      }
    },
    remove: (dataFolder) => rm(join(dataFolder, name), { force: true }),
  };
}
