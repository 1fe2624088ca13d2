import type { Recheck } from '../core/validation/recheck.ts';
import { catalog, type RecheckJob } from './catalog.ts';
import { createQueue, type QueueConnection } from './connection.ts';
import { withQueue } from './with-queue.ts';

/** The queue of addresses whose mail servers are asked again. */
export interface RecheckQueue {
  /**
   * Puts them into the queue; those of the same round once. What the queue loses is due again by the record in Postgres.
   *
   * @throws QueueUnavailable
   */
  enqueue(rechecks: readonly Recheck[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the queue on either backend, whose tables are there. */
export async function openRecheckQueue(
  connection: QueueConnection,
  options: { onError: (error: Error) => void },
): Promise<RecheckQueue> {
  const queue = createQueue(catalog.recheck.queue, connection);
  queue.on('error', options.onError);
  await withQueue(() => queue.waitUntilReady());
  return {
    enqueue: (rechecks) =>
      withQueue(async () => {
        await queue.addBulk(
          rechecks.map(({ lookupId, round }) => ({
            name: 'recheck',
            data: { lookupId: String(lookupId), round } satisfies RecheckJob,
            opts: { jobId: `recheck-${lookupId}-${round}` },
          })),
        );
      }),
    close: () => queue.close(),
  };
}
