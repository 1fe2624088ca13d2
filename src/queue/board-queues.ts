import type { Queue } from 'bullmq';
import { catalog, type JobKind } from './catalog.ts';
import { createQueue, type QueueConnection } from './connection.ts';
import { withQueue } from './with-queue.ts';

/** Queue on the operator's board. */
export interface BoardQueue {
  readonly queue: Queue;
  /** Description of its jobs. */
  readonly about: string;
}

const queues: readonly (readonly [kind: JobKind, about: string])[] = [
  ['chunk', 'Chunks of batches'],
  ['quarantined', 'Lookups in quarantine, because a worker died while processing them'],
  ['tick', 'Runs of schedules'],
  ['inbox', 'Looks into inboxes'],
  ['recheck', 'Rechecks of addresses whose mail servers use greylisting'],
];

/** Opens all queues for the board. The caller closes them. @throws QueueUnavailable */
export async function openBoardQueues(
  connection: QueueConnection,
  { onError }: { readonly onError: (error: Error) => void },
): Promise<{ readonly queues: readonly BoardQueue[]; readonly close: () => Promise<void> }> {
  const opened = queues.map(([kind, about]) => ({
    queue: createQueue(catalog[kind].queue, connection),
    about,
  }));
  for (const { queue } of opened) queue.on('error', onError);
  await withQueue(() => Promise.all(opened.map(({ queue }) => queue.waitUntilReady())));
  return {
    queues: opened,
    close: async () => void (await Promise.all(opened.map(({ queue }) => queue.close()))),
  };
}
