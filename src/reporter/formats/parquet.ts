import assert from 'node:assert/strict';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Cell, ReportColumn } from './report-row.ts';
import { parquetColumns, type ParquetColumn } from './parquet-columns.ts';
import type { Lines, ReportEncoder } from './report-writer.ts';

/**
 * Maximum size of a row group, and so of the memory in use: so many lines, or cells of so many bytes. Our choice: readers skip whole row
 * groups, so they should be large; but one is compressed in one go, in which this process does nothing else, and the API writes several
 * reports at a time. Measured: up to a second, some 150 MB.
 */
const groupLinesMax = 20_000;
const groupBytesMax = 16_777_216;

/**
 * Creator string of the file: `<name> version <version> (build <build>)`, as parquet-mr wants it, which otherwise distrusts the statistics.
 * The version is that of what we write, not of the package: the same report gives the same bytes after an update.
 */
const createdBy = 'nightshift version 1 (build hyparquet-writer)';

/**
 * Writes Parquet, compressed with Snappy: typed columns, nulls where there is nothing, row groups of bounded size in the order of the
 * lines. Nothing in it tells the time, so the same lines give the same bytes.
 */
export function createParquetEncoder(columns: readonly ReportColumn[]): ReportEncoder {
  const written = parquetColumns(columns);
  const schema = [{ name: 'root', num_children: written.length }, ...written.map(({ element }) => element)];
  return async function* encode(blocks) {
    const file = new ParquetWriter({ writer: new ByteWriter(), schema, createdBy });
    for await (const lines of rowGroups(blocks, columns.length)) {
      await file.write({ columnData: dataOf(written, lines), rowGroupSize: lines.length });
      yield takeBytes(file);
    }
    await file.finish();
    yield takeBytes(file);
  };
}

/** The lines in groups that depend on the lines alone, not on the blocks that they come in. */
async function* rowGroups(blocks: AsyncIterable<Lines>, cellCount: number): AsyncGenerator<Lines> {
  let group: (readonly Cell[])[] = [];
  let bytes = 0;
  for await (const lines of blocks) {
    for (const line of lines) {
      assert.equal(line.length, cellCount, 'a line has one cell per column');
      group.push(line);
      bytes += sizeOf(line);
      if (group.length < groupLinesMax && bytes < groupBytesMax) continue;
      yield group;
      group = [];
      bytes = 0;
    }
  }
  if (group.length > 0) yield group;
}

/** About what a line takes: a pointer a cell, and a byte a character. */
function sizeOf(line: readonly Cell[]): number {
  let bytes = 8 * line.length;
  for (const cell of line) if (typeof cell === 'string') bytes += cell.length;
  return bytes;
}

function dataOf(columns: readonly ParquetColumn[], lines: Lines) {
  return columns.map(({ element, value }, index) => ({
    name: element.name,
    data: lines.map((line) => value(line[index] ?? null)),
  }));
}

/** Takes the bytes written since the last call. Later bytes are written elsewhere, and continue the offsets of the file. */
function takeBytes(file: ParquetWriter): Uint8Array {
  const { writer } = file;
  file.writer = new ByteWriter();
  file.writer.offset = writer.offset;
  return writer.getBytes();
}
