import type { Redis } from 'ioredis';
import { QueueUnavailable } from '../core/errors.ts';

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
