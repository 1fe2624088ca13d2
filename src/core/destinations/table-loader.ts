import type { LandedColumn } from './part-exporter.ts';

/** Value of a cell: text, number, truth value, or null for an empty cell. Days and moments are ISO texts. */
export type LandedCell = string | number | boolean | null;

/** Lines of a batch to load into a table. */
export interface TableLoad {
  /** `schema.name`. */
  readonly table: string;
  /** Columns with distinct names. */
  readonly columns: readonly LandedColumn[];
  readonly lines: AsyncIterable<readonly (readonly LandedCell[])[]>;
  /** Columns that identify a row; null: the rows of a batch are replaced as a whole. */
  readonly key: readonly string[] | null;
  readonly batch: string;
  /** Time of its completion: a later one wins. */
  readonly finishedAt: Date;
  readonly signal: AbortSignal;
}

/** Result of a load. */
export interface LoadedTable {
  /** Number of loaded lines. */
  readonly rows: number;
  readonly bytes: number;
  /** Number of lines that a later line of the batch with the same key replaced. */
  readonly repeatedKeys: number;
  /** Number of rows that were kept, because they belong to a batch that finished later. */
  readonly outdated: number;
}

/** Port: a Postgres database of the user's own. */
export interface TableLoader {
  /**
   * Loads lines into a table in one transaction: makes or widens the table, replaces rows of equal keys, and removes rows of the batch that
   * are not among the lines.
   *
   * @throws StorageUnavailable | StorageRejected, and the errors of the lines.
   */
  load(load: TableLoad): Promise<LoadedTable>;
  /** Asserts that the login may create and drop a table in the schema. @throws StorageUnavailable | StorageRejected */
  probe(table: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
