import { Cluster, Redis } from 'ioredis';
import { redisCommand } from '../core/work/retry-policies.ts';

/**
 * Opens a client for `REDIS_URL`: `redis://` or `rediss://`, or several nodes of a cluster separated by commas.
 *
 * It connects with the first command, because most commands of Nightshift need no queue, and reconnects forever: a worker
 * survives a restart of Redis. Commands wait meanwhile. `onError` is called once per loss, not for every attempt to reconnect.
 */
export function openRedis(url: string, onError: (error: Error) => void): Redis {
  const nodes = url.split(',').map((node) => node.trim());
  const client =
    nodes.length > 1 ? openCluster(nodes) : new Redis(url, { ...redisCommand, lazyConnect: true });
  reportOnce(client, onError);
  return client;
}

/** Calls `onError` once per lost connection. An unreachable server is reported by `reachRedis`. */
function reportOnce(client: Redis, onError: (error: Error) => void): void {
  let isAway = true;
  client.on('ready', () => (isAway = false));
  client.on('error', (error) => {
    if (!isAway) onError(error);
    isAway = true;
  });
}

/** Opens a client of a cluster. BullMQ and the scripts use only the common interface of `Redis` and `Cluster`. */
function openCluster(nodes: readonly string[]): Redis {
  const cluster = new Cluster([...nodes], {
    redisOptions: redisCommand,
    lazyConnect: true,
  });
  return cluster as unknown as Redis;
}
