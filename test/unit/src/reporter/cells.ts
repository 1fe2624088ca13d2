import fc from 'fast-check';
import type { Cell, ColumnKind, ReportColumn } from '../../../../src/reporter/formats/report-row.ts';

/** Some of the characters that spreadsheets skip at the start of a cell. */
const skipped = [
  ...' \u00a0\u0000\u0001\u001f\u007f\u0085\u009f\u00ad\u1680\u2003\u200b\u2028\u2060\u3000\ufeff',
] as const;

/** All of them: separators, control and format characters. */
const isSkipped = (character: string) => /^[\p{Z}\p{Cc}\p{Cf}]$/u.test(character);

/** Characters that start a formula. */
const triggers = [...'=+-@\t\r\n＝＋－＠'] as const;

/** True if a spreadsheet could parse the text as a formula: the rule, character by character. */
export function couldRun(text: string): boolean {
  for (const character of text) {
    if (triggers.some((trigger) => trigger === character)) return true;
    if (!isSkipped(character)) return false;
  }
  return false;
}

/** Cells that mostly consist of characters that break CSV, spreadsheets and readers. */
export const nastyCell: fc.Arbitrary<string> = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...skipped, ...triggers, "'", '"', ',', ';', '\\', 'a', '1', '.', 'é', '😀'),
    maxLength: 8,
  }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.double({ noNaN: true }).map(String),
  fc.constantFrom('', ' ', '""', "'", "'=", "''=1", '-12.5', '+3', '-', '=1+1', '__proto__', 'a\r\nb'),
);

/** A column of the uploaded file. */
export function columnOf(name: string): ReportColumn {
  return { name, own: true };
}

const time = fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') });

/** Cells of each kind of `ReportColumn`. */
const cellOfKind: Readonly<Record<ColumnKind, fc.Arbitrary<Cell>>> = {
  text: nastyCell,
  count: fc.integer(),
  total: fc.maxSafeInteger(),
  credits: fc.integer({ min: 0, max: 1_000_000_000_000 }).map((micro) => micro / 1_000_000),
  flag: fc.boolean(),
  day: time.map((at) => at.toISOString().slice(0, 10)),
  moment: time.map((at) => at.toISOString()),
};

const column: fc.Arbitrary<ReportColumn> = fc.oneof(
  nastyCell.map(columnOf),
  fc
    .constantFrom('text', 'count', 'total', 'credits', 'flag', 'day', 'moment')
    .map((kind) => ({ name: kind, own: false, kind }) as const),
);

/** A report with any columns of the file and of the product, and matching lines, with some empty cells. */
export const randomReport = fc.array(column, { minLength: 1, maxLength: 7 }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    lines: fc.array(
      fc.tuple(...columns.map(({ kind = 'text' }) => fc.option(cellOfKind[kind], { nil: null }))),
      { maxLength: 40 },
    ),
  }),
);
