import { vi } from 'vitest';
import { waitMsMax } from '../wait-bound.ts';
import { loseMaster, type FailingRedis } from './failing-redis.ts';
import { queueSettings, readInfo, startRedisProcess, type RedisProcess } from './redis-process.ts';
import { freePort } from './test-redis.ts';

const masters = 3;
const slots = 16_384;

/** A cluster of three masters with a replica each. */
export interface ClusterServers extends FailingRedis {
  readonly servers: readonly RedisProcess[];
}

/** Starts it and waits until all slots are served and all replicas are connected. */
export async function startCluster(): Promise<ClusterServers> {
  const servers = await Promise.all(Array.from({ length: 2 * masters }, startNode));
  await joinAll(servers);

  /** Asks the nodes that answer; one that is lost does not. */
  async function findMaster(prefix: string): Promise<RedisProcess> {
    const tag = /\{(.+?)\}/.exec(prefix)?.[1] ?? prefix;
    const answers = await Promise.all(servers.map((server) => askForMaster(server, tag)));
    const ports = answers.filter((port) => port !== null);
    const [port] = ports.sort((a, b) => countOf(ports, b) - countOf(ports, a));
    const found = servers.find((server) => server.port === port);
    if (found === undefined) throw new Error('No node names the master.');
    return found;
  }

  return {
    url: servers.map(({ port }) => `redis://127.0.0.1:${port}`).join(','),
    servers,
    failOver: (options) => loseMaster(servers, () => findMaster(options.prefix), options),
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

async function startNode(): Promise<RedisProcess> {
  return startRedisProcess({
    settings: [
      ...queueSettings,
      'cluster-enabled yes',
      'cluster-config-file nodes.conf',
      // The usual bus port, 10,000 above the other, can be above the last.
      `cluster-port ${await freePort()}`,
      'cluster-node-timeout 1500',
      // The replica of a master that was frozen for long takes over all the same.
      'cluster-replica-validity-factor 0',
    ],
  });
}

/** As `redis-cli --cluster create` does. */
async function joinAll(servers: readonly RedisProcess[]): Promise<void> {
  const wait = { timeout: waitMsMax, interval: 100 };
  const [first, ...others] = servers;
  const bus = Number(/cluster-port\s+(\d+)/.exec(await configOf(first, 'cluster-port'))?.[1]);
  for (const [i, { client }] of servers.entries()) {
    if (i < masters) {
      const [from, to] = [i, i + 1].map((n) => Math.floor((n * slots) / masters));
      await client.call('CLUSTER', 'ADDSLOTSRANGE', from ?? 0, (to ?? 0) - 1);
    }
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
  }
  for (const { client } of others) await client.call('CLUSTER', 'MEET', '127.0.0.1', first?.port ?? 0, bus);
  await vi.waitFor(async () => {
    for (const { client } of servers) {
      const known = /cluster_known_nodes:(\d+)/.exec(String(await client.call('CLUSTER', 'INFO')))?.[1];
      if (Number(known) < servers.length) throw new Error(`A node knows ${known} nodes.`);
    }
  }, wait);
  for (const [i, { client }] of servers.slice(masters).entries()) {
    await client.call('CLUSTER', 'REPLICATE', String(await servers[i]?.client.call('CLUSTER', 'MYID')));
  }
  await vi.waitFor(async () => {
    for (const [i, server] of servers.entries()) {
      if (!String(await server.client.call('CLUSTER', 'INFO')).includes('cluster_state:ok'))
        throw new Error('A node does not serve.');
      if (i < masters && (await readInfo(server, 'connected_slaves')) !== '1')
        throw new Error('A master has no replica.');
    }
  }, wait);
}

async function configOf(server: RedisProcess | undefined, name: string): Promise<string> {
  return String(await server?.client.config('GET', name)).replace(',', ' ');
}

/** Port of the master of a tag, according to one node; null if it does not answer. */
async function askForMaster({ client }: RedisProcess, tag: string): Promise<number | null> {
  try {
    const slot = Number(await client.call('CLUSTER', 'KEYSLOT', tag));
    const ranges = (await client.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
    return ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1] ?? null;
  } catch {
    return null;
  }
}

function countOf(list: readonly number[], value: number): number {
  return list.filter((other) => other === value).length;
}
