import assert from 'node:assert/strict';
import type { ReportDepth } from '../../core/batches/batch-report.ts';

/** A cell: text, a finite number, a boolean, or null if it is empty. */
export type Cell = string | number | boolean | null;

/**
 * Kind of the cells of a column, for typed formats; an empty cell is null. `text`; `count`, an integer below 2^31; `total`, one
 * below 2^53; `credits`, a number with at most six decimal places; `flag`, a boolean; `day`, text as `2026-03-01`; `moment`, text as
 * `2026-03-01T04:05:06.000Z`.
 */
export type ColumnKind = 'text' | 'count' | 'total' | 'credits' | 'flag' | 'day' | 'moment';

/** A column of a report. */
export interface ReportColumn {
  /** Name in the header. Only the user's own header may repeat a name or leave one empty. */
  readonly name: string;
  /** True for the user's own columns, as in the input. They come first. */
  readonly own: boolean;
  /** Default `text`, as for all columns of the user. */
  readonly kind?: ColumnKind;
}

/**
 * A report: its columns, and its lines in blocks from the database.
 *
 * Every line has one cell per column. Blocks of about 1,000 lines work well; their size does not affect the result.
 */
export interface Report {
  readonly columns: readonly ReportColumn[];
  readonly blocks: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** Unit of a line: an input row, an ad that was found, or a variant of one. */
export type ReportShape = ReportDepth;

/** Columns of the input file. */
export interface UserColumns {
  /** Header of the file, or null for a file without one. */
  readonly header: readonly string[] | null;
  /** Number of cells of the widest row; ragged rows may have more cells than the header has names. */
  readonly cellsMax: number;
}

/**
 * Names the columns of a report: the user's, then Nightshift's.
 *
 * The user's names stay unchanged. Without a header they are `column_1`, `column_2`, …; cells beyond the header are `extra_1`,
 * `extra_2`, …. A name that is taken (a report that is loaded again already has `ads_outcome`) gets the first free suffix `_2`,
 * `_3`, …, so that Nightshift never repeats a name.
 */
export function nameColumns(user: UserColumns, ours: readonly string[]): readonly ReportColumn[] {
  const own = user.header ?? numbered('column', user.cellsMax);
  const extra = numbered('extra', user.cellsMax - own.length);
  const added = distinctNames([...new Set(own), ...extra, ...ours]).slice(new Set(own).size);
  return [
    ...own.map((name) => ({ name, own: true })),
    ...added.map((name, index) => ({ name, own: index < extra.length })),
  ];
}

/** Makes names distinct: the first one keeps its name, a later one gets the first free suffix `_2`, `_3`, …. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    const free = seen.has(name) ? freeName(name, taken) : name;
    seen.add(name);
    taken.add(free);
    return free;
  });
}

/**
 * Names for formats that require a distinct name for every column: an empty one becomes `column_3`, by its position; a repeated
 * one gets a suffix as in `distinctNames`.
 */
export function fullNames(names: readonly string[]): readonly string[] {
  return distinctNames(names.map((name, index) => (name === '' ? `column_${index + 1}` : name)));
}

/** Formats a number in the same way for every format. NaN and infinity are bugs. */
export function numberText(value: number): string {
  assert(Number.isFinite(value), `a report holds finite numbers only, not ${value}`);
  return String(value);
}

function numbered(stem: string, count: number): readonly string[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => `${stem}_${index + 1}`);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let suffix = 2;
  while (taken.has(`${name}_${suffix}`)) suffix += 1;
  return `${name}_${suffix}`;
}
