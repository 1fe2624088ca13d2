import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { vi } from 'vitest';
import { readServerUser } from '../../../src/postgres-server/system/server-user.ts';
import { freePort } from '../queue/test-redis.ts';
import { faultWaitMsMax } from '../wait-bound.ts';
import {
  createRunner,
  findPostgresPrograms,
  openEtcd,
  programs,
  type ProgramRunner,
  type RunningProgram,
} from './patroni-programs.ts';
import { haproxySettings, patroniSettings, scope, type PatroniAddress } from './patroni-settings.ts';
import { freezeNode, killNode, untilAccepting, urlOfBoth } from './replicated-postgres.ts';
import { inDatabase, withClient } from './test-postgres.ts';

/** Ways to lose the primary. When etcd was away, the same server may become the primary again. */
export const patroniLosses = ['kill', 'switchover', 'freeze', 'etcd away'] as const;
type PatroniLoss = (typeof patroniLosses)[number];

/** Three servers that Patroni runs, one of the standbys synchronous, with etcd and HAProxy, as processes of this machine. */
export interface PatroniCluster {
  /** URL of a superuser that names the three servers, for logins that write. */
  readonly url: string;
  /** URLs of the same login through HAProxy. */
  readonly proxied: { readonly primary: string; readonly standbys: string };
  /** URL of the same login for the server that is the primary now. */
  readonly primaryUrl: () => Promise<string>;
  /** Loses the primary. Returns the moment at which a primary accepted writes again, in milliseconds since 1970. */
  readonly failOver: (loss: PatroniLoss) => Promise<number>;
  /**
   * Brings the lost server back. Resolves when a standby is synchronous and the other one streams.
   *
   * @param meanwhile runs after a freeze, while the Postgres of the lost server runs again, before a watchdog resets its machine.
   */
  readonly repair: (meanwhile?: () => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface PatroniNode extends PatroniAddress {
  readonly url: string;
  readonly start: () => RunningProgram;
  running: RunningProgram;
}

/** The server that has the leader key and accepts writes. */
interface Leader {
  readonly node: PatroniNode;
  /** Grows with every promotion. */
  readonly timeline: number;
}

const awayMs = 8000;

/** Starts everything in a temporary folder, and creates the database. */
export async function openPatroni(database: string): Promise<PatroniCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'nightshift-patroni-'));
  // Root's programs run as another user.
  await chmod(folder, 0o777);
  const runner = createRunner(folder, await readServerUser(undefined));
  const etcd = await openEtcd(runner);
  const nodes = await startNodes(runner, etcd.port);
  const ports = { primary: await freePort(), standbys: await freePort() };
  await writeFile(join(folder, 'haproxy.cfg'), haproxySettings(nodes, ports));
  const haproxy = runner.start('haproxy', programs.haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')]);
  await untilSynchronous(nodes);
  const { node: first } = await untilLeader(nodes, 0);
  await withClient(first.url, (client) => client.query(`CREATE DATABASE ${database}`));
  const urlAt = (port: number) => Object.assign(new URL(inDatabase(first.url, database)), { port }).href;
  // A standby without it rejects the login, which ends the choice of a server.
  for (const { port } of nodes) await untilAccepting(urlAt(port));
  let lost: { readonly node: PatroniNode; readonly isFrozen: boolean } | undefined;

  async function lose(loss: PatroniLoss, { name, ...node }: PatroniNode): Promise<void> {
    if (loss === 'kill') {
      await node.running.kill();
      await killPostgres(folder, name);
    } else if (loss === 'freeze') {
      process.kill(node.running.pid, 'SIGSTOP');
      freezeNode({ pid: postgresOf(folder, name) });
    } else if (loss === 'switchover') {
      const settings = join(folder, `${name}.yml`);
      runner.run(programs.patronictl, ['-c', settings, 'switchover', scope, '--leader', name, '--force']);
    } else {
      await etcd.kill();
      await wait(awayMs);
      etcd.start();
    }
  }

  return {
    url: urlOfBoth(nodes, database),
    proxied: { primary: urlAt(ports.primary), standbys: urlAt(ports.standbys) },
    primaryUrl: async () => urlAt((await untilLeader(nodes, 0)).node.port),
    async failOver(loss) {
      const { node, timeline } = await untilLeader(nodes, 0);
      await lose(loss, node);
      if (loss === 'kill' || loss === 'freeze') lost = { node, isFrozen: loss === 'freeze' };
      await untilLeader(nodes, timeline + 1);
      return Date.now();
    },
    async repair(meanwhile = () => Promise.resolve()) {
      if (lost?.isFrozen === true) {
        freezeNode({ pid: postgresOf(folder, lost.node.name) }, 'SIGCONT');
        await meanwhile();
        // As the watchdog does. A Patroni that goes on after a freeze may take the leader key from the new primary.
        await lost.node.running.kill();
        await killPostgres(folder, lost.node.name);
      }
      if (lost !== undefined) lost.node.running = lost.node.start();
      lost = undefined;
      await untilSynchronous(nodes);
    },
    async close() {
      for (const { name, running } of nodes) {
        await running.kill();
        await killPostgres(folder, name);
      }
      await Promise.all([haproxy.kill(), etcd.kill()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startNodes(runner: ProgramRunner, etcdPort: number): Promise<readonly PatroniNode[]> {
  const password = randomBytes(12).toString('hex');
  const binaries = findPostgresPrograms() ?? '';
  const { folder } = runner;
  const nodes: PatroniNode[] = [];
  for (const name of ['db1', 'db2', 'db3']) {
    const address = { name, port: await freePort(), restPort: await freePort() };
    const settings = join(folder, `${name}.yml`);
    await writeFile(settings, patroniSettings({ ...address, folder, etcdPort, binaries, password }));
    const start = () => runner.start(name, programs.patroni, [settings]);
    const url = `postgres://postgres:${password}@127.0.0.1:${address.port}/postgres`;
    nodes.push({ ...address, url, start, running: start() });
  }
  return nodes;
}

/** Resolves with the leader when its timeline is at least this one. */
function untilLeader(nodes: readonly PatroniNode[], timelineMin: number): Promise<Leader> {
  return vi.waitFor(
    async () => {
      const answers = await Promise.all(nodes.map((node) => askWhetherLeader(node)));
      const found = answers.find((leader) => leader !== undefined && leader.timeline >= timelineMin);
      if (found === undefined) throw new Error('No server is the primary.');
      return found;
    },
    { timeout: faultWaitMsMax, interval: 100 },
  );
}

async function askWhetherLeader(node: PatroniNode): Promise<Leader | undefined> {
  const status = await ask<{ role?: string; state?: string; timeline?: number }>(node, 'primary');
  // It answers 200 with the leader key, which comes before the promotion.
  if (!/^(master|primary)$/.test(status?.role ?? '') || status?.state !== 'running') return undefined;
  return { node, timeline: status.timeline ?? 0 };
}

/** Resolves when all servers are in their places, and a standby confirms every COMMIT. */
async function untilSynchronous(nodes: readonly PatroniNode[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const { node } = await untilLeader(nodes, 0);
      const cluster = await ask<{ members: readonly { role: string; state: string }[] }>(node, 'cluster');
      const members = cluster?.members.map(({ role, state }) => `${role} ${state}`).sort();
      if (!/^leader running,replica (running|streaming),sync_standby (running|streaming)$/.test(`${members}`))
        throw new Error(`The servers are: ${members}.`);
    },
    { timeout: faultWaitMsMax, interval: 100 },
  );
}

/** Answer of a Patroni, undefined unless it says yes within a second. */
async function ask<Answer>({ restPort }: PatroniNode, path: string): Promise<Answer | undefined> {
  try {
    const signal = AbortSignal.timeout(1000);
    const response = await fetch(`http://127.0.0.1:${restPort}/${path}`, { signal });
    return response.ok ? ((await response.json()) as Answer) : undefined;
  } catch {
    return undefined;
  }
}

async function killPostgres(folder: string, name: string): Promise<void> {
  const pid = postgresOf(folder, name);
  if (pid > 0) await killNode({ pid });
}

/** Process of a server, 0 if it does not run. */
function postgresOf(folder: string, name: string): number {
  const data = join(folder, name);
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    // The file outlives a kill, and another process may get the number.
    return readlinkSync(`/proc/${pid}/cwd`) === data ? pid : 0;
  } catch {
    return 0;
  }
}
