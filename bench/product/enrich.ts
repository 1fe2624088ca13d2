import type { App } from '../../src/app/app.ts';
import { followBatch } from '../../src/cli/commands/batches/follow-batch.ts';
import { runWorkers } from '../../src/cli/process/run-workers.ts';
import type { BatchSummary } from '../../src/core/batches/batch.ts';
import { exportBatch } from '../../src/reporter/export/export-batch.ts';
import type { ReportShape } from '../../src/reporter/formats/report-row.ts';
import { peakRssMb, timed } from '../support/figures.ts';
import { quietContext } from './command-context.ts';
import { loadAgain } from './load.ts';
import type { EnrichResult, Task } from './tasks.ts';

/** Loads, runs and exports a batch like `nightshift enrich --again`, stage by stage. */
export async function enrich(app: App, task: Extract<Task, { kind: 'enrich' }>): Promise<EnrichResult> {
  // The first use of a database creates the tables of the queue, like a migration: not part of a run.
  await app.work.queue();
  const load = await timed(() => loadAgain(app, task.file));
  const work = await timed(() => workOn(app, load.value.batchId, load.value.publicId));
  const rows = await timed(() => exportTo(app, work.value, 'rows', task.rows));
  const { ads: adsTarget } = task;
  const ads = adsTarget === null ? null : await timed(() => exportTo(app, work.value, 'ads', adsTarget));
  return {
    batchId: load.value.batchId,
    load: load.seconds,
    work: work.seconds,
    rows: rows.seconds,
    ads: ads?.seconds ?? null,
    peakRssMb: peakRssMb(),
  };
}

/** Runs a dispatcher and workers in this process until a batch is finished. */
export async function workOn(app: App, batchId: number, publicId: string): Promise<BatchSummary> {
  await app.batches.store.wake(batchId);
  const running = await runWorkers(app);
  try {
    return await followBatch(quietContext(app), { accountId: app.accounts.defaultId, publicId });
  } finally {
    await running.close();
  }
}

/** Writes the report of a batch to a file. */
export async function exportTo(
  app: App,
  batch: BatchSummary,
  shape: ReportShape,
  target: string,
): Promise<void> {
  await exportBatch(app.batches.reportStore, {
    batch,
    format: 'csv',
    shape,
    raw: false,
    target,
    createdAt: new Date(),
  });
}
