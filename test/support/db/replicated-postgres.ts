import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { vi } from 'vitest';
import { ensurePrivateServer } from '../../../src/postgres-server/index.ts';
import { startServer } from '../../../src/postgres-server/start.ts';
import { chooseFreePort } from '../../../src/postgres-server/system/port.ts';
import { readServerUser } from '../../../src/postgres-server/system/server-user.ts';
import { freePort } from '../queue/test-redis.ts';
import { waitMsMax } from '../wait-bound.ts';
import { createHomes } from './private-postgres-folders.ts';
import { inDatabase, withClient } from './test-postgres.ts';

/** A server of a primary and its standbys, as processes of this machine. The passwords are the same on all of them. */
export interface PostgresNode {
  /** URL of a superuser for the database `postgres`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dataFolder: string;
  readonly binariesFolder: string;
  /** Name under which it streams from a primary. */
  readonly name: string;
}

/** Options of a standby. */
export interface StandbyOptions {
  /** Folder for the data, which it creates. Every user may enter its parent. */
  readonly dataFolder: string;
  /** Default: a free one. */
  readonly port?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts the private server of a home as a primary, with the durability of production. */
export async function startPrimary(home: string): Promise<PostgresNode> {
  const server = await ensurePrivateServer({ home });
  const { port, pid, dataFolder, binariesFolder } = server;
  return { url: server.url('postgres', 'postgres'), port, pid, dataFolder, binariesFolder, name: newName() };
}

/**
 * Makes a standby of a running server: a base backup over SQL, which needs no `pg_basebackup`, and a server that streams from the primary.
 * Resolves when it accepts readers and has caught up.
 */
export async function startStandby(
  primary: PostgresNode,
  { dataFolder, port: wanted, settings = {} }: StandbyOptions,
): Promise<PostgresNode> {
  const name = newName();
  await copyData(primary, { dataFolder, name });
  const user = await readServerUser(primary.dataFolder);
  const port = await chooseFreePort(wanted);
  const binaries = { folder: primary.binariesFolder, version: '', major: 0 };
  const started = await startServer({ dataFolder, binaries, user, port, settings });
  const node = { ...primary, url: atPort(primary.url, port), port, pid: started.pid ?? 0, dataFolder, name };
  await untilStreaming(primary, node);
  await untilAccepting(node.url);
  return node;
}

/** Makes the primary wait for this standby at every commit. Resolves when it does. */
async function makeSynchronous(primary: PostgresNode, standby: PostgresNode): Promise<void> {
  await withClient(primary.url, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${standby.name}'`);
    await client.query('SELECT pg_reload_conf()');
    await vi.waitUntil(
      async () => {
        const { rowCount } = await client.query(
          "SELECT FROM pg_stat_replication WHERE application_name = $1 AND sync_state = 'sync'",
          [standby.name],
        );
        return rowCount === 1;
      },
      { timeout: waitMsMax, interval: 20 },
    );
  });
}

/** Promotes a standby, and resolves when it accepts writes. */
export async function promote(standby: PostgresNode): Promise<void> {
  await withClient(standby.url, (client) => client.query('SELECT pg_promote(true, 60)'));
}

/** `kill -9` of the server with all its processes, as when its machine dies. */
export async function killNode({ pid }: Pick<PostgresNode, 'pid'>): Promise<void> {
  for (const each of [pid, ...childrenOf(pid)]) signalTo(each, 'SIGKILL');
  await vi.waitUntil(() => !signalTo(pid, 0), { timeout: waitMsMax, interval: 5 });
}

/** Stops all processes of the server as a frozen machine does, or continues them: its connections stay open, and nothing answers. */
export function freezeNode(
  { pid }: Pick<PostgresNode, 'pid'>,
  signal: 'SIGSTOP' | 'SIGCONT' = 'SIGSTOP',
): void {
  for (const each of [pid, ...childrenOf(pid)]) signalTo(each, signal);
}

/** A primary and its synchronous standby, with one database. */
export interface ReplicatedPostgres {
  /** URL of a superuser that names both servers. */
  readonly url: string;
  readonly primary: () => PostgresNode;
  readonly standby: () => PostgresNode;
  /**
   * Stops the process that streams to the standby until the primary is killed, and resolves a second later: what is acknowledged meanwhile
   * without the standby is lost with the primary.
   */
  holdReplication(): Promise<void>;
  /**
   * Kills the primary and promotes the standby, after a while in which there is no primary. Returns the moment at which it accepted writes, in
   * milliseconds since 1970.
   */
  failOver(awayMs?: number): Promise<number>;
  /** Makes a new synchronous standby of the primary, at the port of the server that was killed. */
  repair(): Promise<void>;
  close(): Promise<void>;
}

/** Starts both servers in a temporary folder, and creates the database. */
export async function openReplicatedPostgres(database: string): Promise<ReplicatedPostgres> {
  const homes = createHomes();
  const folder = await homes.make();
  const origin = await startPrimary(await homes.make());
  await withClient(origin.url, (client) => client.query(`CREATE DATABASE ${database}`));
  const running = new Set([origin]);
  const startOne = async (of: PostgresNode, port: number) => {
    const node = await startStandby(of, { dataFolder: join(folder, newName()), port });
    running.add(node);
    return node;
  };
  // Its port could be taken by the private server of another test while it is dead.
  let primary = await startOne(origin, await freePort());
  await killNode(origin);
  running.delete(origin);
  await promote(primary);
  let standby = await startOne(primary, await freePort());
  await makeSynchronous(primary, standby);
  let dead = primary;
  return {
    url: urlOfBoth([primary, standby], database),
    primary: () => primary,
    standby: () => standby,
    async holdReplication() {
      signalTo(await readWalSender(primary, standby), 'SIGSTOP');
      await wait(1000);
    },
    async failOver(awayMs = 0) {
      await killNode(primary);
      // Another process may get its number.
      running.delete(primary);
      await wait(awayMs);
      dead = primary;
      primary = standby;
      await promote(primary);
      return Date.now();
    },
    async repair() {
      await rm(dead.dataFolder, { recursive: true, force: true });
      standby = await startOne(primary, dead.port);
      await makeSynchronous(primary, standby);
    },
    async close() {
      for (const node of running) {
        freezeNode(node, 'SIGCONT');
        await killNode(node);
      }
      await rm(folder, { recursive: true, force: true });
      await homes.clear();
    },
  };
}

/** URL that names several servers, for logins that write. */
export function urlOfBoth(
  nodes: readonly Pick<PostgresNode, 'url' | 'port'>[],
  database: string,
  attributes = 'read-write',
): string {
  const [first] = nodes;
  if (first === undefined) throw new Error('There is no server.');
  const url = inDatabase(first.url, database);
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return `${url.replace(new URL(url).host, hosts)}?target_session_attrs=${attributes}`;
}

function newName(): string {
  return `node_${randomBytes(4).toString('hex')}`;
}

function atPort(url: string, port: number): string {
  return Object.assign(new URL(url), { port: String(port) }).href;
}

/** Copies the data folder between the start and the stop of a base backup, with a slot that keeps the WAL from its start. */
async function copyData(
  primary: PostgresNode,
  { dataFolder, name }: { readonly dataFolder: string; readonly name: string },
): Promise<void> {
  await withClient(primary.url, async (client) => {
    await client.query('SELECT pg_create_physical_replication_slot($1, true)', [name]);
    await client.query('SELECT pg_backup_start($1, true)', [name]);
    await copyFiles(primary.dataFolder, dataFolder);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await writeFile(join(dataFolder, 'backup_label'), rows[0]?.labelfile ?? '');
  });
  const { username, password, port } = new URL(primary.url);
  await writeFile(join(dataFolder, 'standby.signal'), '');
  await appendFile(
    join(dataFolder, 'postgresql.auto.conf'),
    `\nprimary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password} application_name=${name}'\n` +
      `primary_slot_name = '${name}'\nsynchronous_standby_names = ''\n`,
  );
  await giveToOwner(primary.dataFolder, dataFolder);
}

/** Files that belong to the running server and not to its data. */
const ownFiles = /^(postmaster\.(pid|opts)|server\.log.*|pg_replslot|pg_wal|pg_stat_tmp)$/;

async function copyFiles(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  const entries = (await readdir(from)).filter((entry) => !ownFiles.test(entry));
  const paths = entries.map((entry) => join(from, entry));
  const { status, stderr } = spawnSync('cp', ['-a', ...paths, to], { encoding: 'utf8' });
  // The server may delete a file meanwhile; the WAL repeats that.
  const failures = stderr.split('\n').filter((line) => line !== '' && !/No such file/.test(line));
  if (status !== 0 && failures.length > 0)
    throw new Error(`The data could not be copied: ${failures.join(' ')}`);
  for (const folder of ['pg_replslot', 'pg_stat_tmp', 'pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries'])
    await mkdir(join(to, folder), { mode: 0o700 });
}

async function giveToOwner(from: string, to: string): Promise<void> {
  const { uid, gid } = await stat(from);
  if (process.geteuid?.() !== 0) return;
  const mine = [
    '.',
    'backup_label',
    'standby.signal',
    'pg_replslot',
    'pg_stat_tmp',
    'pg_wal',
    'pg_wal/archive_status',
    'pg_wal/summaries',
  ];
  for (const name of mine) await chown(join(to, name), uid, gid);
}

async function untilStreaming(primary: PostgresNode, { name }: PostgresNode): Promise<void> {
  await withClient(primary.url, (client) =>
    vi.waitUntil(
      async () => {
        const { rowCount } = await client.query(
          "SELECT FROM pg_stat_replication WHERE application_name = $1 AND state = 'streaming'",
          [name],
        );
        return rowCount === 1;
      },
      { timeout: waitMsMax, interval: 20 },
    ),
  );
}

/** Process of the primary that streams to the standby. */
async function readWalSender({ url }: PostgresNode, { name }: PostgresNode): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_replication WHERE application_name = $1',
      [name],
    );
    if (rows[0] === undefined) throw new Error(`${name} does not stream from the primary.`);
    return rows[0].pid;
  });
}

/** Resolves when the database of the URL can be read. */
export async function untilAccepting(url: string): Promise<void> {
  await vi.waitFor(() => withClient(url, (client) => client.query('SELECT 1')), {
    timeout: waitMsMax,
    interval: 50,
  });
}

/** Returns false if there is no such process. */
function signalTo(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

function childrenOf(pid: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}
