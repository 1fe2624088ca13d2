import assert from 'node:assert/strict';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Cell, ReportColumn } from './report-row.ts';
import { parquetColumns, type ParquetColumn } from './parquet-columns.ts';
import type { Lines, ReportEncoder } from './report-writer.ts';

/**
 * Maximum lines of a row group, which bounds the memory. Our choice: readers skip whole row groups, so they should be large;
 * but a row group is compressed in one step that blocks this process, and the API writes several reports at a time. Measured:
 * up to a second, about 150 MB.
 */
const groupLinesMax = 20_000;
const groupBytesMax = 16_777_216;

/**
 * Creator string of the file: `<name> version <version> (build <build>)`, the form without which parquet-mr ignores the
 * statistics. The version is that of the format, not of the package: the same report gives the same bytes after an update.
 */
const createdBy = 'nightshift version 1 (build hyparquet-writer)';

/**
 * Writes Parquet, compressed with Snappy: typed columns, nulls for empty cells, row groups of bounded size in the order of the
 * lines. It contains no time, so the same lines give the same bytes.
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

/** Groups lines independently of the blocks in which they arrive. */
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

/** Estimated size of a line: a pointer per cell, and a byte per character. */
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

/** Takes the bytes written since the last call. Offsets of later bytes continue those of the file. */
function takeBytes(file: ParquetWriter): Uint8Array {
  const { writer } = file;
  file.writer = new ByteWriter();
  file.writer.offset = writer.offset;
  return writer.getBytes();
}
