import type { RecheckStore } from '../core/validation/recheck.ts';
import { recheck } from '../core/work/retry-policies.ts';
import type { RecheckQueue } from '../queue/recheck-queue.ts';

/** Maximum per round, so that a round stays short. */
const rechecksPerRound = 200;

/** Enqueues the rechecks that are due. */
export async function queueRechecks(
  rechecks: Pick<RecheckStore, 'takeDue'>,
  queue: RecheckQueue,
): Promise<void> {
  const due = await rechecks.takeDue(rechecksPerRound, recheck.leaseMs);
  if (due.length > 0) await queue.enqueue(due);
}
