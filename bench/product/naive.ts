import pg from 'pg';
import type { App } from '../../src/app/app.ts';
import { peakRssMb, timed } from '../support/figures.ts';
import { exportTo } from './enrich.ts';
import { loadAgain } from './load.ts';
import { workNaively } from './naive-work.ts';
import type { EnrichResult, Task } from './tasks.ts';

/**
 * Enriches the same file with one BullMQ job and one transaction per company: the obvious first implementation.
 *
 * It uses the product's own load and export, which are independent of this choice, and a fast implementation of each step.
 */
export async function naive(app: App, task: Extract<Task, { kind: 'naive' }>): Promise<EnrichResult> {
  const { connection } = await app.work.queue();
  const { concurrency, url } = task;
  const pool = new pg.Pool({ connectionString: url, options: '-c role=nightshift_app', max: concurrency });
  pool.on('error', () => undefined);
  try {
    const load = await timed(() => loadAgain(app, task.file));
    const { batchId, publicId } = load.value;
    const {
      accounts: { defaultId: accountId },
    } = app;
    const work = await timed(() => workNaively({ pool, connection, accountId, batchId, concurrency }));
    const batch = await app.batches.store.readSummary(accountId, publicId);
    const rows = await timed(() => exportTo(app, batch, 'rows', task.rows));
    const stages = { load: load.seconds, work: work.seconds, rows: rows.seconds, ads: null };
    return { batchId, ...stages, peakRssMb: peakRssMb() };
  } finally {
    await pool.end();
  }
}
