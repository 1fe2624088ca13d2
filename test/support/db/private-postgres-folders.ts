import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { sharedDataParent, sharedFolder } from '../../../src/postgres-server/system/data-directory.ts';
import { stopPrivateServer } from '../../../src/postgres-server/index.ts';

const childPath = fileURLToPath(new URL('./private-postgres-child.ts', import.meta.url));
const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));

/** Home folders of one test, and their cleanup. */
export interface Homes {
  /** Creates a home folder that every user may enter, or only some with `mode`. */
  make(options?: {
    readonly parent?: string;
    readonly mode?: number;
    readonly uid?: number;
  }): Promise<string>;
  /** Copies a home whose server does not run. */
  copy(home: string): Promise<string>;
  /** Kills every server in these homes and removes all of them. */
  clear(): Promise<void>;
}

export function createHomes(): Homes {
  const homes: string[] = [];

  const make: Homes['make'] = async ({ parent = tmpdir(), mode = 0o755, uid } = {}) => {
    const home = await realpath(await mkdtemp(join(parent, 'nightshift-home-')));
    homes.push(home);
    await chmod(home, mode);
    if (uid !== undefined) spawnSync('chown', [String(uid), home]);
    return home;
  };

  return {
    make,
    async copy(home) {
      const copy = await make();
      // Keeps the owners of the files, which Node's own copy functions do not.
      const { status, stderr } = spawnSync('cp', ['-a', `${home}/.`, copy], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`The home could not be copied: ${stderr}`);
      return copy;
    },
    async clear() {
      for (const home of homes.splice(0)) {
        await stopPrivateServer({ home, force: true });
        await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
        await rm(sharedDataParent(home), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
      }
      await removeIfEmpty(join(sharedFolder, 'bin'));
      await removeIfEmpty(sharedFolder);
    },
  };
}

/** Runs a statement on a separate connection. Returns the rows. */
export async function query(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = await connect(url);
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Opens a connection that may be lost without failing the test. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Starts `private-postgres-child.ts` in a separate process and session, as another user if `uid` is given. */
export function spawnChild(args: readonly string[], uid?: number): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', childPath, ...args], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
}

/** Parses the first line that a child prints as a JSON object. */
export async function readAnswer(child: ChildProcess): Promise<Record<string, unknown>> {
  if (child.stdout === null) throw new Error('the child has no stdout');
  for await (const line of createInterface({ input: child.stdout })) {
    const answer: unknown = JSON.parse(line);
    return { ...(typeof answer === 'object' ? answer : {}) };
  }
  throw new Error(`the child ended without an answer, exit code ${child.exitCode}`);
}

/** Kills a child process and waits until it has ended. */
export async function killOutright(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** True if a user may read the checkout and run Node from it; tests as an ordinary user need this. */
export function canUseCheckout(uid: number): boolean {
  const test = spawnSync(
    '/bin/sh',
    ['-c', 'test -r "$1" && test -x "$2"', 'sh', childPath, process.execPath],
    {
      uid,
      gid: uid,
      cwd: '/',
    },
  );
  return test.status === 0;
}

/** True for the temporary names left beside a data folder. */
export function isLeftover(name: string): boolean {
  return basename(name).includes('.tmp-');
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'EACCES') throw error;
  }
}
