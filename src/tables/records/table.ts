import type { TableBlocks, TableLimits } from './table-record.ts';

/** Formats of tables besides CSV. */
export type TableFormat = 'xlsx' | 'ods' | 'parquet' | 'ndjson' | 'json';

/** Sheet of a workbook. */
export interface SheetInfo {
  readonly name: string;
  readonly isHidden: boolean;
}

/** Options for reading a table. */
export interface TableOptions {
  /** Name of the file in messages: a path, or `standard input`. */
  readonly fileName: string;
  /** Name of a sheet, in any case; it may be hidden. Default: the first visible sheet with content. */
  readonly sheet?: string | undefined;
  /** Number of rows above the header of a sheet. Default: detected, at most 20. */
  readonly skipRows?: number | undefined;
  readonly limits: TableLimits;
}

/** Contents of a table that a person wants to know about: counts, complete once all records have been read. */
export interface TableNotes {
  /** Rows that are hidden, for example by a filter. They are read. */
  readonly hiddenRows: number;
  /** Cells with an error such as `#N/A`, which are read as empty. */
  readonly errorCells: number;
  /** First of these cells, such as `C7`, or null. */
  readonly firstErrorCell: string | null;
  /** Formulas without a stored result, which are read as empty: the program that wrote the file does not calculate. */
  readonly uncalculatedCells: number;
  /** First of these cells, or null. */
  readonly firstUncalculatedCell: string | null;
  /** Rows above the header that were left out. */
  readonly rowsAbove: number;
}

export const noNotes: TableNotes = {
  hiddenRows: 0,
  errorCells: 0,
  firstErrorCell: null,
  uncalculatedCells: 0,
  firstUncalculatedCell: null,
  rowsAbove: 0,
};

/** Table of a file, as its format has it. */
export interface FormatTable {
  readonly format: TableFormat;
  /** Name of the sheet that is read, or null for a format without sheets. */
  readonly sheet: string | null;
  /** True when the format names the columns, so that the header is no row. */
  readonly hasNames: boolean;
  /** All sheets, in order; empty for a format without them. */
  readonly sheets: readonly SheetInfo[];
  /** Header and rows, in blocks; the header is a block of its own. Iterate them once. @throws ValidationError */
  readonly records: TableBlocks;
  readonly notes: () => TableNotes;
}
