import { readFile, stat } from 'node:fs/promises';
import { Misconfigured } from '../../core/errors.ts';

/** Operating system user of Postgres. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** Options of `spawn`: empty when Postgres runs as the current user. */
  readonly spawnAs: { readonly uid?: number; readonly gid?: number };
}

/**
 * Chooses the user of Postgres: the current user, or for root an unprivileged one, because Postgres does not run as root.
 *
 * For root, it is the owner of existing data, else the first of `postgres` and the unprivileged system user with an entry in
 * /etc/passwd: initdb fails for a uid without an entry.
 *
 * @param dataFolder the data folder; undefined when there is none yet.
 * @throws Misconfigured when the data belongs to another ordinary user, or root finds no unprivileged user.
 */
export async function readServerUser(dataFolder: string | undefined): Promise<ServerUser> {
  const owner = dataFolder === undefined ? undefined : (await stat(dataFolder)).uid;
  if (!runsAsRoot()) return currentUser(dataFolder, owner);
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8'));
  const chosen =
    users.find((user) => user.uid === owner && user.uid !== 0) ??
    users.find((user) => user.name === 'postgres') ??
    users.find((user) => user.name === 'nobody');
  if (chosen === undefined) {
    throw new Misconfigured(
      'Postgres does not run as root, and /etc/passwd has neither a user "postgres" nor "nobody". Add one of them, run Nightshift as an ordinary user, or set DATABASE_URL.',
    );
  }
  return { ...chosen, spawnAs: { uid: chosen.uid, gid: chosen.gid } };
}

/** True when this process runs as root. Always false on a system without users. */
export function runsAsRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** Entry of /etc/passwd, in part. */
export interface PasswdEntry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Parses /etc/passwd (passwd(5)). Comments and invalid lines are skipped, as by the system. */
export function parsePasswd(text: string): readonly PasswdEntry[] {
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([name, , uid, gid]) => name !== undefined && isId(uid) && isId(gid))
    .map(([name = '', , uid, gid]) => ({ name, uid: toId(uid), gid: toId(gid) }));
}

function isId(text: string | undefined): boolean {
  return /^-?\d+$/.test(text ?? '');
}

/** Converts an id to an unsigned 32-bit number: macOS writes -2 for its unprivileged user. */
function toId(text: string | undefined): number {
  return Number(text) >>> 0;
}

function currentUser(dataFolder: string | undefined, owner: number | undefined): ServerUser {
  const uid = process.geteuid?.() ?? 0;
  if (owner !== undefined && owner !== uid) {
    throw new Misconfigured(
      `${dataFolder} belongs to another user (uid ${owner}; the current user has uid ${uid}). Run Nightshift as that user, or set NIGHTSHIFT_HOME to another folder.`,
    );
  }
  return { name: `uid ${uid}`, uid, gid: process.getegid?.() ?? 0, spawnAs: {} };
}
