import type { RejectedRow } from '../../core/batches/batch-report.ts';
import { createCsvWriter } from '../formats/csv.ts';
import { textBytes } from './report-bytes.ts';
import { nameColumns, type ReportColumn, type UserColumns } from '../formats/report-row.ts';

/** Columns of Nightshift for a rejected row. They precede its own cells, which may be many. */
const ours = ['line', 'reason'];

/**
 * Rejected rows as CSV: the line, the reason, and the row's own cells with their own names. Cells that a spreadsheet would run
 * are escaped.
 */
export function rejectedCsv(
  user: UserColumns,
  rows: AsyncIterable<readonly RejectedRow[]>,
): AsyncIterable<Uint8Array> {
  const named = nameColumns(user, ours);
  const own = named.slice(0, named.length - ours.length);
  const columns: readonly ReportColumn[] = [...named.slice(-ours.length), ...own];
  return textBytes(linesOf(rows, own.length), createCsvWriter(columns));
}

async function* linesOf(rows: AsyncIterable<readonly RejectedRow[]>, width: number) {
  for await (const block of rows) {
    yield block.map(({ lineNo, reason, cells }) => [
      lineNo,
      reason,
      ...cells,
      ...Array<string>(width - cells.length).fill(''),
    ]);
  }
}
