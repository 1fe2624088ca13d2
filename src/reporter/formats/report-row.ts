import assert from 'node:assert/strict';
import type { ReportDepth } from '../../core/batches/batch-report.ts';

/** One cell: text, a number, a truth value, or null where there is nothing. Numbers are finite. */
export type Cell = string | number | boolean | null;

/**
 * Type of the cells of a column, for the formats that have types; null for an empty cell. `text`; `count`, a whole number below 2^31;
 * `credits`, a number with six decimal places at most; `flag`, a truth value; `day`, text as `2026-03-01`; `moment`, text as
 * `2026-03-01T04:05:06.000Z`.
 */
export type ColumnKind = 'text' | 'count' | 'credits' | 'flag' | 'day' | 'moment';

/** A column of a report. */
export interface ReportColumn {
  /** Name in the header. Only the user's own header may repeat a name, or leave one empty. */
  readonly name: string;
  /** True for the user's own columns, as in the input. They come first; ours follow. */
  readonly own: boolean;
  /** Default `text`, which the user's own always are. */
  readonly kind?: ColumnKind;
}

/**
 * A report: its columns, and its lines in blocks as they come from the database.
 *
 * Every line has one cell per column. Blocks of some 1,000 lines suit; their size does not show in the result.
 */
export interface Report {
  readonly columns: readonly ReportColumn[];
  readonly blocks: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** Unit of a line: an input row, an ad that was found, or a variant of one. */
export type ReportShape = ReportDepth;

/** Columns of the input file. */
export interface UserColumns {
  /** The header as read, or null for a file without one. */
  readonly header: readonly string[] | null;
  /** The number of cells in the widest row; ragged rows may have more cells than the header has names. */
  readonly cellsMax: number;
}

/**
 * Names the columns of a report: the user's, then ours.
 *
 * The user's names stay exactly as they are. Without a header they are `column_1`, `column_2`, …; cells beyond the
 * header stand in `extra_1`, `extra_2`, …. A name that is taken by then (a report loaded again already has `ads_outcome`)
 * gets the first free suffix of `_2`, `_3`, …, so that we never repeat a name.
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

/** Makes names distinct: the first of its kind keeps its name, a later one gets the first free of `_2`, `_3`, …. */
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
 * Names for formats that need a name for every column, and each once: an empty one is called `column_3`, after its place; one that is
 * repeated gets a suffix as in `distinctNames`.
 */
export function fullNames(names: readonly string[]): readonly string[] {
  return distinctNames(names.map((name, index) => (name === '' ? `column_${index + 1}` : name)));
}

/** A number as text, alike in every format. A number that is none (NaN, infinity) is a defect of ours. */
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
