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

/** Width of a terminal below which a table has no lines around its cells. */
const columnsWithBoxes = 60;

/** Width below which a column of text is not narrowed. */
const textColumnsMin = 16;

/** Width above which a text wraps before a column is hidden. */
const textColumnsUsual = 40;

/** Blank that does not end a line: looks like a blank, and is none to the table. Written as a blank. */
const firmBlank = '\u2800';

/**
 * Formats a table for people. Control characters in cells are written as their numbers.
 *
 * A table that is too wide hides columns, and a line below states how many. Then it wraps its texts at blanks; a long text wraps before a column
 * is hidden. The last resort is a list with one line per cell. Ids, URLs, times and numbers never break. Below 60 columns, no lines are drawn.
 *
 * @param columnsMax width of the terminal; Infinity keeps every cell in one line.
 */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly unknown[])[],
  columnsMax: number,
): string {
  const all = columns.map((column, i) => toColumn(column, rows, i));
  const style = columnsMax < columnsWithBoxes ? plain : boxed;
  const shown = chooseColumns(all, columnsMax, style);
  const widths = fitWidths(shown, columnsMax, style);
  const text = widths === null ? listCells(shown, columnsMax) : drawTable(shown, widths, style);
  return `${text}${hiddenText(all.length - shown.length, columnsMax)}`;
}

interface Column {
  readonly title: string;
  readonly hide: number;
  /** Text of each cell. */
  readonly cells: readonly string[];
  /** Width of the whole text, and minimum width. */
  readonly width: number;
  readonly widthMin: number;
}

/** Blanks around each cell, and the width of the lines around `count` columns. */
interface Style {
  readonly padding: number;
  readonly bordersOf: (count: number) => number;
}

const boxed: Style = { padding: 2, bordersOf: (count) => count + 1 };
/** Two blanks part the columns. */
const plain: Style = { padding: 0, bordersOf: (count) => 2 * (count - 1) };

function toColumn(column: TableColumn, rows: readonly (readonly unknown[])[], index: number): Column {
  const { title, hide } = typeof column === 'string' ? { title: column, hide: Infinity } : column;
  const cells = rows.map((row) => cellText(row[index]));
  const widthOf = (separator: RegExp) =>
    Math.max(...[title, ...cells].flatMap((text) => text.split(separator).map(columnsOfText)));
  const width = widthOf(/\n/);
  const widthMin = Math.min(width, Math.max(textColumnsMin, widthOf(/\s+/)));
  return { title: visibleLines(title), hide, cells, width, widthMin };
}

/** Chooses the columns that fit: those that are always shown, then the others, most important first, unless short texts would wrap. */
function chooseColumns(all: readonly Column[], columnsMax: number, style: Style): readonly Column[] {
  const unwrapped = ({ width, widthMin }: Column) => Math.max(widthMin, Math.min(width, textColumnsUsual));
  const fits = (columns: readonly Column[]) =>
    columns.reduce(
      (sum, column) => sum + unwrapped(column) + style.padding,
      style.bordersOf(columns.length),
    ) <= columnsMax;
  let chosen: readonly Column[] = all.filter(({ hide }) => hide === Infinity);
  for (const column of all.filter(({ hide }) => hide < Infinity).sort((a, b) => b.hide - a.hide)) {
    const wider = all.filter((each) => chosen.includes(each) || each === column);
    if (fits(wider)) chosen = wider;
  }
  return chosen;
}

function hiddenText(hidden: number, columnsMax: number): string {
  if (hidden === 0) return '';
  const columns = counted(hidden, 'column is', 'columns are');
  return `\n${wrapText(`${columns} hidden. Widen the terminal, or use --json.`, columnsMax)}`;
}

/** Returns widths that fit, narrowing the widest columns first; null when the table is too wide at its minimum. */
function fitWidths(
  columns: readonly Column[],
  columnsMax: number,
  { padding, bordersOf }: Style,
): readonly number[] | null {
  const widths = columns.map(({ width }) => width);
  const around = bordersOf(columns.length) + padding * columns.length;
  for (;;) {
    const over = widths.reduce((sum, width) => sum + width, around) - columnsMax;
    if (over <= 0) return widths;
    const reducible = columns.map(({ widthMin }, i) => ((widths[i] ?? 0) > widthMin ? (widths[i] ?? 0) : 0));
    const widest = Math.max(...reducible);
    if (widest === 0) return null;
    const next = Math.max(0, ...reducible.filter((width) => width < widest));
    const column = reducible.indexOf(widest);
    widths[column] = Math.max(next - 1, columns[column]?.widthMin ?? 0, widest - over);
  }
}

function drawTable(columns: readonly Column[], widths: readonly number[], { padding }: Style): string {
  const table = new Table({
    head: columns.map(({ title }) => title),
    style: { head: [], border: [], compact: true, ...(padding === 0 ? noPadding : {}) },
    ...(padding === 0 ? { chars: noLines } : {}),
    colWidths: widths.map((width) => width + padding),
    wordWrap: true,
  });
  const rows = columns[0]?.cells.map((_, i) => columns.map(({ cells }) => cells[i] ?? '')) ?? [];
  table.push(...rows);
  return table.toString().replaceAll(firmBlank, ' ').replace(/ +$/gm, '');
}

const noPadding = { 'padding-left': 0, 'padding-right': 0 };

/** Characters of a table without lines. */
const noLines = {
  ...Object.fromEntries(
    ['top', 'bottom', 'mid', 'left', 'right'].flatMap((side) =>
      ['', '-mid', '-left', '-right'].map((end) => [`${side}${end}`, '']),
    ),
  ),
  middle: '  ',
};

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

/** Blanks after a label, and before a text below it. */
const indent = 2;

/** Puts a text beside its label, or below if it is a word that is too wide for that. */
function hangingText(label: string, text: string, columnsMax: number): string {
  const room = columnsMax - columnsOfText(label) - indent;
  const lines = wrapText(text, room).split('\n');
  const isWide = lines.some((line) => columnsOfText(line) > room);
  if (isWide)
    return `${label.trimEnd()}\n  ${wrapText(text, columnsMax - indent)
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
