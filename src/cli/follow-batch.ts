import { isFinal, type BatchSummary } from '../core/batch/batch.ts';
import { formatCredits } from '../core/credits/credits.ts';
import { sleep } from '../core/wait.ts';
import { subjectsOf } from './batch-view.ts';
import type { CommandContext } from './command-context.ts';
import { createRate, startProgress } from './progress.ts';

const askEveryMs = 200;

/**
 * Follows a batch, with progress, until it is finished or waits for something that only a person can give. A source that is away or
 * has put up a wall comes back by itself, and is waited for.
 */
export async function followBatch(context: CommandContext, publicId: string): Promise<BatchSummary> {
  const app = await context.app();
  const progress = startProgress(context.output, 'Enriching');
  const rate = createRate(() => performance.now());
  for (;;) {
    const batch = await app.batches.readSummary(app.accountId, publicId);
    const done = batch.lookups.total - batch.lookups.open;
    if (isFinal(batch.state) || waitsForAPerson(batch)) {
      progress.end(`${done} of ${batch.lookups.total} ${subjectsOf(batch)}, ${batch.state}`);
      return batch;
    }
    progress.show(done, batch.lookups.total, progressText(batch, rate(done, batch.lookups.total)));
    await sleep(askEveryMs, context.signal);
  }
}

function waitsForAPerson({ state, waitKind }: BatchSummary): boolean {
  if (state === 'waiting_for_source') return waitKind !== 'failing' && waitKind !== 'blocked';
  return state === 'waiting_for_credits' || state === 'paused';
}

/** How far a batch is and what it cost so far, with how fast it goes, or why it waits. */
export function progressText(batch: BatchSummary, rate: string): string {
  const { lookups, emails, operations, chargedMicro, stateReason } = batch;
  const counts = `${(lookups.total - lookups.open).toLocaleString('en')} of ${lookups.total.toLocaleString('en')}`;
  return [
    `${counts} ${subjectsOf(batch)}`,
    operations.includes('ads_search') ? `${lookups.found.toLocaleString('en')} with ads` : '',
    operations.includes('email_validation') ? `${emails.invalid.toLocaleString('en')} addresses invalid` : '',
    `${formatCredits(chargedMicro)} credits so far`,
    stateReason === null ? rate : `waiting: ${stateReason}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
