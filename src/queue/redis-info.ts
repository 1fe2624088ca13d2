import { Cluster, type Redis } from 'ioredis';
import { reachRedis } from './reach-redis.ts';
import { openRedis } from './open-redis.ts';

/** A Redis server as it describes itself (INFO), for each node of a cluster. Sizes in bytes. */
export interface RedisInfo {
  /** `host:port`. */
  readonly node: string;
  /** Version of Redis; Valkey reports the version of Redis that it is compatible with. */
  readonly version: string;
  readonly isReplica: boolean;
  readonly isCluster: boolean;
  readonly policy: string;
  readonly hasAppendOnlyFile: boolean;
  readonly appendOnlyFileFails: boolean;
  readonly usedBytes: number;
  /** 0: no limit of its own. */
  readonly bytesMax: number;
  /** Milliseconds since 1970: its clock, and ours before and after. */
  readonly clock: { readonly askedAtMs: number; readonly theirsMs: number; readonly answeredAtMs: number };
}

/**
 * Asks the server of `REDIS_URL`, or each master of the cluster, for INFO and TIME; CONFIG, which hosted servers forbid, is not used.
 *
 * @throws QueueUnavailable when it cannot be reached within five seconds.
 */
export async function readRedisInfo(url: string): Promise<readonly RedisInfo[]> {
  const client = openRedis(url, () => undefined);
  try {
    await reachRedis(client);
    return await Promise.all(mastersOf(client).map(readNode));
  } finally {
    client.disconnect();
  }
}

/** Our clients of a cluster are typed as what they have in common with those of one server. */
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
    node: `${client.options.host ?? ''}:${client.options.port ?? ''}`,
    version: text('redis_version'),
    isReplica: text('role') === 'slave',
    isCluster: text('cluster_enabled') === '1',
    policy: text('maxmemory_policy'),
    hasAppendOnlyFile: text('aof_enabled') === '1',
    appendOnlyFileFails: text('aof_last_write_status') === 'err',
    usedBytes: Number(text('used_memory')),
    bytesMax: Number(text('maxmemory')),
    clock: { askedAtMs, theirsMs: Number(seconds) * 1000 + Number(micros) / 1000, answeredAtMs },
  };
}

/** Lines `name:value`, in sections headed by `# Section`. */
function parseInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.includes(':'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}
