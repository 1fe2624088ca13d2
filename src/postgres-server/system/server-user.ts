import { readFile, stat } from 'node:fs/promises';
import { Misconfigured } from '../../core/errors.ts';

/** The user of the operating system that Postgres runs as. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** Spread into the options of `spawn`: empty when Postgres runs as ourselves. */
  readonly spawnAs: { readonly uid?: number; readonly gid?: number };
}

/**
 * Decides who Postgres runs as: ourselves, or, as root, somebody unprivileged (Postgres refuses to run as root).
 *
 * As root that is the owner of the data where there are some already, else the first of `postgres` and `nobody` that
 * /etc/passwd knows: a uid without an entry there stops initdb.
 *
 * @param dataFolder the data folder, or undefined when there is none yet.
 * @throws Misconfigured when the data belong to another ordinary user, or when root finds no user to give them to.
 */
export async function readServerUser(dataFolder: string | undefined): Promise<ServerUser> {
  const owner = dataFolder === undefined ? undefined : (await stat(dataFolder)).uid;
  if (!runsAsRoot()) return ourselves(dataFolder, owner);
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

/** True where this process may change to other users. Always false on a system without users. */
export function runsAsRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** One line of /etc/passwd, as far as it matters here. */
export interface PasswdEntry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Reads the text of /etc/passwd (passwd(5)); comments and broken lines are skipped, as the system's own reader does. */
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

/** macOS writes "nobody" as -2; system calls want the same 32 bits without a sign. */
function toId(text: string | undefined): number {
  return Number(text) >>> 0;
}

function ourselves(dataFolder: string | undefined, owner: number | undefined): ServerUser {
  const uid = process.geteuid?.() ?? 0;
  if (owner !== undefined && owner !== uid) {
    throw new Misconfigured(
      `${dataFolder} belongs to another user (uid ${owner}, we are ${uid}). Run Nightshift as that user, or give it another folder through NIGHTSHIFT_HOME.`,
    );
  }
  return { name: `uid ${uid}`, uid, gid: process.getegid?.() ?? 0, spawnAs: {} };
}
