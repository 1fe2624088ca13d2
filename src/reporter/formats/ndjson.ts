import assert from 'node:assert/strict';
import { distinctNames, numberText } from './report-row.ts';
import type { Cell, ReportColumn } from './report-row.ts';
import type { ReportWriter } from './report-writer.ts';

/** Writes NDJSON: one object per line, each terminated by LF. Cells are never escaped, because no reader runs them. */
export function createNdjsonWriter(columns: readonly ReportColumn[]): ReportWriter {
  const object = createObjectText(columns);
  return {
    head: '',
    block: (lines) => lines.map((cells) => `${object(cells)}\n`).join(''),
    tail: '',
  };
}

/** Creates the function that formats a line as a JSON object, keys in column order. */
export function createObjectText(columns: readonly ReportColumn[]): (cells: readonly Cell[]) => string {
  // Built as text: in an object literal, `__proto__` would vanish and keys like "1" would move to the front.
  const keys = distinctNames(columns.map((column) => column.name)).map((name) => `${JSON.stringify(name)}:`);
  return (cells) => {
    assert.equal(cells.length, columns.length, 'a line has one cell per column');
    return `{${cells.map((cell, index) => `${keys[index]}${valueText(cell, columns[index])}`).join(',')}}`;
  };
}

function valueText(cell: Cell, column: ReportColumn | undefined): string {
  if (cell === null) return 'null';
  if (typeof cell === 'string') return JSON.stringify(cell);
  const text = typeof cell === 'number' ? numberText(cell) : String(cell);
  return column?.own === true ? `"${text}"` : text;
}
