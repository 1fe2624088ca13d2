import type { App } from '../../../app/app.ts';
import { isFinal, type BatchSummary } from '../../../core/batches/batch.ts';
import { formatCredits } from '../../../core/credits/credits.ts';
import { sleep } from '../../../core/async/wait.ts';
import { subjectsOf } from './batch-view.ts';
import type { CommandContext } from '../../context/command-context.ts';
import { createRate, formatDuration, withProgress, type Progress } from '../../terminal/progress.ts';

const askEveryMs = 200;
/** Without progress for so long, the reason is looked for. */
const stillMs = 1500;

/**
 * Follows a batch, with progress, until it is finished or waits for something that only a person can give. A source that is away or
 * has put up a wall comes back by itself, and is waited for.
 */
export async function followBatch(context: CommandContext, publicId: string): Promise<BatchSummary> {
  const app = await context.app();
  return withProgress(context.output, 'Enriching', async (progress) => {
    const rate = createRate(() => performance.now());
    const readReason = createReasonReader(app, progress);
    for (;;) {
      const batch = await app.batches.store.readSummary(app.accounts.defaultId, publicId);
      const { total, open } = batch.lookups;
      const done = total - open;
      if (isFinal(batch.state) || waitsForAPerson(batch)) {
        progress.finish(`${done} of ${total} ${subjectsOf(batch)}, ${batch.state}`);
        return batch;
      }
      const pace = rate(done, total);
      progress.show(done, total, progressParts(batch, (await readReason(batch, done)) ?? pace));
      await sleep(askEveryMs, context.signal);
    }
  });
}

/**
 * Reads why a batch stands still: work that a killed process left behind is taken up again when its lease has lapsed. Null while the
 * batch moves, and where nothing of that kind is in its way.
 */
function createReasonReader({ batches: { store: batches }, config: { leaseMs } }: App, progress: Progress) {
  let doneBefore = -1;
  let movedAtMs = 0;
  let isPrinted = false;
  return async ({ batchId }: BatchSummary, done: number): Promise<string | null> => {
    if (done !== doneBefore) [doneBefore, movedAtMs] = [done, performance.now()];
    if (performance.now() - movedAtMs < stillMs) return null;
    const leftMs = await batches.readAbandonedMs(batchId, leaseMs);
    if (leftMs === null) return null;
    const left = formatDuration(Math.max(1, leftMs / 1000));
    if (!isPrinted)
      progress.note(`a process that worked on it was cut off; its work is taken up again in ${left}`);
    isPrinted = true;
    return `waiting ${left} for work that was cut off`;
  };
}

function waitsForAPerson({ state, waitKind }: BatchSummary): boolean {
  if (state === 'waiting_for_source') return waitKind !== 'failing' && waitKind !== 'blocked';
  return state === 'waiting_for_credits' || state === 'paused';
}

/** Progress and cost of a batch, with its rate, or the reason of a wait. */
export function progressText(batch: BatchSummary, rate: string): string {
  return progressParts(batch, rate).join(', ');
}

function progressParts(batch: BatchSummary, rate: string): readonly string[] {
  const { lookups, emails, operations, chargedMicro, stateReason } = batch;
  const counts = `${(lookups.total - lookups.open).toLocaleString('en')} of ${lookups.total.toLocaleString('en')}`;
  return [
    `${counts} ${subjectsOf(batch)}`,
    operations.includes('ads_search') ? `${lookups.found.toLocaleString('en')} with ads` : '',
    operations.includes('email_validation') ? `${emails.invalid.toLocaleString('en')} addresses invalid` : '',
    `${formatCredits(chargedMicro)} credits so far`,
    stateReason === null ? rate : `waiting: ${stateReason}`,
  ].filter((part) => part !== '');
}
