import type { RowGroup } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import type { ColumnMetaData } from 'hyparquet/src/types.js';
import { pageBytesMax } from './decompress.ts';

/** Limits of a row group. */
export interface PageLimits {
  /** Decompressed size of all pages in bytes. */
  readonly bytesMax: number;
  /** Values of a nested column. */
  readonly nestedValuesMax: number;
}

/** Reader of a range of the file. */
export type ReadRange = (start: number, length: number) => Promise<Buffer>;

/**
 * Checks the page headers of a row group before any page is decompressed: a few bytes can claim billions of values.
 *
 * @returns a reason to reject the file, or null.
 */
export async function findPageProblem(
  group: RowGroup,
  isNested: (column: ColumnMetaData) => boolean,
  read: ReadRange,
  limits: PageLimits,
): Promise<string | null> {
  let bytes = 0;
  for (const { meta_data: column } of group.columns) {
    if (column === undefined) return 'a column has no metadata';
    const valuesMax = isNested(column) ? limits.nestedValuesMax : Number(group.num_rows);
    const start = Math.min(
      Number(column.data_page_offset),
      Number(column.dictionary_page_offset || column.data_page_offset),
    );
    const buffer = await read(start, Number(column.total_compressed_size));
    if (buffer.length < Number(column.total_compressed_size)) return 'a column is cut off';
    const sums = sumPages(buffer);
    if (typeof sums === 'string') return sums;
    if (sums.values > valuesMax) return 'a column has more values than rows';
    bytes += sums.bytes;
    if (bytes > limits.bytesMax) return 'a row group is too large when decompressed';
  }
  return null;
}

/** Adds up values and decompressed bytes of a column; returns a reason to reject it as text. */
function sumPages(buffer: Buffer): { readonly values: number; readonly bytes: number } | string {
  const reader = { view: new DataView(buffer.buffer, buffer.byteOffset, buffer.length), offset: 0 };
  let values = 0;
  let bytes = 0;
  // The library reads pages as long as two bytes are left.
  while (reader.offset < buffer.length - 1) {
    const header = parquetHeader(reader);
    const { uncompressed_page_size: size, compressed_page_size: stored } = header;
    if (!(stored >= 0) || !(size >= 0) || reader.offset + stored > buffer.length) return 'a page is cut off';
    if (size > pageBytesMax) return 'a page is too large when decompressed';
    const counts = header.data_page_header ?? header.data_page_header_v2;
    const inPage = (counts ?? header.dictionary_page_header)?.num_values ?? 0;
    if (!(inPage >= 0)) return 'a page has a negative number of values';
    if (counts !== undefined) values += inPage;
    else if (inPage > Math.max(size, 1)) return 'a dictionary has more values than bytes';
    bytes += size;
    reader.offset += stored;
  }
  return { values, bytes };
}
