import type { FileMetaData, RowGroup } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { parquetSchema } from 'hyparquet';
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getTreePath } from 'hyparquet/src/schema.js';
import type { ColumnMetaData, SchemaTree } from 'hyparquet/src/types.js';
import { checkPage, type PageColumn } from './check-page.ts';
import { checkThrift } from './check-thrift.ts';
import { DamagedPage } from './damaged-page.ts';
import { pageBytesMax } from './decompress.ts';

/** Limits of a row group. */
export interface PageLimits {
  /** Decompressed size of all pages in bytes, and size of all decoded texts of a page. */
  readonly bytesMax: number;
  /** Values of a nested column. */
  readonly nestedValuesMax: number;
}

/** Reader of a range of the file. */
export type ReadRange = (start: number, length: number) => Promise<Buffer>;

/**
 * Checks the pages of a row group before the library decodes them: a few bytes can claim billions of values.
 *
 * @throws DamagedPage with the reason to reject the file.
 */
export async function checkPages(
  metadata: FileMetaData,
  group: RowGroup,
  read: ReadRange,
  limits: PageLimits,
): Promise<void> {
  const tree = parquetSchema(metadata);
  let bytes = 0;
  for (const { meta_data: column } of group.columns) {
    if (column === undefined) throw new DamagedPage('a column has no metadata');
    const path = getTreePath(tree, column.path_in_schema);
    const buffer = await readChunk(column, read);
    const sums = checkChunk(buffer, pageColumn(column, path, limits));
    const valuesMax = isNested(path) ? limits.nestedValuesMax : Number(group.num_rows);
    if (sums.values > valuesMax) throw new DamagedPage('a column has more values than rows');
    bytes += sums.bytes;
    if (bytes > limits.bytesMax) throw new DamagedPage('a row group is too large when decompressed');
  }
}

function pageColumn({ codec }: ColumnMetaData, path: SchemaTree[], { bytesMax }: PageLimits): PageColumn {
  const definitionMax = getMaxDefinitionLevel(path);
  return {
    codec,
    definitionMax,
    definitionBits: bitsOf(definitionMax),
    repetitionBits: bitsOf(getMaxRepetitionLevel(path)),
    textBytesMax: bytesMax,
  };
}

function bitsOf(level: number): number {
  return 32 - Math.clz32(level);
}

function isNested(path: readonly SchemaTree[]): boolean {
  return path.length > 2 || path.some(({ element }) => element.repetition_type === 'REPEATED');
}

async function readChunk(column: ColumnMetaData, read: ReadRange): Promise<Buffer> {
  const first = Number(column.dictionary_page_offset || column.data_page_offset);
  const start = Math.min(Number(column.data_page_offset), first);
  const length = Number(column.total_compressed_size);
  if (!(start >= 0) || !(length >= 0)) throw new DamagedPage('a column has an invalid position');
  const buffer = await read(start, length);
  if (buffer.length < length) throw new DamagedPage('a column is cut off');
  return buffer;
}

/** Checks the pages of a column; returns the sums of their values and decompressed bytes. */
function checkChunk(buffer: Buffer, column: PageColumn): { readonly values: number; readonly bytes: number } {
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  let at = 0;
  let values = 0;
  let bytes = 0;
  // The library reads pages as long as two bytes are left.
  while (at < buffer.length - 1) {
    const start = checkThrift(buffer, at);
    const header = parquetHeader({ view, offset: at });
    const { uncompressed_page_size: size, compressed_page_size: stored } = header;
    if (!(stored >= 0) || !(size >= 0) || start + stored > buffer.length)
      throw new DamagedPage('a page is cut off');
    if (size > pageBytesMax) throw new DamagedPage('a page is too large when decompressed');
    const data = header.data_page_header ?? header.data_page_header_v2;
    const inPage = (data ?? header.dictionary_page_header)?.num_values ?? 0;
    if (!(inPage >= 0)) throw new DamagedPage('a page has an invalid number of values');
    // A dictionary has at least a bit per value.
    if (data === undefined && inPage > 8 * size)
      throw new DamagedPage('a dictionary has more values than bytes');
    if (data !== undefined) values += inPage;
    bytes += size;
    at = start + stored;
    if (values > valuesInChunkMax) throw new DamagedPage('a column has too many values');
    checkPage(buffer.subarray(start, at), header, column);
  }
  return { values, bytes };
}

/** Values of a column in a row group, before the exact limit is known. */
const valuesInChunkMax = 20_000_000;
