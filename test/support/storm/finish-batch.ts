import { readNightshift } from '../cli/nightshift-process.ts';
import type { BatchRun } from '../faults/loaded-batch.ts';
import { listDeadLetters } from './progress.ts';
import { poolSize } from './storm.ts';
import { startWorkers } from './worker-pool.ts';

/** After the faults: as fast as possible. */
export const finalRateLimit = {
  NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '1000',
  NIGHTSHIFT_UPSTREAM_BURST: '200',
};

const finishMsMax = 900_000;

/**
 * Lets new workers finish the batch in peace. Returns the companies that killed their worker five times alone: dead letters, which
 * `retry --in-doubt` calls again.
 */
export async function finishBatch(run: BatchRun): Promise<readonly string[]> {
  const startedAtMs = performance.now();
  const workerPool = startWorkers(run, poolSize, finalRateLimit);
  await run.untilFinished(finishMsMax);
  const deadLetters = await listDeadLetters(run.database);
  if (deadLetters.length > 0) {
    await readNightshift(['retry', run.batch, '--in-doubt'], run.environment);
    await run.untilFinished(finishMsMax);
  }
  await workerPool.dismiss();
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  process.stderr.write(`  the rest in peace: ${seconds} s, ${deadLetters.length} dead letters tried again\n`);
  return deadLetters;
}
