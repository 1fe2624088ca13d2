import { QueueUnavailable } from '../core/errors.ts';

/** Runs `work`. An unreachable queue server becomes `QueueUnavailable`. */
export async function withQueue<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AssertionError') throw error;
    throw new QueueUnavailable(
      'The queue is unreachable. Nothing is lost: it is refilled from Postgres when it is back. ' +
        'Check that the server of REDIS_URL (or, without it, Postgres) is running.',
      { cause: error },
    );
  }
}
