import assert from 'node:assert/strict';
import { mayRun } from './escape-formula.ts';
import type { Cell, ColumnKind, ReportColumn } from './report-row.ts';
import { flagOf, numberOf, textOf, timeOf } from './typed-cell.ts';
import { rejectLongText } from './xlsx-limits.ts';
import { sheetText } from './xlsx-text.ts';

/** A cell in the form of the library. Contains no function, so that it can be sent to a thread. */
export type SheetCell = string | number | boolean | null | StyledCell;

interface StyledCell {
  readonly value: string | Date;
  /** Number format of the cell in a spreadsheet; `@` is text. */
  readonly format?: string;
  readonly fontWeight?: 'bold';
}

/** Creates the header: the names of the columns, bold and unchanged. A sheet may contain repeated and empty names. */
export function sheetHeader(columns: readonly ReportColumn[]): readonly SheetCell[] {
  return columns.map(({ name }) => ({
    value: textAt(name, { rowNo: 1, column: name }),
    fontWeight: 'bold',
  }));
}

/** Creates the cells of a line. Omits empty cells, and empty texts, which a sheet does not distinguish from them. */
export function sheetCells(
  line: readonly Cell[],
  columns: readonly ReportColumn[],
  rowNo: number,
): readonly SheetCell[] {
  assert.equal(line.length, columns.length, 'a line has one cell per column');
  return columns.map(({ name, kind = 'text' }, index) => {
    const cell = line[index] ?? null;
    return cell === null ? null : valueOf[kind](cell, { rowNo, column: name });
  });
}

interface Place {
  readonly rowNo: number;
  readonly column: string;
}

type Present = Exclude<Cell, null>;

const valueOf: Readonly<Record<ColumnKind, (cell: Present, at: Place) => SheetCell>> = {
  text: (cell, at) => textCell(textOf(cell), at),
  count: numberOf,
  total: numberOf,
  credits: numberOf,
  flag: flagOf,
  day: (cell, at) => timeCell(cell, 'yyyy-mm-dd', at),
  moment: (cell, at) => timeCell(cell, 'yyyy-mm-dd hh:mm:ss.000', at),
};

/**
 * Keeps a text as text: a spreadsheet runs only stored formulas, and there are none. A text that would run if a user typed it
 * is also formatted as text, so that it does not run after an edit.
 */
function textCell(text: string, at: Place): SheetCell {
  const value = textAt(text, at);
  return mayRun(text) ? { value, format: '@' } : value;
}

function textAt(text: string, at: Place): string {
  rejectLongText(text, at);
  return sheetText(text);
}

/** Excel counts days from 1900 and treats that as a leap year: dates before March 1, 1900 stay text. */
const sheetTimesBegin = Date.UTC(1900, 2, 1);

function timeCell(cell: Present, format: string, at: Place): SheetCell {
  const ms = timeOf(cell);
  return ms < sheetTimesBegin ? textAt(textOf(cell), at) : { value: new Date(ms), format };
}
