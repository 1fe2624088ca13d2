/** Row of a table with nested values: columns by name. Values are those of JSON; 64-bit integers, days and moments are text. */
export type ObjectRow = Readonly<Record<string, unknown>>;

/** Rows that were read in one step. */
export interface ObjectBlock {
  /** Number of the first row in the file, from 1. */
  readonly firstRowNo: number;
  readonly rows: readonly ObjectRow[];
}

/** Table of a file whose format has types and nested values. */
export interface ObjectTable {
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** Iterate them once. @throws ValidationError for data that is damaged or cut off. */
  readonly blocks: AsyncIterable<ObjectBlock>;
}
