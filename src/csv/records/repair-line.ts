import { findClosing } from './read-by-rules.ts';
import { unescapeCell, type RecordForm } from './record-form.ts';

/**
 * Reads a line with misplaced quotes as a record of exactly `width` cells; null when there is no such reading.
 *
 * A cell with a leading quote is read to its nearest closing quote, else as text, else to a farther closing quote. The first reading in this
 * order that has the width is returned. All other quotes are text.
 */
export function repairLine(line: string, width: number, form: RecordForm): string[] | null {
  const failed = new Set<number>();
  const cells: CellSpan[] = [];
  // Our choice: far more than a damaged line needs, and few enough that a million of them take no hours.
  let stepsLeft = 1_000 + 10 * width;

  /** Reads the cells from a position to the end of the line; `left` is their number. */
  function read(at: number, left: number): boolean {
    const state = at * (width + 1) + left;
    if (failed.has(state)) return false;
    for (const cell of cellsAt(line, at, form)) {
      stepsLeft -= 1;
      if (stepsLeft < 0) return false;
      const isLast = cell.next > line.length;
      if (isLast !== (left === 1)) continue;
      cells.push(cell);
      if (isLast || read(cell.next, left - 1)) return true;
      cells.pop();
    }
    failed.add(state);
    return false;
  }

  if (width < 1 || width > widthMax || !read(0, width)) return null;
  return cells.map((cell) => textOf(line, cell, form));
}

/** Maximum number of columns of a file, and of nested calls here. */
const widthMax = 2_000;

/** Reads a line with misplaced quotes whatever the number of its cells: the first possibility for each cell. */
export function readLeniently(line: string, form: RecordForm): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    const [first] = cellsAt(line, at, form);
    if (first === undefined) break;
    cells.push(textOf(line, first, form));
    at = first.next;
  }
  return cells;
}

/** Place of a cell in its line, without its quotes. */
interface CellSpan {
  readonly from: number;
  readonly to: number;
  readonly isQuoted: boolean;
  /** Position of the next cell; beyond the line after its last cell. */
  readonly next: number;
}

function textOf(line: string, { from, to, isQuoted }: CellSpan, form: RecordForm): string {
  const text = line.slice(from, to);
  return isQuoted ? unescapeCell(text, form) : text;
}

/** Yields the possible cells at a position, the most likely first. */
function* cellsAt(line: string, at: number, form: RecordForm): Generator<CellSpan, undefined> {
  if (!line.startsWith(form.quote, at)) {
    yield plainCell(line, at, form);
    return;
  }
  const closings = closingsFrom(line, at + 1, form);
  const nearest = closings.next().value;
  if (nearest !== undefined) yield quotedCell(line, at, nearest, form);
  yield plainCell(line, at, form);
  for (const closing of closings) yield quotedCell(line, at, closing, form);
}

function plainCell(line: string, from: number, { delimiter }: RecordForm): CellSpan {
  const found = line.indexOf(delimiter, from);
  const isLast = found === -1;
  const to = isLast ? line.length : found;
  return { from, to, isQuoted: false, next: isLast ? line.length + 1 : to + delimiter.length };
}

function quotedCell(line: string, at: number, to: number, { delimiter }: RecordForm): CellSpan {
  const isLast = to === line.length - 1;
  return { from: at + 1, to, isQuoted: true, next: isLast ? line.length + 1 : to + 1 + delimiter.length };
}

/** Yields the quotes before a delimiter or the line end: the closing one by the rules first, then those that the rules read as escaped. */
function* closingsFrom(line: string, from: number, form: RecordForm): Generator<number, undefined> {
  const isClosing = (at: number) => at === line.length - 1 || line.startsWith(form.delimiter, at + 1);
  const ruled = findClosing(line, from, { start: from, end: line.length, isLast: true }, form);
  if (ruled >= 0 && isClosing(ruled)) yield ruled;
  for (let at = line.indexOf(form.quote, from); at !== -1; at = line.indexOf(form.quote, at + 1)) {
    if (at !== ruled && isClosing(at)) yield at;
  }
  return undefined;
}
