import { parquetRead, type FileMetaData } from 'hyparquet';
import type { SpooledFile } from '../files/spool-file.ts';
import { createRecordBlocks } from '../records/record-blocks.ts';
import { quoteNames, tableError, tableTooLarge } from '../records/table-error.ts';
import { noNotes, type FormatTable, type TableOptions } from '../records/table.ts';
import type { TableBlocks } from '../records/table-record.ts';
import { checkPages } from './check-pages.ts';
import { columnText, nestedParsers } from './column-text.ts';
import { compressors } from './decompress.ts';
import { columnsOf, withPlainTypes, type ParquetColumn } from './plain-schema.ts';
import { asyncBuffer, damaged, damagedRows, readMetadata, rejectUnknownCodec } from './read-metadata.ts';

/** Rows that are decoded in one step, where a row group is larger: writers make groups of up to a million rows. */
const sliceRows = 50_000;
/** Values in the lists of one row group, which are decoded in one step. */
const nestedValuesMax = 5_000_000;
/** Decompressed pages can repeat what the text of the cells has once. */
const pageShareMax = 10;

/**
 * Opens a Parquet file, compressed with Snappy, gzip, Brotli or Zstandard or not at all.
 *
 * Values become text: decimals and 64-bit integers exactly, dates and times as ISO 8601 (with `Z` when they are in UTC), missing ones as empty
 * cells, lists, maps and structures as JSON. Rows are numbered from 1; the header, the names of the columns, has the number 1 too.
 *
 * @throws ValidationError when the file is damaged, cut off, encrypted, or beyond the limits.
 */
export async function openParquet(file: SpooledFile, options: TableOptions): Promise<FormatTable> {
  const { fileName } = options;
  const metadata = await readMetadata(file, fileName);
  const columns = columnsOf(metadata);
  rejectUnreadable(metadata, columns, options);
  return {
    format: 'parquet',
    sheet: null,
    sheets: [],
    hasNames: true,
    records: readRecords(file, metadata, columns, options),
    notes: () => noNotes,
  };
}

function rejectUnreadable(
  metadata: FileMetaData,
  columns: readonly ParquetColumn[],
  { fileName, limits }: TableOptions,
): void {
  if (columns.length > limits.columnsMax)
    throw tableTooLarge(
      fileName,
      null,
      `The file has ${columns.length} columns; the limit is ${limits.columnsMax}. Remove columns that are not needed.`,
    );
  if (metadata.num_rows > BigInt(limits.rowsMax))
    throw tableTooLarge(
      fileName,
      null,
      `The file has ${metadata.num_rows} rows; the limit is ${limits.rowsMax}. Split it into smaller files.`,
    );
  const names = columns.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw tableError(
      fileName,
      null,
      `The file has two columns of the name ${quoteNames([repeated])}. Write it again with names of their own.`,
    );
  rejectUnknownCodec(metadata, fileName);
}

async function* readRecords(
  file: SpooledFile,
  metadata: FileMetaData,
  columns: readonly ParquetColumn[],
  { fileName, limits }: TableOptions,
): TableBlocks {
  const blocks = createRecordBlocks({ fileName, limits, unit: 'row', within: null });
  blocks.add(
    1,
    columns.map(({ name }) => name),
  );
  yield* blocks.full();
  const nested = new Set(columns.filter(({ isNested }) => isNested).map(({ name }) => name));
  const read = createSliceReader(file, metadata, columns, fileName);
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows);
    const pageLimits = { bytesMax: pageShareMax * limits.bytesMax, nestedValuesMax };
    await checkPages(metadata, group, file.read, pageLimits).catch((error: unknown) => {
      throw damagedRows(fileName, groupStart + 1, groupEnd, error);
    });
    // The library decodes nested columns of a whole group at once.
    const step = nested.size > 0 ? Infinity : sliceRows;
    for (let start = groupStart; start < groupEnd; start += step) {
      const end = Math.min(start + step, groupEnd);
      const cells = await read(start, end);
      for (let row = start; row < end; row += 1) {
        blocks.add(
          row + 1,
          cells.map((column) => column[row - start] ?? ''),
        );
        if (row % 1_000 === 0) yield* blocks.full();
      }
    }
    groupStart = groupEnd;
  }
  yield* blocks.all();
}

/** Creates a reader of rows, column by column: only one is in memory as it is stored. */
function createSliceReader(
  file: SpooledFile,
  metadata: FileMetaData,
  columns: readonly ParquetColumn[],
  fileName: string,
): (rowStart: number, rowEnd: number) => Promise<readonly (readonly string[])[]> {
  const common = {
    file: asyncBuffer(file),
    metadata: withPlainTypes(metadata),
    compressors,
    parsers: nestedParsers,
    utf8: false,
    geoparquet: false,
  } as const;

  async function readColumn(column: ParquetColumn, rowStart: number, rowEnd: number): Promise<string[]> {
    let values: string[] = [];
    const toText = columnText(column);
    await parquetRead({
      ...common,
      columns: [column.name],
      rowStart,
      rowEnd,
      onComplete: (rows) => {
        values = rows.map(([value]: readonly unknown[]) => toText(value));
      },
    }).catch((error: unknown) => {
      throw damaged(fileName, error);
    });
    if (values.length !== rowEnd - rowStart) throw damaged(fileName);
    return values;
  }

  return async (rowStart, rowEnd) => {
    const cells: string[][] = [];
    for (const column of columns) cells.push(await readColumn(column, rowStart, rowEnd));
    return cells;
  };
}
