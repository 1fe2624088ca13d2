import { parquetReadObjects, type FileMetaData } from 'hyparquet';
import { plainValue } from '../cells/plain-value.ts';
import type { ObjectBlock, ObjectRow, ObjectTable } from '../records/object-table.ts';
import { checkPages } from './check-pages.ts';
import { nestedParsers } from './column-text.ts';
import { compressors } from './decompress.ts';
import { columnsOf } from './plain-schema.ts';
import { asyncBuffer, damaged, damagedRows, readMetadata, rejectUnknownCodec } from './read-metadata.ts';
import type { RangeFile } from './read-metadata.ts';

/** Limits of a row group, which is decoded in one step. */
const pageLimits = { bytesMax: 2 * 1024 * 1024 * 1024, nestedValuesMax: 20_000_000 };

/**
 * Opens a Parquet file with nested values, such as an export of a database. One row group is in memory at a time.
 *
 * @throws ValidationError when the file is damaged, cut off, encrypted or compressed with an unknown codec.
 */
export async function openParquetObjects(file: RangeFile, fileName: string): Promise<ObjectTable> {
  const metadata = await readMetadata(file, fileName);
  rejectUnknownCodec(metadata, fileName);
  const columns = columnsOf(metadata).map(({ name }) => name);
  return { columns, blocks: readGroups(file, metadata, fileName) };
}

async function* readGroups(
  file: RangeFile,
  metadata: FileMetaData,
  fileName: string,
): AsyncGenerator<ObjectBlock> {
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows);
    await checkPages(metadata, group, file.read, pageLimits).catch((error: unknown) => {
      throw damagedRows(fileName, groupStart + 1, groupEnd, error);
    });
    const rows = await readRows(file, metadata, groupStart, groupEnd).catch((error: unknown) => {
      throw damagedRows(fileName, groupStart + 1, groupEnd, error);
    });
    if (rows.length !== groupEnd - groupStart) throw damaged(fileName);
    for (let start = 0; start < rows.length; start += blockRows) {
      const block = rows.slice(start, start + blockRows);
      yield { firstRowNo: groupStart + start + 1, rows: block.map(plainRow) };
    }
    groupStart = groupEnd;
  }
}

/** Rows that are passed on together, so that the rows of a group are plain values for a moment only. */
const blockRows = 1_000;

function readRows(
  file: RangeFile,
  metadata: FileMetaData,
  rowStart: number,
  rowEnd: number,
): Promise<readonly ObjectRow[]> {
  return parquetReadObjects({
    file: asyncBuffer(file),
    metadata,
    compressors,
    parsers: nestedParsers,
    utf8: false,
    geoparquet: false,
    rowStart,
    rowEnd,
  });
}

function plainRow(row: ObjectRow): ObjectRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}
