import type { Redis } from 'ioredis';
import { QueueUnavailable } from '../core/errors.ts';

const reachMsMax = 5000;

/**
 * Waits until the server answers for the first time. Later losses are retried; but a server that has never answered is more often
 * a wrong URL than a restart, so the user gets an error.
 *
 * @throws QueueUnavailable when it does not answer within five seconds, or rejects the login.
 */
export async function reachRedis(client: Redis): Promise<void> {
  let lastError: Error | undefined;
  let timer: NodeJS.Timeout | undefined;
  const note = (error: Error) => void (lastError = error);
  client.on('error', note);
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lastError ?? new Error('no answer')), reachMsMax);
  });
  try {
    await Promise.race([client.ping(), late]);
  } catch (cause) {
    throw new QueueUnavailable(
      'Redis is unreachable. Check that the server is running and that REDIS_URL is correct.',
      {
        cause,
      },
    );
  } finally {
    clearTimeout(timer);
    client.off('error', note);
  }
}
