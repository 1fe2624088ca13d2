import { ValidationError } from '../../core/errors.ts';
import { workbookLinesMax } from '../../core/reports/workbook-lines.ts';

/**
 * Maximum number of cells of a workbook, besides its lines. Our choice, because it is built in memory: a million cells take
 * half a gigabyte and about ten seconds. Excel's own limit is 1,048,576 rows.
 */
const cellsMax = 1_000_000;

/** Maximum number of columns, and of characters of a cell, in Excel ("Excel specifications and limits"). */
const columnsMax = 16_384;
const charsMax = 32_767;

const without = 'Export it as CSV or Parquet, which have no such limit.';

/**
 * Rejects an export with more lines than fit. If few columns are known so far, it may still turn out too large.
 *
 * @throws ValidationError
 */
export function rejectLineCount(lineCount: number, columnCount = 1): void {
  const room = Math.min(workbookLinesMax, Math.floor(cellsMax / columnCount));
  if (lineCount <= room) return;
  const why = room === workbookLinesMax ? '' : `, and with ${columnCount} columns ${shown(room)}`;
  throw new ValidationError(
    `XLSX is for exports of ${shown(workbookLinesMax)} lines at most${why}; this one has more. ${without}`,
  );
}

/** @throws ValidationError for more columns than Excel supports. */
export function rejectColumnCount(columnCount: number): void {
  if (columnCount <= columnsMax) return;
  throw new ValidationError(
    `XLSX has room for ${shown(columnsMax)} columns, and this export has ${shown(columnCount)}. ${without}`,
  );
}

/**
 * Rejects a cell that Excel would truncate or report as damaged.
 *
 * @throws ValidationError that names the row of the sheet, where the header is row 1, and the column.
 */
export function rejectLongText(text: string, at: { readonly rowNo: number; readonly column: string }): void {
  if (text.length <= charsMax) return;
  throw new ValidationError(
    `A cell of XLSX holds ${shown(charsMax)} characters at most. Row ${at.rowNo}, column ${JSON.stringify(at.column)} has ` +
      `${shown(text.length)}. ${without}`,
  );
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
