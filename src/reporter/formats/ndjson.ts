import assert from 'node:assert/strict';
import { distinctNames, numberText } from './report-row.ts';
import type { Cell, ReportColumn } from './report-row.ts';
import type { ReportWriter } from './report-writer.ts';

/** Writes NDJSON: one object per line, each ended by LF, nothing else. Never defused, because nothing runs it. */
export function createNdjsonWriter(columns: readonly ReportColumn[]): ReportWriter {
  const object = createObjectText(columns);
  return {
    head: '',
    block: (lines) => lines.map((cells) => `${object(cells)}\n`).join(''),
    tail: '',
  };
}

/**
 * Makes the function that writes a line as a JSON object, keys in column order.
 *
 * The user's own cells are strings, or null where the row had no such cell; ours keep their type. A key that the user's
 * header repeats gets a suffix (`_2`, …) from its second time on, because a reader of JSON keeps only one of them.
 */
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
