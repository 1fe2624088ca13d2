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
  /** Character between cells. Default: a comma. */
  readonly delimiter?: CsvDelimiter;
  /** Decimal sign of numbers. Default: a point. */
  readonly decimal?: '.' | ',';
  /** True for a byte order mark before the header: without one, Excel reads UTF-8 as another encoding. Default false. */
  readonly bom?: boolean;
}

/** Delimiters of written CSV. */
export const csvDelimiters = [',', ';', '\t', '|'] as const;
type CsvDelimiter = (typeof csvDelimiters)[number];

/**
 * Form of CSV that Excel opens by a double click wherever it opened the input: a byte order mark, and the delimiter of the input. Countries
 * that write `;` between cells write a decimal comma, so numbers have one with `;`. A comma for a delimiter that is unknown or never written.
 */
export function excelForm(
  inputDelimiter: string | null,
): Required<Pick<CsvOptions, 'delimiter' | 'decimal' | 'bom'>> {
  const delimiter = csvDelimiters.find((each) => each === inputDelimiter) ?? ',';
  return { delimiter, decimal: delimiter === ';' ? ',' : '.', bom: true };
}

/**
 * Writes CSV by RFC 4180: a header, one line per row; by default comma, LF, and UTF-8 without a BOM.
 *
 * Only fields that need quotes have them: those with the delimiter, a quote, a line break, or white space at either end (some readers
 * trim it). Null is an empty field. Numbers and booleans are written as they are. Own code, because csv-stringify is half as
 * fast and its guard misses a formula after a space, NBSP, BOM, NUL or line feed.
 */
export function createCsvWriter(columns: readonly ReportColumn[], options: CsvOptions = {}): ReportWriter {
  const { raw = false, lineEnd = '\n', delimiter = ',', decimal = '.', bom = false } = options;
  const form = { raw, delimiter, decimal, needsQuotes: needsQuotes[delimiter] };
  const line = (cells: readonly Cell[]): string => {
    assert.equal(cells.length, columns.length, 'a line has one cell per column');
    return lineText(cells, form) + lineEnd;
  };
  return {
    head: (bom ? byteOrderMark : '') + line(columns.map((column) => column.name)),
    block: (lines) => lines.map(line).join(''),
    tail: '',
  };
}

const byteOrderMark = '\ufeff';

interface LineForm {
  readonly raw: boolean;
  readonly delimiter: CsvDelimiter;
  readonly decimal: '.' | ',';
  readonly needsQuotes: RegExp;
}

function lineText(cells: readonly Cell[], form: LineForm): string {
  let text = '';
  let separator = '';
  for (const cell of cells) {
    text += separator + fieldText(cell, form);
    separator = form.delimiter;
  }
  // Most parsers skip an empty line, so a row of one empty field needs its quotes.
  return text === '' ? '""' : text;
}

function fieldText(cell: Cell, { raw, decimal, needsQuotes: quoted }: LineForm): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return String(cell);
  const text = typeof cell === 'number' ? decimalText(cell, decimal) : shownText(cell, raw);
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function shownText(cell: string, raw: boolean): string {
  return raw ? cell : escapeFormula(cell);
}

function decimalText(value: number, decimal: '.' | ','): string {
  const text = numberText(value);
  return decimal === '.' ? text : text.replace('.', decimal);
}

/** `\s` includes BOM and NBSP: with quotes, a BOM in the first header cannot pass for the byte order mark of the file. */
const needsQuotes: Readonly<Record<CsvDelimiter, RegExp>> = {
  ',': /[",\r\n]|^\s|\s$/,
  ';': /[";\r\n]|^\s|\s$/,
  '\t': /["\t\r\n]|^\s|\s$/,
  '|': /["|\r\n]|^\s|\s$/,
};
