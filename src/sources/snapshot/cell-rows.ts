import type { SnapshotRow } from '../../core/sources/snapshot-store.ts';
import { ValidationError } from '../../core/errors.ts';
import { daysElsewhere, missingIds, snapshotColumns } from './columns.ts';
import { parseSnapshotCells } from './wire.ts';

/** One record of a CSV file, as `src/producer` reads it. */
interface CellRecord {
  readonly lineNo: number;
  readonly cells: readonly string[];
  /** Problem of cells that cannot be stored, or null. */
  readonly problem: string | null;
}

export interface CellRowOptions {
  /** Makes the error for a line, counted from 1. */
  readonly atLine: (lineNo: number, message: string, cause?: unknown) => ValidationError;
}

/**
 * Reads the flat CSV form, one creative per record; the first record is the header.
 *
 * @throws ValidationError from `atLine` when the header lacks an id, and at the first record that is not a creative. A record
 * with more or fewer cells than the header is invalid: it was truncated, or split by an unquoted separator.
 */
export async function* readCellRows(
  records: AsyncIterable<readonly CellRecord[]>,
  options: CellRowOptions,
): AsyncGenerator<readonly SnapshotRow[]> {
  let header: readonly string[] | null = null;
  for await (const block of records) {
    let rest = block;
    if (header === null) {
      header = parseHeader(block[0], options);
      rest = block.slice(1);
    }
    yield parseBlock(header, rest, options);
  }
}

function parseHeader(first: CellRecord | undefined, { atLine }: CellRowOptions): readonly string[] {
  const header = first?.cells ?? [];
  const missing = missingIds(header);
  const [elsewhere] = daysElsewhere(header);
  if (missing.length === 0 && elsewhere === undefined) return header;
  if (missing.length === 0)
    throw atLine(
      first?.lineNo ?? 1,
      `${elsewhere ?? ''}: the days of an ad are read from first_shown and last_shown, or from region_stats as JSON; give the columns these names`,
    );
  throw atLine(
    first?.lineNo ?? 1,
    `${missing.join(', ')}: the file is neither NDJSON, whose lines begin with {, nor a CSV whose header has this column. ` +
      `A CSV has the columns ${snapshotColumns.join(', ')}`,
  );
}

function parseBlock(
  header: readonly string[],
  block: readonly CellRecord[],
  options: CellRowOptions,
): readonly SnapshotRow[] {
  const rows: SnapshotRow[] = [];
  for (const record of block) rows.push(parseRecord(header, record, options));
  return rows;
}

function parseRecord(header: readonly string[], record: CellRecord, { atLine }: CellRowOptions): SnapshotRow {
  const { lineNo, cells, problem } = record;
  if (problem !== null) throw atLine(lineNo, `The line ${problem}`);
  if (cells.length !== header.length) {
    throw atLine(lineNo, `The line has ${cells.length} cells, the header ${header.length}`);
  }
  try {
    return parseSnapshotCells(header, cells);
  } catch (error) {
    if (error instanceof ValidationError) throw atLine(lineNo, error.message, error);
    throw error;
  }
}
