import type { ReportDepth } from '../batches/batch-report.ts';
import { ValidationError } from '../errors.ts';
import { failpoint } from '../failpoint.ts';
import type { DueLanding, LandedSize, LandingStore } from './landing.ts';
import type { LandedColumn } from './part-exporter.ts';
import type { LandedCell, LoadedTable, TableLoader } from './table-loader.ts';

/** Lines of a batch with their columns. */
export interface LandedLines {
  readonly columns: readonly LandedColumn[];
  readonly lines: AsyncIterable<readonly (readonly LandedCell[])[]>;
}

/** Port: reads the lines of a batch from one snapshot, in input order. @throws Conflict for a purged batch */
export interface LineReader {
  readLines<T>(
    batchKey: number,
    shape: ReportDepth,
    use: (report: LandedLines) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>;
}

export interface LandTableOptions {
  readonly landings: LandingStore;
  readonly reader: LineReader;
  readonly loader: TableLoader;
  readonly signal: AbortSignal;
}

/**
 * Loads a landing into a table of the user's own, in one transaction of that database. A repeated load has the same effect, so it is exactly
 * once, whichever answer is lost.
 *
 * @throws StorageUnavailable | StorageRejected | LeaseLost | ValidationError, and the errors of the reader.
 */
export async function landTable(
  landing: DueLanding,
  table: string,
  { landings, reader, loader, signal }: LandTableOptions,
): Promise<LandedSize> {
  const { batch, shape, target } = landing;
  const { key } = target.options;
  await landings.planPart(landing, { part: 1, path: table, rows: 0, bytes: 0, sha256: null });
  failpoint('table:planned');
  const loaded = await reader.readLines(
    batch.batchKey,
    shape,
    ({ columns, lines }) => {
      if (key !== null) rejectMissingKey(key, columns);
      const { publicId, finishedAt } = batch;
      return loader.load({ table, columns, lines, key, batch: publicId, finishedAt, signal });
    },
    signal,
  );
  failpoint('table:committed');
  const { rows, bytes } = loaded;
  await landings.planPart(landing, { part: 1, path: table, rows, bytes, sha256: null });
  await landings.recordPart(landing, 1);
  failpoint('table:recorded');
  return { rows, bytes, parts: 1, note: noteOf(loaded) };
}

function rejectMissingKey(key: readonly string[], columns: readonly LandedColumn[]): void {
  for (const name of key) {
    const column = columns.find((each) => each.name === name);
    const known = columns.map((each) => each.name).join(', ');
    if (column === undefined) {
      throw new ValidationError(
        `The batch has no column ${JSON.stringify(name)} for the key. It has: ${known}.`,
      );
    }
    if (column.kind === 'text' || name === 'input_line') continue;
    throw new ValidationError(
      `The column ${name} cannot be part of a key: choose columns of text, or input_line.`,
    );
  }
}

function noteOf({ repeatedKeys, outdated }: LoadedTable): string | null {
  const notes = [
    ...(repeatedKeys === 0
      ? []
      : [`${repeatedKeys} lines have the key of a later line, which replaced them`]),
    ...(outdated === 0 ? [] : [`${outdated} rows of later batches were kept`]),
  ];
  return notes.length === 0 ? null : notes.join('; ');
}
