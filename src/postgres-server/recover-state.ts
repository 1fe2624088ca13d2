import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sharedDataParent } from './system/data-directory.ts';
import { readKeptPasswords } from './passwords.ts';
import { runsAsRoot } from './system/server-user.ts';
import { readState, type ServerState } from './state.ts';
import { errorCode } from './system/system-error.ts';

/** Data folder of a server, with its passwords. */
export type KeptData = Pick<ServerState, 'dataFolder' | 'passwords'>;

/** Data of a server, with the path of its home without symbolic links. */
export interface HomeData {
  readonly realHome: string;
  readonly data: KeptData;
}

/** Finds the data of a home, which may be missing. Undefined: no server was ever started in it. Changes nothing. */
export async function findHomeData(home: string): Promise<HomeData | undefined> {
  const realHome = await findRealHome(home);
  if (realHome === undefined) return undefined;
  const data = (await readState(realHome)) ?? (await findLostData(realHome));
  return data === undefined ? undefined : { realHome, data };
}

/** Returns the path of a home without symbolic links; undefined if it is missing. */
export async function findRealHome(home: string): Promise<string | undefined> {
  try {
    return await realpath(home);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Finds the data of a home without a state file: the file was deleted, or the home was, while the data of root is in another folder.
 *
 * Of several major versions, the newest is used, and of that the data that was restored last; undefined when there is none.
 */
export async function findLostData(home: string): Promise<KeptData | undefined> {
  for (const parent of dataParents(home)) {
    for (const dataFolder of await listDataFolders(parent, usableName)) {
      const passwords = await readKeptPasswords(dataFolder);
      if (passwords !== undefined) return { dataFolder, passwords };
    }
  }
  return undefined;
}

/** Returns the folders that can have data of a home. */
export function dataParents(home: string): readonly string[] {
  return runsAsRoot() ? [home, sharedDataParent(home)] : [home];
}

/** Lists all data folders of a home: the one in use first, then those that upgrades and restores kept, newest major version first. */
export async function listKeptData(home: string): Promise<readonly string[]> {
  const found = await findHomeData(home);
  if (found === undefined) return [];
  const { dataFolder } = found.data;
  const parents = new Set([dirname(dataFolder), ...dataParents(found.realHome)]);
  const kept = await Promise.all([...parents].map((parent) => listDataFolders(parent, keptName)));
  return [...new Set([dataFolder, ...kept.flat()])];
}

/** Name of a folder of data in use, or restored to be. */
export const usableName = /^postgres-\d+(\.restored-\w+)?$/;
const keptName = /^postgres-\d+(\.(restored|replaced|backed-out)-\w+)*$/;

async function listDataFolders(parent: string, form: RegExp): Promise<readonly string[]> {
  try {
    const names = (await readdir(parent)).filter((name) => form.test(name));
    const newestFirst = names.sort((left, right) => right.localeCompare(left, 'en', { numeric: true }));
    return newestFirst.map((name) => join(parent, name));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
