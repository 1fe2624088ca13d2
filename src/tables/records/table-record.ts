/** Record of a table: the header or a row. It has the shape of the records that the CSV reader yields. */
export interface TableRecord {
  /** Row of the sheet, line of the file or number of the record where it starts, from 1. */
  readonly lineNo: number;
  readonly cells: readonly string[];
  /** Always `rules`: no record of these formats is repaired. */
  readonly reading: 'rules';
  /** Reason why the record cannot be used, or null. */
  readonly problem: string | null;
}

/** Blocks of records. The header is a block of its own. */
export type TableBlocks = AsyncGenerator<readonly TableRecord[], undefined>;

/** Limits of a table. A table beyond any of them is rejected as a whole. */
export interface TableLimits {
  /** Data rows. */
  readonly rowsMax: number;
  /** Size of the file in bytes, decompressed once if it is gzipped, and size of the text of all cells. */
  readonly bytesMax: number;
  /** Size of one record in bytes, as UTF-8. */
  readonly recordBytesMax: number;
  /** Columns of the header. */
  readonly columnsMax: number;
}

/** Unit of `lineNo` in messages. */
export type PlaceUnit = 'line' | 'row' | 'record';
