/** Number of rows that are stored, and searched, as one block. The view `batch_rows` (`db/sql/rows.sql`) has the same number. */
export const rowsPerBlock = 32;

/** Returns the block of a row; block 0 has the rows 1 to 32. */
export function blockOf(rowNo: number): number {
  return Math.floor((rowNo - 1) / rowsPerBlock);
}
