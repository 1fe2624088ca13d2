import { countText } from '../model/report-labels.ts';
import type { Bounded } from '../../../core/reports/reported-ads.ts';

/** Column of a Markdown table. */
export interface MdColumn<Row> {
  readonly title: string;
  /** Markdown, with untrusted texts escaped. */
  readonly cell: (row: Row) => string;
  readonly isNumber?: boolean;
}

/** Maximum width that cells are padded to: wider ones do not fit a terminal. */
const paddedCharsMax = 40;

/** Formats a table with aligned columns, readable in a terminal. */
export function mdTable<Row>(rows: readonly Row[], columns: readonly MdColumn<Row>[]): string {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const widths = columns.map(({ title }, i) =>
    Math.min(paddedCharsMax, Math.max(3, title.length, ...cells.map((line) => widthOf(line[i] ?? '')))),
  );
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, i) => pad(text, widths[i] ?? 0, columns[i]?.isNumber === true)).join(' | ')} |`;
  const rule = columns.map(({ isNumber }, i) =>
    isNumber === true ? `${'-'.repeat((widths[i] ?? 3) - 1)}:` : '-'.repeat(widths[i] ?? 3),
  );
  return [line(columns.map(({ title }) => title)), line(rule), ...cells.map(line)].join('\n');
}

/** Formats a note on rows that the table omits, with their place; empty for a complete table. */
export function mdRemainder(
  { rows, total }: Bounded<unknown>,
  what: string,
  where: string,
): readonly string[] {
  if (total <= rows.length) return [];
  return [`${countText(rows.length)} of ${countText(total)} ${what}. ${where}`];
}

function pad(text: string, width: number, atStart: boolean): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOf(text)));
  return atStart ? spaces + text : text + spaces;
}

function widthOf(text: string): number {
  return [...text.replaceAll('\u200b', '')].length;
}
