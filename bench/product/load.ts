import { importSnapshot } from '../../src/adapters/ads/snapshot/import.ts';
import type { App } from '../../src/app.ts';
import { loadList } from '../../src/cli/load-list.ts';
import type { LoadedBatch } from '../../src/producer/load-batch.ts';
import { peakRssMb, timed } from '../support/figures.ts';
import { quietContext } from './command-context.ts';
import type { LoadResult } from './tasks.ts';

/** Loads a list as `nightshift load --again` does. */
export function loadAgain(app: App, file: string): Promise<LoadedBatch> {
  return loadList(quietContext(app), file, { source: 'snapshot', again: true });
}

/** The same, measured. */
export async function loadFile(app: App, file: string): Promise<LoadResult> {
  const { seconds, value } = await timed(() => loadAgain(app, file));
  const { rows } = await app.batches.readSummary(app.accountId, value.publicId);
  return { batchId: value.batchId, rows: rows.total, seconds, peakRssMb: peakRssMb() };
}

/** Loads ads as `nightshift snapshot load` does, statistics included. */
export async function loadSnapshot({ snapshots }: App, file: string): Promise<LoadResult> {
  const load = () => importSnapshot({ store: snapshots, name: 'snapshot', files: [file] });
  const { seconds, value } = await timed(load);
  return { batchId: null, rows: value.rows, seconds, peakRssMb: peakRssMb() };
}
