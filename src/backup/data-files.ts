import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Misconfigured } from '../core/errors.ts';
import { errorCode, spoolName } from '../postgres-server/index.ts';

/** Files and folders of a data folder, as relative paths in order. */
export interface DataFiles {
  /** Parents first. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** Folders whose content a copy leaves out: the next start fills them (PostgreSQL docs, "Backing Up the Data Directory"). */
const emptied = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
  'pg_wal/archive_status',
  'pg_wal/summaries',
  spoolName,
]);

/** The running server's own files, and those that a start removes or creates. */
const leftOut =
  /^(postmaster\.(pid|opts)|recovery\.signal|standby\.signal|backup_label(\.old)?|tablespace_map(\.old)?)$/;
const temporary = /(^|\/)(pgsql_tmp[^/]*|pg_internal\.init(\.\d+)?)$/;

/**
 * Lists what a backup copies of a data folder.
 *
 * @throws Misconfigured for tablespaces in other folders: a copy would lack them.
 */
export async function listDataFiles(dataFolder: string): Promise<DataFiles> {
  const folders: string[] = [];
  const files: string[] = [];
  const open = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await readFolder(join(dataFolder, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (leftOut.test(path) || temporary.test(path)) continue;
      if (entry.isSymbolicLink()) throw hasTablespace(dataFolder, path);
      if (entry.isDirectory()) {
        folders.push(path);
        open.push(path);
      } else if (entry.isFile() && !emptied.has(folder)) files.push(path);
    }
  }
  return { folders: folders.sort(), files: files.sort() };
}

/** A table that is dropped meanwhile takes its folder along. */
async function readFolder(path: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function hasTablespace(dataFolder: string, path: string): Misconfigured {
  return new Misconfigured(
    `${join(dataFolder, path)} is a link to another folder, which a backup would lack. Move its tables into the data folder, or use another tool.`,
  );
}
