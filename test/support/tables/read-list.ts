import { Readable } from 'node:stream';
import { openList, type OpenedTable } from '../../../src/tables/open-list.ts';
import type { TableRecord } from '../../../src/csv/records/read-records.ts';
import type { TableLimits } from '../../../src/tables/records/table-record.ts';
import type { TableNotes } from '../../../src/tables/records/table.ts';

/** Limits of the product. */
const usualLimits: TableLimits = {
  rowsMax: 1_000_000,
  bytesMax: 200 * 1024 * 1024,
  recordBytesMax: 1024 * 1024,
  columnsMax: 2_000,
};

/** Options of a test. */
export interface ReadListOptions {
  readonly sheet?: string;
  readonly skipRows?: number;
  readonly limits?: Partial<TableLimits>;
  /** Size of the chunks in which the file arrives. Default: all at once. */
  readonly chunkBytes?: number;
}

/** Table as a test compares it. */
export interface ReadTable extends Pick<OpenedTable, 'format' | 'sheet' | 'sheets' | 'containers'> {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly records: readonly TableRecord[];
  readonly notes: TableNotes;
  readonly digest: { readonly sha256: string; readonly bytes: number };
}

/** Reads a file that is a table, named `list`. */
export async function readTable(file: Buffer | string, options: ReadListOptions = {}): Promise<ReadTable> {
  const { limits, chunkBytes, ...rest } = options;
  const list = await openList(Readable.from(chunksOf(Buffer.from(file), chunkBytes)), {
    ...rest,
    fileName: 'list',
    limits: { ...usualLimits, ...limits },
  });
  try {
    if (list.kind === 'text') throw new Error('The file was detected as text.');
    const records: TableRecord[] = [];
    let blocks = 0;
    for await (const block of list.records) {
      if (blocks === 0 && block.length !== 1) throw new Error('The header is not a block of its own.');
      blocks += 1;
      records.push(...block);
    }
    const { format, sheet, sheets, containers } = list;
    const [header, ...rows] = records.map(({ cells }) => cells);
    return {
      format,
      sheet,
      sheets,
      containers,
      header: header ?? [],
      rows,
      records,
      notes: list.notes(),
      digest: list.digest(),
    };
  } finally {
    await list.close();
  }
}

/** Reads a file that is text; returns its content. */
export async function readText(
  file: Buffer | string,
): Promise<{ readonly bytes: Buffer; readonly text: string; readonly containers: readonly string[] }> {
  const list = await openList(Readable.from([Buffer.from(file)]), { fileName: 'list', limits: usualLimits });
  try {
    if (list.kind !== 'text') throw new Error(`The file was detected as ${list.format}.`);
    const chunks: Buffer[] = [];
    for await (const chunk of list.chunks) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    return { bytes, text: bytes.toString(), containers: list.containers };
  } finally {
    await list.close();
  }
}

/** Returns the message with which a file is rejected. */
export async function rejectionOf(file: Buffer | string, options: ReadListOptions = {}): Promise<string> {
  const { limits, chunkBytes, ...rest } = options;
  const input = Readable.from(chunksOf(Buffer.from(file), chunkBytes));
  try {
    const list = await openList(input, { ...rest, fileName: 'list', limits: { ...usualLimits, ...limits } });
    try {
      const content: AsyncIterable<unknown> = list.kind === 'text' ? list.chunks : list.records;
      for await (const part of content) void part;
    } finally {
      await list.close();
    }
  } catch (error) {
    if (!(error instanceof Error) || !('where' in error)) throw error;
    if (!input.destroyed) throw new Error('The input was not closed.', { cause: error });
    return error.message;
  }
  throw new Error('The file was read.');
}

function chunksOf(bytes: Buffer, chunkBytes = Math.max(1, bytes.length)): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  return chunks;
}
