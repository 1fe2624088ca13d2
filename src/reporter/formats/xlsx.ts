import type { Cell, ReportColumn } from './report-row.ts';
import type { ReportEncoder } from './report-writer.ts';
import { sheetCells, sheetHeader, type SheetCell } from './xlsx-cells.ts';
import { rejectColumnCount, rejectLineCount } from './xlsx-limits.ts';
import { buildWorkbook } from './xlsx-workbook.ts';

/**
 * Writes a workbook of one sheet for Excel, LibreOffice and others: typed cells, and a bold header that stays in view. The same
 * lines give the same bytes.
 */
export function createXlsxEncoder(
  columns: readonly ReportColumn[],
  signal: AbortSignal | undefined,
): ReportEncoder {
  return async function* encode(blocks) {
    rejectColumnCount(columns.length);
    const rows: (readonly SheetCell[])[] = [sheetHeader(columns)];
    for await (const lines of blocks) {
      rejectLineCount(rows.length - 1 + lines.length, columns.length);
      rows.push(...lines.map((line, index) => cellsOf(line, rows.length + index + 1)));
    }
    yield await buildWorkbook({ rows, widths: columns.map(widthOf) }, signal);
  };

  function cellsOf(line: readonly Cell[], rowNo: number): readonly SheetCell[] {
    return sheetCells(line, columns, rowNo);
  }
}

/** Width in characters: enough for the known content, or for the name. */
function widthOf({ name, kind = 'text' }: ReportColumn): number {
  const needed = { text: 16, count: 8, total: 12, credits: 8, flag: 8, day: 12, moment: 24 }[kind];
  return Math.min(widthMax, Math.max(needed, name.length + 2));
}

const widthMax = 40;
