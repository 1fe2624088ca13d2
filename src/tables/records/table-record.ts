import type { TableRecord } from '../../csv/records/read-records.ts';

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
