import { Misconfigured, QueueUnavailable } from '../core/errors.ts';
import { queueCall } from '../core/work/redis-retries.ts';
import { answerInTime } from '../core/async/answer-in-time.ts';
import type { QueueConnection } from './connection.ts';

/** Runs `work`. An unreachable queue server becomes `QueueUnavailable`. */
export async function withQueue<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AssertionError' || error instanceof Misconfigured)
      throw error;
    throw new QueueUnavailable(
      'The queue is unreachable. Nothing is lost: it is refilled from Postgres when it is back. ' +
        'Check that the server of REDIS_URL (or, without it, Postgres) is running.',
      { cause: error },
    );
  }
}

/** Runs a call to an open queue as `withQueue`. A server that does not answer within `queueCall` counts as unreachable. */
export function withQueueInTime<T>(work: (late: AbortSignal) => Promise<T>): Promise<T> {
  return withQueue(() => answerInTime(queueCall.answerMsMax, work));
}

/** Returns a function that runs calls to an open queue, each as `withQueueInTime`. */
export function callsTo(connection: QueueConnection): <T>(work: () => Promise<T>) => Promise<T> {
  return (work) =>
    withQueueInTime(async (late) => {
      if (connection.kind === 'redis') {
        // The client keeps all commands until the server is back: of a call during an outage, this one only. In a cluster the key leads it to the
        // master of the queue; PING would go to any.
        await connection.client.exists(`${connection.prefix}:reached`);
        late.throwIfAborted();
      }
      return work();
    });
}
