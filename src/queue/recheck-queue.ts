import type { Recheck } from '../core/validation/recheck.ts';
import { catalog, type RecheckJob } from './catalog.ts';
import { createQueue, type QueueConnection } from './connection.ts';
import { callsTo, withQueue } from './with-queue.ts';

/** Queue of mailbox rechecks. */
export interface RecheckQueue {
  /**
   * Enqueues rechecks, each round once. A lost job becomes due again in Postgres.
   *
   * @throws QueueUnavailable
   */
  enqueue(rechecks: readonly Recheck[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the queue on either backend. Its tables must exist. */
export async function openRecheckQueue(
  connection: QueueConnection,
  options: { onError: (error: Error) => void },
): Promise<RecheckQueue> {
  const queue = createQueue(catalog.recheck.queue, connection);
  queue.on('error', options.onError);
  await withQueue(() => queue.waitUntilReady());
  const call = callsTo(connection);
  return {
    enqueue: (rechecks) =>
      call(async () => {
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
