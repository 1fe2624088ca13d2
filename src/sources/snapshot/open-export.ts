import { createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import type { SnapshotRow } from '../../core/sources/snapshot-store.ts';
import type { ValidationError } from '../../core/errors.ts';
import { decodeText, withoutFirst } from '../../csv/decode.ts';
import { fileError, type PlaceUnit } from '../../csv/file-error.ts';
import { createInvalidLines } from '../../csv/invalid-lines.ts';
import { parseRecords } from '../../csv/parse-records.ts';
import { readBytes, type FileBytes } from '../../csv/read-bytes.ts';
import { sniff, sniffBytes } from '../../csv/sniff.ts';
import { readArrayRows } from './array-rows.ts';
import { readCellRows } from './cell-rows.ts';
import { readJsonRows } from './json-rows.ts';
import { readObjectRows } from './object-rows.ts';

/** An opened export. */
export interface OpenedExport {
  /** Iterate them once. @throws ValidationError that names file, place, field and remedy. */
  readonly blocks: AsyncIterable<readonly SnapshotRow[]>;
  /** Bytes of the file that were read. */
  readonly bytesRead: () => number;
  /** Releases the file. */
  readonly close: () => Promise<void>;
}

/** Maximum length of a line, a record of a CSV or an object, in bytes. The longest rows of the export, with all regions, have about 100 KiB. */
const lineBytesMax = 4 * 1024 * 1024;

/**
 * Opens an export in any format that BigQuery writes: NDJSON, CSV, Avro, Parquet, or a JSON array. All but Parquet may be gzipped. The content
 * decides, not the file name.
 *
 * @throws ValidationError when the file cannot be read.
 */
export async function openExport(path: string): Promise<OpenedExport> {
  return (await isParquetFile(path)) ? openParquetFile(path) : openStream(path);
}

/** Reads the beginning of a regular file: a pipe could not be read again. */
async function isParquetFile(path: string): Promise<boolean> {
  if (!(await stat(path).catch(unreadable(path))).isFile()) return false;
  const handle = await open(path).catch(unreadable(path));
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return parquetMarks.has(buffer.toString('latin1'));
  } finally {
    await handle.close();
  }
}

/** Beginnings of Parquet files, the second one encrypted. */
const parquetMarks = new Set(['PAR1', 'PARE']);

function unreadable(path: string) {
  return (error: unknown): never => {
    if (!(error instanceof Error)) throw error;
    throw fileError(path, null, `The file cannot be read: ${error.message}.`, { cause: error });
  };
}

async function openParquetFile(path: string): Promise<OpenedExport> {
  const handle = await open(path).catch(unreadable(path));
  const { size } = await handle.stat();
  let bytesRead = 0;

  async function read(start: number, length: number): Promise<Buffer> {
    const bytes = await readRange(handle, start, Math.min(length, size - start));
    // Row groups follow each other; the list of them, at the end, is read first.
    if (start + bytes.length < size - footerBytesMin) bytesRead = Math.max(bytesRead, start + bytes.length);
    return bytes;
  }

  async function* readRows(): AsyncGenerator<readonly SnapshotRow[]> {
    const { openParquetObjects } = await import('../../tables/parquet/open-objects.ts');
    const table = await openParquetObjects({ bytes: size, read }, path);
    yield* readObjectRows(table, { atRow: invalidAt(path, 'row') });
    bytesRead = size;
  }

  return { blocks: readRows(), bytesRead: () => bytesRead, close: () => handle.close() };
}

/** The length of the footer and the mark are the last bytes. */
const footerBytesMin = 8;

async function readRange(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(Math.max(0, length));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function openStream(path: string): OpenedExport {
  const input = createReadStream(path);
  return {
    blocks: readRows(),
    bytesRead: () => input.bytesRead,
    close: async () => void input.destroy(),
  };

  async function* readRows(): AsyncGenerator<readonly SnapshotRow[]> {
    const bytes = await readBytes(input, { fileName: path, bytesMax: Infinity, headBytes: sniffBytes });
    if (bytes.head.length > 0) yield* readContent(bytes, path);
  }
}

async function* readContent(bytes: FileBytes, fileName: string): AsyncGenerator<readonly SnapshotRow[]> {
  const mark = bytes.head.toString('latin1', 0, 4);
  const atLine = invalidAt(fileName, 'line');
  if (parquetMarks.has(mark))
    throw fileError(
      fileName,
      null,
      'A Parquet file cannot be read from gzip or from a pipe. Decompress it, or save it to a file.',
    );
  if (mark === 'Obj\u0001') {
    const { openAvro } = await import('../../tables/avro/open-avro.ts');
    yield* readObjectRows(await openAvro(bytes.chunks, fileName), { atRow: invalidAt(fileName, 'row') });
    return;
  }
  const first = firstCharacter(bytes.head);
  if (first === '[')
    yield* readArrayRows(decode(bytes, fileName), { fileName, valueBytesMax: lineBytesMax, atLine });
  else if (first === '{') yield* readJsonRows(decode(bytes, fileName), { lineBytesMax, atLine });
  else yield* readCellRows(recordsOf(bytes, fileName), { atLine });
}

/** The first character after a byte order mark and blanks; in both forms of UTF-16 it stands between zero bytes. */
function firstCharacter(head: Buffer): string {
  return String.fromCharCode(head.find((byte) => !insignificant.has(byte)) ?? 0);
}

const insignificant = new Set([0xef, 0xbb, 0xbf, 0xff, 0xfe, 0x00, 0x20, 0x09, 0x0a, 0x0d]);

function decode({ head, chunks }: FileBytes, fileName: string): AsyncGenerator<Uint8Array> {
  // JSON needs no delimiter; passing one avoids its detection.
  const text = sniff(head, { fileName, delimiter: ',' });
  return decodeText(chunks, { fileName, ...text, onReplaced: ignore });
}

/** A lone surrogate has become U+FFFD: in a name that is harmless, and a row with such an id is rejected anyway. */
function ignore(): void {}

function recordsOf({ head, chunks }: FileBytes, fileName: string) {
  const text = sniff(head, { fileName });
  const invalidLines = createInvalidLines();
  const decoded = decodeText(chunks, { fileName, ...text, onReplaced: invalidLines.add });
  return parseRecords(withoutFirst(decoded, text.sepLineBytes), {
    fileName,
    ...text,
    recordBytesMax: lineBytesMax,
    firstLineNo: text.sepLineBytes === 0 ? 1 : 2,
    invalidLines,
  });
}

/** Makes the error for a place of this file, or for the file. */
function invalidAt(fileName: string, unit: PlaceUnit) {
  return (placeNo: number | null, message: string, cause?: unknown): ValidationError =>
    fileError(
      fileName,
      placeNo,
      `${message}. Nothing of this load was kept. ${placeNo === null ? 'Export' : `Fix or remove the ${unit}, or export`} the table again, and repeat the load.`,
      { cause, unit },
    );
}
