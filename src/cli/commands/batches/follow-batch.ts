import type { App } from '../../../app/app.ts';
import { isFinal, type BatchSummary } from '../../../core/batches/batch.ts';
import { waitText } from '../../../core/work/wait-cause.ts';
import { sleep } from '../../../core/async/wait.ts';
import { subjectsOf } from './batch-view.ts';
import type { BatchOfAccount } from '../../context/choose-batch.ts';
import type { CommandContext } from '../../context/command-context.ts';
import { creditsText } from '../../terminal/credits-text.ts';
import { createRate, formatDuration, withProgress, type Progress } from '../../terminal/progress.ts';

const pollEveryMs = 200;
/** Time without progress after which the reason is read. */
const stillMs = 1500;

/**
 * Follows a batch, with progress, until it is finished or waits for the user. A source that is down or blocks calls recovers by itself:
 * the command waits for it.
 */
export async function followBatch(
  context: CommandContext,
  { accountId, publicId }: BatchOfAccount,
  title = 'Enriching',
): Promise<BatchSummary> {
  const app = await context.app();
  return withProgress(context.output, title, async (progress) => {
    const rate = createRate(() => performance.now());
    const readReason = createReasonReader(app, progress);
    for (;;) {
      const batch = await app.batches.store.readSummary(accountId, publicId);
      const { total, open } = batch.lookups;
      const done = total - open;
      if (isFinal(batch.state) || waitsForUser(batch)) {
        progress.finish(
          `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${subjectsOf(batch)}, ${batch.state}`,
        );
        return batch;
      }
      const rateText = rate(done, total);
      progress.show(done, total, progressParts(batch, (await readReason(batch, done)) ?? rateText));
      await sleep(pollEveryMs, context.signal);
    }
  });
}

/**
 * Reads why a batch makes no progress: work of a killed process is rescued when its lease expires. Null while the batch makes progress,
 * and for any other reason.
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
    if (!isPrinted) progress.note(`a process that worked on it was killed; its work resumes in ${left}`);
    isPrinted = true;
    return `waiting ${left} to rescue interrupted work`;
  };
}

function waitsForUser({ state, waitKind }: BatchSummary): boolean {
  if (state === 'waiting_for_source') return waitKind !== 'failing' && waitKind !== 'blocked';
  return state === 'waiting_for_credits' || state === 'paused';
}

/** Formats progress and cost of a batch, with its rate or the reason for a wait. */
export function progressText(batch: BatchSummary, rate: string): string {
  return progressParts(batch, rate).join(', ');
}

function progressParts(batch: BatchSummary, rate: string): readonly string[] {
  const { lookups, emails, operations, chargedMicro, state, stateReason, wait } = batch;
  const counts = `${(lookups.total - lookups.open).toLocaleString('en')} of ${lookups.total.toLocaleString('en')}`;
  return [
    `${counts} ${subjectsOf(batch)}`,
    operations.includes('ads_search') ? `${lookups.found.toLocaleString('en')} with ads` : '',
    operations.includes('email_validation') ? `${emails.invalid.toLocaleString('en')} addresses invalid` : '',
    `${creditsText(chargedMicro)} so far`,
    state === 'running' ? rate : '',
    wait === null ? (stateReason ?? '') : waitText(wait, new Date()),
  ].filter((part) => part !== '');
}
