import { QueueUnavailable } from '../core/errors.ts';

/** Runs `work`; a queue server that is away becomes `QueueUnavailable`. */
export async function withQueue<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AssertionError') throw error;
    throw new QueueUnavailable(
      'The queue cannot be reached. Nothing is lost: it is filled again from Postgres once it is back. ' +
        'Check that the server of REDIS_URL (or, without it, Postgres) runs.',
      { cause: error },
    );
  }
}
