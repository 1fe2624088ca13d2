import assert from 'node:assert/strict';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Cell, ReportColumn } from './report-row.ts';
import { parquetColumns, type ParquetColumn, type PhysicalValue } from './parquet-columns.ts';
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
    for await (const { data, lines } of rowGroups(blocks, written)) {
      await file.write({ columnData: data, rowGroupSize: lines });
      yield takeBytes(file);
    }
    await file.finish();
    yield takeBytes(file);
  };
}

/** Values of a row group by column, as the library takes them. */
interface RowGroup {
  readonly lines: number;
  readonly data: { readonly name: string; readonly data: PhysicalValue[] }[];
}

/**
 * Groups lines independently of the blocks in which they arrive. Only the values of the columns are kept, and equal short texts once: lines
 * that live until their group is written would fill the memory with what the garbage collector removes late.
 */
async function* rowGroups(
  blocks: AsyncIterable<Lines>,
  columns: readonly ParquetColumn[],
): AsyncGenerator<RowGroup> {
  const shared = columns.map(() => new Map<string, string>());
  let group = emptyGroup(columns);
  let lines = 0;
  let bytes = 0;
  for await (const block of blocks) {
    for (const line of block) {
      assert.equal(line.length, columns.length, 'a line has one cell per column');
      for (const [index, column] of columns.entries()) {
        const value = column.value(line[index] ?? null);
        group[index]?.data.push(typeof value === 'string' ? once(value, shared[index]) : value);
      }
      lines += 1;
      bytes += sizeOf(line);
      if (lines < groupLinesMax && bytes < groupBytesMax) continue;
      yield { lines, data: group };
      group = emptyGroup(columns);
      lines = 0;
      bytes = 0;
    }
  }
  if (lines > 0) yield { lines, data: group };
}

function emptyGroup(columns: readonly ParquetColumn[]): RowGroup['data'] {
  return columns.map(({ element }) => ({ name: element.name, data: [] }));
}

/** Maximum length of texts that are kept once, and their maximum number per column. */
const sharedCharsMax = 40;
const sharedMax = 1000;

function once(text: string, shared: Map<string, string> | undefined): string {
  if (shared === undefined || text.length > sharedCharsMax) return text;
  const known = shared.get(text);
  if (known === undefined && shared.size < sharedMax) shared.set(text, text);
  return known ?? text;
}

/** Estimated size of a line: a pointer per cell, and a byte per character. */
function sizeOf(line: readonly Cell[]): number {
  let bytes = 8 * line.length;
  for (const cell of line) if (typeof cell === 'string') bytes += cell.length;
  return bytes;
}

/** Takes the bytes written since the last call. Offsets of later bytes continue those of the file. */
function takeBytes(file: ParquetWriter): Uint8Array {
  const { writer } = file;
  file.writer = new ByteWriter();
  file.writer.offset = writer.offset;
  return writer.getBytes();
}
