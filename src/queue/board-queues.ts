import type { Queue } from 'bullmq';
import { catalog, type JobKind } from './catalog.ts';
import { createQueue, type QueueConnection } from './connection.ts';
import { withQueue } from './with-queue.ts';

/** A queue as somebody looks at it who runs the service. */
export interface BoardQueue {
  readonly queue: Queue;
  /** Description of its jobs, in a sentence. */
  readonly about: string;
}

const queues: readonly (readonly [kind: JobKind, about: string])[] = [
  ['chunk', 'Parts of lists whose companies and addresses are looked up.'],
  ['quarantined', 'Lookups that are tried alone, because a worker died over them.'],
  ['tick', 'The times of schedules.'],
  ['recheck', 'Addresses whose mail servers asked to come back later.'],
];

/** All queues there are, opened to be looked at. Whoever opens them closes them. @throws QueueUnavailable */
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
