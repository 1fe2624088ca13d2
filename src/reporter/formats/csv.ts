import assert from 'node:assert/strict';
import { escapeFormula } from './escape-formula.ts';
import { numberText } from './report-row.ts';
import type { Cell, ReportColumn } from './report-row.ts';
import type { ReportWriter } from './report-writer.ts';

export interface CsvOptions {
  /** True to write every cell and the header unchanged. Default false: formulas are escaped. */
  readonly raw?: boolean;
  /** Line ending. Default LF, which Unix tools and databases expect and all spreadsheets accept; RFC 4180 has CRLF. */
  readonly lineEnd?: '\n' | '\r\n';
}

/**
 * Writes CSV by RFC 4180: comma, UTF-8 without a BOM, a header, one line per row, LF by default.
 *
 * Only fields that need quotes have them: those with a comma, a quote, a line break, or white space at either end (some readers
 * trim it). Null is an empty field. Numbers and booleans are written as they are. Own code, because csv-stringify is half as
 * fast and its guard misses a formula after a space, NBSP, BOM, NUL or line feed.
 */
export function createCsvWriter(columns: readonly ReportColumn[], options: CsvOptions = {}): ReportWriter {
  const { raw = false, lineEnd = '\n' } = options;
  const line = (cells: readonly Cell[]): string => {
    assert.equal(cells.length, columns.length, 'a line has one cell per column');
    return lineText(cells, raw) + lineEnd;
  };
  return {
    head: line(columns.map((column) => column.name)),
    block: (lines) => lines.map(line).join(''),
    tail: '',
  };
}

function lineText(cells: readonly Cell[], raw: boolean): string {
  let text = '';
  // Most cells of a wide report are empty: their separators are added together.
  let pending = 0;
  let isOpen = false;
  for (const cell of cells) {
    if (isOpen) pending += 1;
    isOpen = true;
    if (cell === null) continue;
    text += separators(pending) + fieldText(cell, raw);
    pending = 0;
  }
  text += separators(pending);
  // Most parsers skip an empty line, so a row of one empty field needs its quotes.
  return text === '' ? '""' : text;
}

function separators(count: number): string {
  return count === 1 ? ',' : ','.repeat(count);
}

function fieldText(cell: Exclude<Cell, null>, raw: boolean): string {
  if (typeof cell === 'number') return numberText(cell);
  if (typeof cell === 'boolean') return String(cell);
  const text = raw ? cell : escapeFormula(cell);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `\s` includes BOM and NBSP: with quotes, a BOM in the first header cannot pass for the byte order mark of the file. */
const needsQuotes = /[",\r\n]|^\s|\s$/;
