import type { RecheckStore } from '../core/validation/recheck.ts';
import type { RecheckQueue } from '../queue/recheck-queue.ts';

/** Maximum per round, so that a round stays short. */
const rechecksPerRound = 200;
/** Lease of a recheck: longer than any session with a mail server, including its wait. */
const leaseMs = 5 * 60_000;

/** Enqueues the rechecks that are due. */
export async function queueRechecks(
  rechecks: Pick<RecheckStore, 'takeDue'>,
  queue: RecheckQueue,
): Promise<void> {
  const due = await rechecks.takeDue(rechecksPerRound, leaseMs);
  if (due.length > 0) await queue.enqueue(due);
}
