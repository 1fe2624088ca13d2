import { countText } from '../model/report-labels.ts';
import type { Bounded } from '../../../core/reports/reported-ads.ts';

export interface MdColumn<Row> {
  readonly title: string;
  /** Markdown: foreign texts are escaped. */
  readonly cell: (row: Row) => string;
  readonly isNumber?: boolean;
}

/** Wider cells push the others out of a terminal; they are not padded to. */
const paddedCharsMax = 40;

/** A table, its columns in line with one another as far as they are narrow, so that it can be read in a terminal as well. */
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

/** Note on the rows of a list that its table leaves out, and their place; empty where it has all of them. */
export function mdRemainder(
  { rows, total }: Bounded<unknown>,
  what: string,
  where: string,
): readonly string[] {
  if (total <= rows.length) return [];
  return [`${countText(rows.length)} of ${countText(total)} ${what}. ${where}`];
}

function pad(text: string, width: number, atStart: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return atStart ? blanks + text : text + blanks;
}

function widthOf(text: string): number {
  return [...text.replaceAll('\u200b', '')].length;
}
