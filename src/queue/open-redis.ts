import { Cluster, Redis } from 'ioredis';
import { redisCommand } from '../core/work/retry-policies.ts';

/**
 * A client for `REDIS_URL`: `redis://` or `rediss://`, or several nodes of a cluster separated by commas.
 *
 * It connects with the first command, since most of ours need none, and reconnects for ever: a worker rides out a Redis restart.
 * Commands wait meanwhile. `onError` is told of each loss once, not of every attempt to come back.
 */
export function openRedis(url: string, onError: (error: Error) => void): Redis {
  const nodes = url.split(',').map((node) => node.trim());
  const client =
    nodes.length > 1 ? openCluster(nodes) : new Redis(url, { ...redisCommand, lazyConnect: true });
  tellOnce(client, onError);
  return client;
}

/** A server that was never there is `reachRedis`'s to report. */
function tellOnce(client: Redis, onError: (error: Error) => void): void {
  let isAway = true;
  client.on('ready', () => (isAway = false));
  client.on('error', (error) => {
    if (!isAway) onError(error);
    isAway = true;
  });
}

/** BullMQ and our scripts use what `Redis` and `Cluster` have in common. */
function openCluster(nodes: readonly string[]): Redis {
  const cluster = new Cluster([...nodes], {
    redisOptions: redisCommand,
    lazyConnect: true,
  });
  return cluster as unknown as Redis;
}
