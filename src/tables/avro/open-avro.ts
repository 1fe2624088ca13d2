import { tableError } from '../records/table-error.ts';
import type { ObjectBlock, ObjectRow, ObjectTable } from '../records/object-table.ts';
import { createCursor, readLong, type ByteCursor } from './byte-cursor.ts';
import { createByteQueue, type ByteQueue } from './byte-queue.ts';
import { compileSchema, isObject, type ReadValue } from './compile-schema.ts';
import { DamagedAvro } from './damaged-avro.ts';
import { blockBytesMax, findDecompressor } from './decompress-block.ts';

/** Beginning of an object container file. */
const avroMagic = Buffer.from('Obj\u0001');

/** Schema and entries of a header. */
const headerBytesMax = 4 * 1024 * 1024;
const syncBytes = 16;

interface AvroHeader {
  readonly columns: readonly string[];
  readonly read: ReadValue;
  readonly decompress: (stored: Buffer) => Buffer;
  /** Mark that ends each block. */
  readonly sync: Buffer;
}

/**
 * Opens an Avro object container file of records, compressed with deflate or Snappy or not at all. One block is in memory at a time.
 *
 * @throws ValidationError when it is damaged, cut off, no table, or compressed with another codec.
 */
export async function openAvro(chunks: AsyncIterable<Buffer>, fileName: string): Promise<ObjectTable> {
  const queue = createByteQueue(chunks);
  try {
    const header = await readHeader(queue);
    return { columns: header.columns, blocks: readBlocks(queue, header, fileName) };
  } catch (error) {
    await queue.close();
    throw damaged(fileName, null, error);
  }
}

async function readHeader(queue: ByteQueue): Promise<AvroHeader> {
  if (!(await queue.take(avroMagic.length)).equals(avroMagic)) throw new DamagedAvro('it is no Avro file');
  const entries = new Map<string, Buffer>();
  let bytes = 0;
  for (let count = await takeLong(queue); count !== 0n; count = await takeLong(queue)) {
    if (count < 0n) await takeLong(queue);
    for (let item = count < 0n ? -count : count; item > 0n; item -= 1n) {
      const key = await takeText(queue);
      const value = await takeText(queue);
      bytes += key.length + value.length + 2;
      if (bytes > headerBytesMax) throw new DamagedAvro('its header is too large');
      entries.set(key.toString(), value);
    }
  }
  const schema = parseSchema(entries.get('avro.schema'));
  return {
    columns: columnsOf(schema),
    read: compileSchema(schema),
    decompress: findDecompressor(entries.get('avro.codec')?.toString() ?? 'null'),
    sync: await queue.take(syncBytes),
  };
}

function parseSchema(text: Buffer | undefined): unknown {
  if (text === undefined) throw new DamagedAvro('it has no schema');
  try {
    return JSON.parse(text.toString());
  } catch (error) {
    throw new DamagedAvro('its schema is not valid JSON', { cause: error });
  }
}

function columnsOf(schema: unknown): readonly string[] {
  if (!isObject(schema) || schema['type'] !== 'record' || !Array.isArray(schema['fields']))
    throw new DamagedAvro('its values are no records');
  return schema['fields'].map((field: unknown) => (isObject(field) ? String(field['name']) : ''));
}

async function* readBlocks(
  queue: ByteQueue,
  header: AvroHeader,
  fileName: string,
): AsyncGenerator<ObjectBlock> {
  let firstRowNo = 1;
  try {
    while (!(await atEnd(queue, fileName))) {
      const rows = await readBlock(queue, header).catch((error: unknown) => {
        throw damaged(fileName, firstRowNo, error);
      });
      yield { firstRowNo, rows };
      firstRowNo += rows.length;
    }
  } finally {
    await queue.close();
  }
}

function atEnd(queue: ByteQueue, fileName: string): Promise<boolean> {
  return queue.isAtEnd().catch((error: unknown) => {
    throw damaged(fileName, null, error);
  });
}

async function readBlock(queue: ByteQueue, { read, decompress, sync }: AvroHeader): Promise<ObjectRow[]> {
  const count = await takeLong(queue);
  const stored = await queue.take(await takeLength(queue, blockBytesMax));
  if (!(await queue.take(syncBytes)).equals(sync)) throw new DamagedAvro('the mark after a block is missing');
  const cursor = createCursor(decompress(stored));
  // A row has the ids of its ad, so at least a byte.
  if (count < 0n || count > BigInt(cursor.bytes.length))
    throw new DamagedAvro('a block has more rows than bytes');
  const rows: ObjectRow[] = [];
  for (let row = 0n; row < count; row += 1n) rows.push(readRow(read, cursor));
  if (cursor.at !== cursor.bytes.length) throw new DamagedAvro('a block has bytes after its rows');
  return rows;
}

function readRow(read: ReadValue, cursor: ByteCursor): ObjectRow {
  const row = read(cursor);
  if (!isObject(row)) throw new DamagedAvro('its values are no records');
  return row;
}

async function takeLong(queue: ByteQueue): Promise<bigint> {
  const bytes: Buffer[] = [];
  do bytes.push(await queue.take(1));
  while ((bytes.at(-1)?.[0] ?? 0) >= 0x80 && bytes.length < 10);
  return readLong(createCursor(Buffer.concat(bytes)));
}

async function takeLength(queue: ByteQueue, bytesMax: number): Promise<number> {
  const length = await takeLong(queue);
  if (length < 0n || length > BigInt(bytesMax)) throw new DamagedAvro('a length is invalid or too large');
  return Number(length);
}

async function takeText(queue: ByteQueue): Promise<Buffer> {
  return queue.take(await takeLength(queue, headerBytesMax));
}

function damaged(fileName: string, firstRowNo: number | null, error: unknown): unknown {
  if (!(error instanceof DamagedAvro)) return error;
  return tableError(
    fileName,
    firstRowNo === null ? null : `from row ${firstRowNo} on`,
    `The Avro data cannot be read: ${error.message}. Copy or download the file again, or export the table again.`,
    { cause: error },
  );
}
