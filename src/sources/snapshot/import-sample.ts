import { sampleRows } from '../../core/sample/sample-ads.ts';
import type { SnapshotLoadOptions, SnapshotRow, SnapshotStore } from '../../core/sources/snapshot-store.ts';
import type { SnapshotImport } from './import.ts';

/** Options of a load of the sample. */
export interface SampleImportOptions extends Pick<SnapshotLoadOptions, 'onWait' | 'signal'> {
  readonly store: Pick<SnapshotStore, 'load'>;
  /** Day of the sample, `YYYY-MM-DD`. */
  readonly day: string;
}

/**
 * Loads the generated sample as of a day. It replaces that of an earlier day.
 *
 * @throws ValidationError for a day before that of the loaded sample, or in the future.
 */
export async function importSample({ store, day, ...options }: SampleImportOptions): Promise<SnapshotImport> {
  const load = await store.load('sample', inOneBlock(sampleRows(day)), {
    ...options,
    asOf: day,
    isWhole: true,
  });
  return { ...load, rowsWithoutDates: 0 };
}

async function* inOneBlock(rows: readonly SnapshotRow[]): AsyncGenerator<readonly SnapshotRow[]> {
  yield rows;
}
