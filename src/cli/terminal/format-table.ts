import Table from 'cli-table3';
import { counted } from '../../core/events/messages/text.ts';
import { momentText } from '../../core/reports/days.ts';
import { visibleLines } from '../../core/reports/visible-text.ts';
import { columnsOfText } from './status-line.ts';
import { wrapText } from './wrap-text.ts';

/**
 * Column of a table: its title, and its place in the order in which a narrow terminal hides columns. 1 is hidden first; a column without a
 * place is always shown.
 */
export type TableColumn = string | { readonly title: string; readonly hide: number };

/** Width below which a column of text is not narrowed. */
const textColumnsMin = 16;

/** Blank that does not end a line: looks like a blank, and is none to the table. Written as a blank. */
const firmBlank = '\u2800';

/**
 * Formats a table for people. Control characters in cells are written as their numbers.
 *
 * A table that is too wide wraps its texts at blanks. If that is not enough, it hides columns, and a line below states how many. The last resort is
 * a list with one line per cell. Ids, URLs, times and numbers never break.
 *
 * @param columnsMax width of the terminal; Infinity keeps every cell in one line.
 */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly unknown[])[],
  columnsMax: number,
): string {
  const all = columns.map((column, i) => toColumn(column, rows, i));
  const shown = chooseColumns(all, columnsMax);
  const widths = fitWidths(shown, columnsMax);
  const text = widths === null ? listCells(shown, columnsMax) : drawTable(shown, widths);
  return `${text}${hiddenText(all.length - shown.length)}`;
}

interface Column {
  readonly title: string;
  readonly hide: number;
  /** Text of each cell. */
  readonly cells: readonly string[];
  /** Width of the whole text and minimum width, padding included. */
  readonly width: number;
  readonly widthMin: number;
}

function toColumn(column: TableColumn, rows: readonly (readonly unknown[])[], index: number): Column {
  const { title, hide } = typeof column === 'string' ? { title: column, hide: Infinity } : column;
  const cells = rows.map((row) => cellText(row[index]));
  const widthOf = (separator: RegExp) =>
    padding + Math.max(...[title, ...cells].flatMap((text) => text.split(separator).map(columnsOfText)));
  const width = widthOf(/\n/);
  const widthMin = Math.min(width, Math.max(textColumnsMin, widthOf(/\s+/)));
  return { title: visibleLines(title), hide, cells, width, widthMin };
}

const padding = 2;

/** Chooses the columns that fit: those that are always shown, then the others, most important first. */
function chooseColumns(all: readonly Column[], columnsMax: number): readonly Column[] {
  let chosen: readonly Column[] = all.filter(({ hide }) => hide === Infinity);
  for (const column of all.filter(({ hide }) => hide < Infinity).sort((a, b) => b.hide - a.hide)) {
    const wider = all.filter((each) => chosen.includes(each) || each === column);
    if (fitWidths(wider, columnsMax) !== null) chosen = wider;
  }
  return chosen;
}

function hiddenText(hidden: number): string {
  if (hidden === 0) return '';
  const columns = counted(hidden, 'column is', 'columns are');
  return `\n${columns} hidden. Widen the terminal, or use --json.`;
}

/** Returns widths that fit, narrowing the widest columns first; null when the table is too wide at its minimum. */
function fitWidths(columns: readonly Column[], columnsMax: number): readonly number[] | null {
  const widths = columns.map(({ width }) => width);
  const borders = columns.length + 1;
  for (;;) {
    const over = widths.reduce((sum, width) => sum + width, borders) - columnsMax;
    if (over <= 0) return widths;
    const reducible = columns.map(({ widthMin }, i) => ((widths[i] ?? 0) > widthMin ? (widths[i] ?? 0) : 0));
    const widest = Math.max(...reducible);
    if (widest === 0) return null;
    const next = Math.max(0, ...reducible.filter((width) => width < widest));
    const column = reducible.indexOf(widest);
    widths[column] = Math.max(next - 1, columns[column]?.widthMin ?? 0, widest - over);
  }
}

function drawTable(columns: readonly Column[], widths: readonly number[]): string {
  const table = new Table({
    head: columns.map(({ title }) => title),
    style: { head: [], border: [], compact: true },
    colWidths: [...widths],
    wordWrap: true,
  });
  const rows = columns[0]?.cells.map((_, i) => columns.map(({ cells }) => cells[i] ?? '')) ?? [];
  table.push(...rows);
  return table.toString().replaceAll(firmBlank, ' ');
}

/** Lists the cells, one line each: a paragraph per row, without its empty cells. */
function listCells(columns: readonly Column[], columnsMax: number): string {
  const titleColumns = Math.max(...columns.map(({ title }) => columnsOfText(title)));
  const rows = columns[0]?.cells.map((_, i) =>
    columns.flatMap(({ title, cells }) => {
      const text = cells[i] ?? '';
      const label = title + ' '.repeat(titleColumns - columnsOfText(title));
      return text === '' ? [] : [hangingText(label, text, columnsMax)];
    }),
  );
  return (rows ?? [])
    .map((lines) => lines.join('\n'))
    .join('\n\n')
    .replaceAll(firmBlank, ' ');
}

/** Puts a text beside its label, or below if it is a word that is too wide for that. */
function hangingText(label: string, text: string, columnsMax: number): string {
  const room = columnsMax - columnsOfText(label) - padding;
  const lines = wrapText(text, room).split('\n');
  const isWide = lines.some((line) => columnsOfText(line) > room);
  if (isWide)
    return `${label.trimEnd()}\n  ${wrapText(text, columnsMax - padding)
      .split('\n')
      .join('\n  ')}`;
  return lines.map((line, i) => `${i === 0 ? label : ' '.repeat(columnsOfText(label))}  ${line}`).join('\n');
}

/** Converts a value to text: `1,234`, `2026-03-05 02:04 UTC`, JSON for a list or an object. */
function cellText(value: unknown): string {
  return visibleLines(plainText(value))
    .replaceAll('\t', ' ')
    .replace(moment, (text) => text.replaceAll(' ', firmBlank));
}

/** A time with its zone, as `momentText` formats it. */
const moment = /\b\d{4}-\d\d-\d\d \d\d:\d\d [A-Z]\S*/g;

function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return momentText(value);
  if (typeof value === 'number' || typeof value === 'bigint') return value.toLocaleString('en');
  return typeof value === 'string' ? value : JSON.stringify(value, jsonValue);
}

/** Integers of the database are within the range of JSON readers (2^53). */
function jsonValue(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
