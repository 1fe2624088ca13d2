import { stat } from 'node:fs/promises';
import type {
  SnapshotLoad,
  SnapshotName,
  SnapshotRow,
  SnapshotStore,
} from '../../core/sources/snapshot-store.ts';
import { ValidationError } from '../../core/errors.ts';
import { fileError } from '../../csv/file-error.ts';
import { parseDay } from './day.ts';
import { openExport } from './open-export.ts';

/** Progress of a load. After all bytes are read, the rows are written to the store, which takes about three times as long. */
export interface ImportProgress {
  /** Bytes of the files on disk, compressed or not. */
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly rows: number;
}

export interface ImportOptions {
  readonly store: Pick<SnapshotStore, 'load'>;
  readonly name: SnapshotName;
  /** Paths. All files are one load: all of them are loaded, or none. */
  readonly files: readonly string[];
  /** Day of the export, `YYYY-MM-DD`; null or absent: today, UTC. */
  readonly asOf?: string | null;
  /** Called with every block of rows, a few hundred times per second, and at the end of each file. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called with the reason before the load waits for another process. */
  readonly onWait?: (reason: string) => void;
  /** Aborts the load; nothing of it is kept. */
  readonly signal?: AbortSignal;
}

/** Result of an import. */
export interface SnapshotImport extends SnapshotLoad {
  /** Number of rows without days in the file. */
  readonly rowsWithoutDates: number;
}

/**
 * Loads exports of Google's `creative_stats` and `removed_creative_stats` into a local data set: NDJSON, JSON arrays, CSV, Avro or Parquet, with nested
 * columns or in the flat form, all but Parquet compressed with gzip or not. The content decides, not the file name. Blank
 * lines are skipped. Memory stays constant; a block of Avro or a row group of Parquet is in it as a whole.
 *
 * @throws ValidationError that names file, line or row, field and remedy at the first malformed one, and for files without rows.
 * Nothing of the load is kept then.
 */
export async function importSnapshot(options: ImportOptions): Promise<SnapshotImport> {
  const asOf = parseAsOf(options.asOf ?? null);
  const sizes = await Promise.all(options.files.map(readSize));
  const bytesTotal = sizes.reduce((sum, size) => sum + size, 0);
  const dateless = { count: 0 };
  const rows = countingDateless(readFiles(options, bytesTotal), dateless);
  const load = await options.store.load(options.name, rows, {
    asOf,
    onWait: options.onWait,
    signal: options.signal,
  });
  return { ...load, rowsWithoutDates: dateless.count };
}

function parseAsOf(text: string | null): string | null {
  if (text === null || parseDay(text) !== null) return text;
  throw new ValidationError(
    `The day of the export, ${text}, is not a day that exists. Write it as YYYY-MM-DD, such as 2026-03-31.`,
    { where: 'as_of' },
  );
}

async function* countingDateless(
  blocks: AsyncIterable<readonly SnapshotRow[]>,
  dateless: { count: number },
): AsyncGenerator<readonly SnapshotRow[]> {
  for await (const block of blocks) {
    dateless.count += block.filter(isDateless).length;
    yield block;
  }
}

/** True for an ad without days; a removed one need not have any. */
function isDateless({ start, lastSeen, disapprovals }: SnapshotRow): boolean {
  return start === null && lastSeen === null && disapprovals === null;
}

async function readSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw fileError(path, null, `The file cannot be read: ${error.message}.`, { cause: error });
  }
}

async function* readFiles(
  options: ImportOptions,
  bytesTotal: number,
): AsyncGenerator<readonly SnapshotRow[]> {
  const { files, signal, onProgress } = options;
  let bytesBefore = 0;
  let rows = 0;
  for (const path of files) {
    const input = await openExport(path);
    const report = () => onProgress?.({ bytesRead: bytesBefore + input.bytesRead(), bytesTotal, rows });
    try {
      for await (const block of input.blocks) {
        signal?.throwIfAborted();
        rows += block.length;
        yield block;
        report();
      }
      report();
      bytesBefore += input.bytesRead();
    } finally {
      await input.close();
    }
  }
  if (rows === 0) throw noRows(files);
}

function noRows(files: readonly string[]): ValidationError {
  return new ValidationError(
    `There is no row in ${files.length === 0 ? 'no file' : files.join(', ')}. ` +
      'Expected an export of creative_stats: JSON, a CSV with a header, Avro or Parquet.',
    { where: files[0] ?? 'files' },
  );
}
