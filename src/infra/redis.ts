import { Cluster, Redis } from 'ioredis';
import { QueueUnavailable } from '../core/errors.ts';

/**
 * A client for `REDIS_URL`: `redis://` or `rediss://`, or several nodes of a cluster separated by commas.
 *
 * It reconnects for ever: a worker rides out a Redis restart. Commands wait meanwhile. `onError` is told of each loss once, not of
 * every attempt to come back.
 */
export function openRedis(url: string, onError: (error: Error) => void): Redis {
  const nodes = url.split(',').map((node) => node.trim());
  const client = nodes.length > 1 ? openCluster(nodes) : new Redis(url, { maxRetriesPerRequest: null });
  tellOnce(client, onError);
  return client;
}

const reachMsMax = 5000;

/**
 * Waits until the server answers for the first time. Later losses are ridden out; one that was never there is a wrong address more
 * often than a restart, and the person who waits should hear of it.
 *
 * @throws QueueUnavailable when it does not within five seconds, or refuses our login.
 */
export async function reachRedis(client: Redis): Promise<void> {
  let met: Error | undefined;
  let timer: NodeJS.Timeout | undefined;
  const note = (error: Error) => void (met = error);
  client.on('error', note);
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(met ?? new Error('no answer')), reachMsMax);
  });
  try {
    await Promise.race([client.ping(), late]);
  } catch (cause) {
    throw new QueueUnavailable(
      'Redis cannot be reached. Check that the server runs and that REDIS_URL is right.',
      {
        cause,
      },
    );
  } finally {
    clearTimeout(timer);
    client.off('error', note);
  }
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
  const cluster = new Cluster([...nodes], { redisOptions: { maxRetriesPerRequest: null } });
  return cluster as unknown as Redis;
}
