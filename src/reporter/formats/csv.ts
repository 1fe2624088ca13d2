import assert from 'node:assert/strict';
import { defuse } from './escape-formula.ts';
import { numberText } from './report-row.ts';
import type { Cell, ReportColumn } from './report-row.ts';
import type { ReportWriter } from './report-writer.ts';

export interface CsvOptions {
  /** Writes every cell, and the header, as it came. Default false: what a spreadsheet would run is defused. */
  readonly raw?: boolean;
  /** Line ending. Default LF: what Unix tools and databases expect, and all spreadsheets read; RFC 4180 has CRLF. */
  readonly lineEnd?: '\n' | '\r\n';
}

/**
 * Writes CSV by RFC 4180: comma, UTF-8 without a BOM, a header, one line per row, LF at line ends unless told otherwise.
 *
 * Only a field that needs quotes has them: one with a comma, a quote, a line break, or white space at either end (some
 * readers trim it). Null is an empty field. Numbers and truth values stand as they are. By hand, because csv-stringify
 * is half as fast and its guard misses a formula after a space, NBSP, BOM, NUL or line feed.
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
  let separator = '';
  for (const cell of cells) {
    text += separator + fieldText(cell, raw);
    separator = ',';
  }
  // An empty line is no row to most readers, so a row of one empty field needs its quotes.
  return text === '' ? '""' : text;
}

function fieldText(cell: Cell, raw: boolean): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return numberText(cell);
  if (typeof cell === 'boolean') return String(cell);
  const text = raw ? cell : defuse(cell);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `\s` has the BOM and NBSP: with quotes, a BOM in the first header cannot pass for the mark of the file. */
const needsQuotes = /[",\r\n]|^\s|\s$/;
