import type { SnapshotRow } from '../../core/sources/snapshot-store.ts';
import { ValidationError } from '../../core/errors.ts';
import type { ObjectTable } from '../../tables/records/object-table.ts';
import { daysElsewhere, missingIds } from './columns.ts';
import { parseSnapshotRow } from './wire.ts';

export interface ObjectRowOptions {
  /** Makes the error for a row, counted from 1, or for the file. */
  readonly atRow: (rowNo: number | null, message: string, cause?: unknown) => ValidationError;
}

/**
 * Reads the rows of a file with types and nested values, one creative per row.
 *
 * @throws ValidationError from `atRow` when the file lacks an id, and at the first row that is not a creative.
 */
export async function* readObjectRows(
  { columns, blocks }: ObjectTable,
  { atRow }: ObjectRowOptions,
): AsyncGenerator<readonly SnapshotRow[]> {
  const problem = problemOf(columns);
  if (problem !== null) throw atRow(null, problem);
  for await (const { firstRowNo, rows } of blocks) {
    yield rows.map((row, index) => {
      try {
        return parseSnapshotRow(row);
      } catch (error) {
        if (error instanceof ValidationError) throw atRow(firstRowNo + index, error.message, error);
        throw error;
      }
    });
  }
}

function problemOf(columns: readonly string[]): string | null {
  const missing = missingIds(columns);
  if (missing.length > 0)
    return `${missing.join(', ')}: the file has no such column. Its columns are ${shownNames(columns)}`;
  const [elsewhere] = daysElsewhere(columns);
  return elsewhere === undefined
    ? null
    : `${elsewhere}: the days of an ad are read from first_shown and last_shown, or from region_stats; give the columns these names`;
}

const namesMax = 20;

function shownNames(names: readonly string[]): string {
  const others = names.length - namesMax;
  const shown = names.slice(0, namesMax).join(', ');
  return others > 0 ? `${shown} and ${others} more` : shown;
}
