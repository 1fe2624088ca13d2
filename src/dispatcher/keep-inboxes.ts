import type { InboxFileStore } from '../core/inboxes/inbox-store.ts';
import type { InboxQueue } from '../queue/inbox-queue.ts';

/** Maximum per round, so that a round stays short. */
const inboxesPerRound = 200;

/** Enqueues the inboxes that are due, or whose holder died. Workers look into them, so that chunks are dispatched meanwhile. */
export async function keepInboxes(
  files: Pick<InboxFileStore, 'listDue'>,
  queue: Pick<InboxQueue, 'enqueue'>,
): Promise<void> {
  const due = await files.listDue(inboxesPerRound);
  if (due.length > 0) await queue.enqueue(due);
}
