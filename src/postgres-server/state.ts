import { chown, link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { Misconfigured } from '../core/errors.ts';
import { parsePasswords, roles, type Passwords } from './passwords.ts';
import { runsAsRoot } from './system/server-user.ts';
import { errorCode, isTaken } from './system/system-error.ts';
import { temporaryName } from './system/temporary-name.ts';

/** State of a private server in `<home>/postgres.json`, with which later processes connect. */
export interface ServerState {
  /** Absolute path of the data folder. In the file it is relative if it is inside the home, so that the home can be moved. */
  readonly dataFolder: string;
  /** TCP port to start on. The port of a running server is in its pid file, see `postmaster.ts`. */
  readonly port: number;
  readonly passwords: Passwords;
  /** Folder of the last used `postgres` program. */
  readonly binariesFolder: string;
  /** Version of that program, such as `18.4`. */
  readonly version: string;
}

/** Returns the path of the state file. */
export function statePath(home: string): string {
  return join(home, 'postgres.json');
}

/**
 * Reads the state of the server at `home`; undefined when there is none yet.
 *
 * @throws Misconfigured when the file cannot be read or is damaged.
 */
export async function readState(home: string): Promise<ServerState | undefined> {
  const path = statePath(home);
  try {
    return parseState(await readFile(path, 'utf8'), home);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (error instanceof Misconfigured) throw error;
    throw new Misconfigured(
      `Cannot read ${path}. Run Nightshift as the owner of the file, or set NIGHTSHIFT_HOME.`,
      { cause: error },
    );
  }
}

/** Writes the first state of a home. If another process was faster, returns its state. */
export async function createState(home: string, state: ServerState): Promise<ServerState> {
  const written = await writeAside(home, state);
  try {
    await link(written, statePath(home));
    return state;
  } catch (error) {
    if (!isTaken(error)) throw error;
    return (await readState(home)) ?? state;
  } finally {
    await rm(written, { force: true });
  }
}

/** Replaces the state atomically. */
export async function replaceState(home: string, state: ServerState): Promise<void> {
  await rename(await writeAside(home, state), statePath(home));
}

/**
 * Parses a state file.
 *
 * @throws Misconfigured naming the field that is missing or wrong.
 */
export function parseState(text: string, home: string): ServerState {
  const fields = parseObject(text, home);
  const port = fields['port'];
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65535) {
    throw damaged(home, 'port is not a port number');
  }
  const passwords = parsePasswords(fields['passwords']);
  if (typeof passwords === 'string') throw damaged(home, `passwords.${passwords} is missing or not text`);
  return {
    dataFolder: resolve(home, parseText(fields, 'dataFolder', home)),
    port,
    passwords,
    binariesFolder: parseText(fields, 'binariesFolder', home),
    version: parseText(fields, 'version', home),
  };
}

function parseObject(text: string, home: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch (error) {
    throw damaged(home, 'it is not JSON', error);
  }
  throw damaged(home, 'it is not a JSON object');
}

function parseText(fields: Record<string, unknown>, name: string, home: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw damaged(home, `${name} is missing or not text`);
  return value;
}

function damaged(home: string, what: string, cause?: unknown): Misconfigured {
  return new Misconfigured(
    `${statePath(home)} is damaged: ${what}. Delete the file: the next start rebuilds it from the data folder.`,
    { cause },
  );
}

async function writeAside(home: string, state: ServerState): Promise<string> {
  const inHome = relative(home, state.dataFolder);
  const dataFolder = isAbsolute(inHome) || inHome.startsWith('..') ? state.dataFolder : inHome;
  const passwords = Object.fromEntries(roles.map((role) => [role, state.passwords[role]]));
  const path = temporaryName(statePath(home));
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ ...state, dataFolder, passwords }, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await giveToOwnerOf(home, path);
  return path;
}

/** Gives a file of root to the owner of the home, so that an ordinary user can read it. */
async function giveToOwnerOf(home: string, path: string): Promise<void> {
  if (!runsAsRoot()) return;
  const { uid, gid } = await stat(home);
  await chown(path, uid, gid);
}
