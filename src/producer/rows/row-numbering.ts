import type { CsvRecord } from '../../csv/collect-records.ts';
import type { RawRow } from '../columns/company-file.ts';
import { fileTooLarge } from '../../csv/file-error.ts';

/** Options of the numbering of rows. */
export interface RowOptions {
  readonly fileName: string;
  /** Header; every row should have as many cells. */
  readonly header: readonly string[];
  readonly rowsMax: number;
}

/**
 * Creates a function that converts records, in order, to numbered data rows.
 *
 * A row with too few or too many cells keeps its cells and gets a problem, because the wrong cell is unknown.
 *
 * The function throws ValidationError at the first row beyond `rowsMax`.
 */
export function createRowNumbering(
  options: RowOptions,
): (records: readonly CsvRecord[]) => readonly RawRow[] {
  let rowNo = 0;

  function toRow({ lineNo, cells, problem }: CsvRecord): RawRow {
    rowNo += 1;
    if (rowNo > options.rowsMax) throw tooManyRows(lineNo, options);
    if (cells.length === options.header.length) return { rowNo, lineNo, cells, problem };
    const wrong = wrongCount(cells.length, options.header);
    return { rowNo, lineNo, cells, problem: problem === null ? wrong : `${wrong}; ${problem}` };
  }

  return (records) => records.map(toRow);
}

function wrongCount(count: number, header: readonly string[]): string {
  const counts = `${count} fields instead of ${header.length}`;
  if (count > header.length) return `too many fields: ${counts}`;
  const missing = header.slice(count).map((name) => JSON.stringify(name));
  const shown = missing.length > 5 ? [...missing.slice(0, 5), '…'] : missing;
  return `too few fields: ${counts}, missing ${shown.join(', ')}`;
}

function tooManyRows(lineNo: number, { fileName, rowsMax }: RowOptions): Error {
  const rows = rowsMax.toLocaleString('en-US');
  return fileTooLarge(
    fileName,
    lineNo,
    `The file has more than ${rows} data rows. Split it into smaller files.`,
  );
}
