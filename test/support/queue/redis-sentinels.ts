import { vi } from 'vitest';
import { waitMsMax } from '../wait-bound.ts';
import { loseMaster, type FailingRedis } from './failing-redis.ts';
import { queueSettings, readInfo, startRedisProcess, type RedisProcess } from './redis-process.ts';

/** Name of the master in tests. */
export const masterName = 'main';

/** A master, its replicas and their sentinels. */
export interface SentinelServers extends FailingRedis {
  readonly servers: readonly RedisProcess[];
  readonly sentinels: readonly RedisProcess[];
}

export interface SentinelOptions {
  readonly sentinels?: number;
  readonly replicas?: number;
  readonly password?: string;
  readonly sentinelPassword?: string;
  /** Time without an answer after which a server counts as lost. */
  readonly downAfterMs?: number;
}

/** Starts them and waits until all sentinels know each other and the replicas. */
export async function startSentinels({
  sentinels: count = 3,
  replicas = 2,
  password,
  sentinelPassword,
  downAfterMs = 1500,
}: SentinelOptions = {}): Promise<SentinelServers> {
  const login = password === undefined ? [] : [`requirepass ${password}`, `masterauth ${password}`];
  const startServer = (settings: readonly string[]) =>
    startRedisProcess({
      settings: [...queueSettings, ...login, ...settings],
      ...(password === undefined ? {} : { password }),
    });
  const master = await startServer([]);
  const others = await Promise.all(
    Array.from({ length: replicas }, () => startServer([`replicaof 127.0.0.1 ${master.port}`])),
  );
  const servers = [master, ...others];
  await untilReplicated(master, replicas);
  const watch = [
    `sentinel monitor ${masterName} 127.0.0.1 ${master.port} ${Math.floor(count / 2) + 1}`,
    `sentinel down-after-milliseconds ${masterName} ${downAfterMs}`,
    `sentinel failover-timeout ${masterName} 3000`,
    ...(password === undefined ? [] : [`sentinel auth-pass ${masterName} ${password}`]),
    ...(sentinelPassword === undefined ? [] : [`requirepass ${sentinelPassword}`]),
  ];
  const sentinels = await Promise.all(
    Array.from({ length: count }, () =>
      startRedisProcess({
        settings: watch,
        args: ['--sentinel'],
        ...(sentinelPassword === undefined ? {} : { password: sentinelPassword }),
      }),
    ),
  );
  await Promise.all(sentinels.map((sentinel) => untilAllKnown(sentinel, count, replicas)));

  /** By the account of most sentinels: after two failovers in a row one of them can be late. */
  async function findMaster(): Promise<RedisProcess> {
    const ports = await Promise.all(sentinels.map(askForMaster));
    const found = servers.find(({ port }) => 2 * ports.filter((each) => each === port).length > count);
    if (found === undefined) throw new Error('The sentinels name no master together.');
    return found;
  }

  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `sentinel://${password === undefined ? '' : `:${password}@`}${hosts}/${masterName}${
      sentinelPassword === undefined ? '' : `?sentinelPassword=${sentinelPassword}`
    }`,
    servers,
    sentinels,
    failOver: (options) => loseMaster(servers, findMaster, options),
    async close() {
      await Promise.all([...sentinels, ...servers].map((started) => started.close()));
    },
  };
}

async function askForMaster({ client }: RedisProcess): Promise<number> {
  const answer = await client.call('SENTINEL', 'get-master-addr-by-name', masterName);
  return Number((answer as readonly string[])[1]);
}

async function untilReplicated(master: RedisProcess, replicas: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const connected = Number(await readInfo(master, 'connected_slaves'));
      if (connected < replicas) throw new Error(`${connected} of ${replicas} replicas are connected.`);
    },
    { timeout: waitMsMax, interval: 50 },
  );
}

async function untilAllKnown({ client }: RedisProcess, sentinels: number, replicas: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const list = (await client.call('SENTINEL', 'MASTER', masterName)) as string[];
      const numberOf = (name: string) => Number(list[list.indexOf(name) + 1]);
      const [others, slaves] = [numberOf('num-other-sentinels'), numberOf('num-slaves')];
      if (others < sentinels - 1 || slaves < replicas)
        throw new Error(`A sentinel knows ${others} others and ${slaves} replicas.`);
    },
    { timeout: waitMsMax, interval: 100 },
  );
}
