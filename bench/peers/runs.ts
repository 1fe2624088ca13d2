import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createClosers, type Closers } from '../../src/closers.ts';
import { findRedisProgram, spawnRedis } from '../../test/support/queue/test-redis.ts';
import { writeList, type ListOptions } from '../data/company-list.ts';
import { runCommand } from '../product/command.ts';
import { startProduct } from '../product/product-process.ts';
import { leadsResult, verifyResult } from '../product/tasks.ts';
import { openBenchServer, openServer, settle, withClient } from '../support/bench-server.ts';
import { readCpuSeconds } from '../support/cpu.ts';
import { expectEqual } from '../support/expect.ts';
import { timed } from '../support/figures.ts';
import { startEngine } from './engine-process.ts';
import type { ReadyEngine } from './install.ts';
import { checkOurs, checkPeer, expectedRecord } from './oracle.ts';
import { openingMicro, peerTables } from './peer-sql.ts';
import type { PeerCompany } from './peer-task.ts';
import { openPgqServer } from './pgq-server.ts';
import type { PeerServer } from './servers.ts';

/** Work of a run: companies that warm an engine up, and those that are measured. */
export interface PeerWork {
  readonly folder: string;
  readonly seed: number;
  readonly warmUp: PeerList;
  readonly measured: PeerList;
}

/** A list in the form of a file, and its companies. */
export interface PeerList {
  readonly list: ListOptions;
  readonly companies: readonly PeerCompany[];
}

/** Seconds of the measured companies: on the clock, and of the CPU in all processes. */
export interface PeerRun {
  readonly wall: number;
  readonly cpu: number;
  /** Its part in the worker; the rest is that of the servers. */
  readonly workerCpu: number;
}

/** Runs an engine on servers of its own, and compares what it leaves with the expected result. */
export function runPeer(
  { engine, node }: ReadyEngine,
  size: number,
  { folder, seed, warmUp, measured }: PeerWork,
): Promise<PeerRun> {
  return withOwnClosers(async (closers) => {
    const server = await openPeerServer(engine.needs === 'pgq', folder, closers);
    await withClient(server.databaseUrl, async (client) => {
      await client.query(peerTables);
      await client.query('INSERT INTO peers.accounts VALUES (1, $1)', [openingMicro]);
    });
    const redis = engine.needs === 'redis' ? await openRedisServer(closers) : null;
    const { databaseUrl } = server;
    const place = { script: engine.script, node, databaseUrl, redisUrl: redis?.url ?? null, size, seed };
    const started = await startEngine(place, closers);
    await started.run(warmUp.companies);
    await settle(databaseUrl);
    const servers = [server.pid, ...(redis === null ? [] : [redis.child.pid ?? 0])];
    const run = await measure({ worker: started.pid, servers }, () => started.run(measured.companies));
    // As after a crash in the middle of a job: a company that comes again changes nothing.
    await started.run(warmUp.companies);
    await started.close();
    const all = [...warmUp.companies, ...measured.companies];
    await checkPeer(engine.name, databaseUrl, expectedRecord(all, seed));
    return run;
  });
}

/** Runs the product in the same way: its own load of the file, dispatcher, queue and worker in one process. */
export function runOurs({ folder, seed, warmUp, measured }: PeerWork, home: string): Promise<PeerRun> {
  return withOwnClosers(async (closers) => {
    const server = await openBenchServer(home, closers);
    await runCommand(['snapshot', 'load', '--sample'], server.home, closers);
    const product = startProduct(server.home, closers);
    const lookUp = async (list: ListOptions) => {
      const file = join(folder, 'companies.csv');
      await writeList(list, file);
      return () => product.run({ kind: 'leads', file, seed, hasFailures: false });
    };
    leadsResult.parse(await (await lookUp(warmUp.list))());
    await settle(server.url('postgres'));
    const work = await lookUp(measured.list);
    const run = await measure({ worker: product.pid, servers: [server.pid] }, work);
    const all = [...warmUp.companies, ...measured.companies];
    await checkOurs(server.url('postgres'), expectedRecord(all, seed));
    const { findings } = verifyResult.parse(await product.run({ kind: 'verify' }));
    expectEqual('The findings of verify', findings, []);
    return run;
  });
}

async function measure(
  { worker, servers }: { readonly worker: number; readonly servers: readonly number[] },
  work: () => Promise<unknown>,
): Promise<PeerRun> {
  const read = () => ({ worker: readCpuSeconds([worker]), servers: readCpuSeconds(servers) });
  const before = read();
  const { seconds: wall } = await timed(work);
  const after = read();
  const workerCpu = after.worker - before.worker;
  return { wall, cpu: workerCpu + after.servers - before.servers, workerCpu };
}

async function openPeerServer(hasPgq: boolean, folder: string, closers: Closers): Promise<PeerServer> {
  const home = join(folder, `peer-${randomUUID()}`);
  if (hasPgq) return openPgqServer(home, closers);
  const server = await openServer(home, closers);
  return { databaseUrl: server.url('postgres'), pid: server.pid };
}

async function openRedisServer(closers: Closers) {
  return closers.add(await spawnRedis(findRedisProgram() ?? ''), (redis) => redis.close());
}

/** Each run has its own servers, which end with it. */
async function withOwnClosers<T>(work: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = createClosers();
  try {
    return await work(closers);
  } finally {
    await closers.close();
  }
}
