import { catalog, type InboxJob } from './catalog.ts';
import { createQueue, type QueueConnection } from './connection.ts';
import { callsTo, withQueue } from './with-queue.ts';

/** Queue of looks into inboxes. */
export interface InboxQueue {
  /**
   * Enqueues looks into inboxes by their public ids; an inbox has at most one job. An inbox whose job is lost is still due in Postgres.
   *
   * @throws QueueUnavailable
   */
  enqueue(inboxes: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the queue on either backend. Its tables must exist. */
export async function openInboxQueue(
  connection: QueueConnection,
  options: { onError: (error: Error) => void },
): Promise<InboxQueue> {
  const queue = createQueue(catalog.inbox.queue, connection);
  queue.on('error', options.onError);
  await withQueue(() => queue.waitUntilReady());
  const call = callsTo(connection);
  return {
    enqueue: (inboxes) =>
      call(async () => {
        await queue.addBulk(
          inboxes.map((inbox) => ({
            name: 'inbox',
            data: { inbox } satisfies InboxJob,
            opts: { jobId: `due-${inbox}`, removeOnFail: true },
          })),
        );
      }),
    close: () => queue.close(),
  };
}
