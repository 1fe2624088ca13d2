import { Cluster, Redis } from 'ioredis';

/**
 * A client for `REDIS_URL`: `redis://` or `rediss://`, or several nodes of a cluster separated by commas.
 *
 * It reconnects for ever: a worker rides out a Redis restart. Commands wait meanwhile.
 */
export function openRedis(url: string, onError: (error: Error) => void): Redis {
  const nodes = url.split(',').map((node) => node.trim());
  const client = nodes.length > 1 ? openCluster(nodes) : new Redis(url, { maxRetriesPerRequest: null });
  client.on('error', onError);
  return client;
}

/** BullMQ and our scripts use what `Redis` and `Cluster` have in common. */
function openCluster(nodes: readonly string[]): Redis {
  const cluster = new Cluster([...nodes], { redisOptions: { maxRetriesPerRequest: null } });
  return cluster as unknown as Redis;
}
