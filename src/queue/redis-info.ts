import type { Socket } from 'node:net';
import { Cluster, type Redis } from 'ioredis';
import { reachRedis } from './reach-redis.ts';
import { openRedis } from './open-redis.ts';
import { readRedisTopology, type RedisTopology } from './redis-topology.ts';

export { explainRedisError } from './explain-redis-error.ts';
export type { RedisTopology };

/** Redis server, as reported by INFO; for a cluster, one of its nodes. Sizes in bytes. */
export interface RedisInfo {
  /** `host:port`. */
  readonly node: string;
  /** Version of Redis; Valkey reports the version of Redis that it is compatible with. */
  readonly version: string;
  readonly isReplica: boolean;
  /** Number of connected replicas. */
  readonly replicas: number;
  readonly isCluster: boolean;
  readonly policy: string;
  readonly hasAppendOnlyFile: boolean;
  readonly appendOnlyFileFails: boolean;
  readonly usedBytes: number;
  /** Memory limit; 0: none. */
  readonly bytesMax: number;
  /** Clock of the server, with the local time before and after; in milliseconds since 1970. */
  readonly clock: { readonly askedAtMs: number; readonly theirsMs: number; readonly answeredAtMs: number };
}

/** Servers of `REDIS_URL` that take writes, and how others stand in for them. */
export interface RedisSurvey {
  readonly topology: RedisTopology;
  /** One; of a cluster all masters. */
  readonly servers: readonly RedisInfo[];
}

/**
 * Reads INFO and TIME of the server of `REDIS_URL`, of the master that its sentinels name, or of each master of the cluster. Does not use
 * CONFIG, which hosted servers forbid.
 *
 * @throws QueueUnavailable when it is unreachable for five seconds.
 */
export async function surveyRedis(url: string): Promise<RedisSurvey> {
  const client = openRedis(url, () => undefined);
  try {
    await reachRedis(client);
    const [topology, servers] = await Promise.all([
      readRedisTopology(url),
      Promise.all(mastersOf(client).map(readNode)),
    ]);
    return { topology, servers };
  } finally {
    client.disconnect();
  }
}

/** Returns the masters of a cluster, or the client of a single server. */
function mastersOf(client: Redis): readonly Redis[] {
  const opened: object = client;
  return opened instanceof Cluster ? opened.nodes('master') : [client];
}

async function readNode(client: Redis): Promise<RedisInfo> {
  const info = parseInfo(await client.info());
  const askedAtMs = Date.now();
  const [seconds, micros] = await client.time();
  const answeredAtMs = Date.now();
  const text = (name: string) => info.get(name) ?? '';
  return {
    node: nodeOf(client),
    version: text('redis_version'),
    isReplica: text('role') === 'slave',
    replicas: Number(text('connected_slaves')),
    isCluster: text('cluster_enabled') === '1',
    policy: text('maxmemory_policy'),
    hasAppendOnlyFile: text('aof_enabled') === '1',
    appendOnlyFileFails: text('aof_last_write_status') === 'err',
    usedBytes: Number(text('used_memory')),
    bytesMax: Number(text('maxmemory')),
    clock: { askedAtMs, theirsMs: Number(seconds) * 1000 + Number(micros) / 1000, answeredAtMs },
  };
}

/** Server to which the client is connected: with sentinels, the options name none. */
function nodeOf({ options, stream }: Redis): string {
  const { host, port } =
    options.sentinels === null || options.sentinels === undefined ? options : addressOf(stream);
  return `${host ?? ''}:${port ?? ''}`;
}

function addressOf({ remoteAddress, remotePort }: Socket) {
  return { host: remoteAddress, port: remotePort };
}

/** Parses lines `name:value`, in sections headed by `# Section`. */
function parseInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.includes(':'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}
