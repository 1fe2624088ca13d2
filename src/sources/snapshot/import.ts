import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type {
  SnapshotLoad,
  SnapshotName,
  SnapshotRow,
  SnapshotStore,
} from '../../core/sources/snapshot-store.ts';
import { ValidationError } from '../../core/errors.ts';
import { createInvalidLines } from '../../csv/invalid-lines.ts';
import { decodeText, withoutFirst } from '../../csv/decode.ts';
import { fileError } from '../../csv/file-error.ts';
import { parseRecords } from '../../csv/parse-records.ts';
import { readBytes } from '../../csv/read-bytes.ts';
import type { FileBytes } from '../../csv/read-bytes.ts';
import { sniff, sniffBytes } from '../../csv/sniff.ts';
import { readCellRows } from './cell-rows.ts';
import { parseDay } from './day.ts';
import { readJsonRows } from './json-rows.ts';

/** Progress of a load. After all bytes are read, the rows are written to the store, which takes about three times as long. */
export interface ImportProgress {
  /** Bytes of the files on disk, compressed or not. */
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly rows: number;
}

export interface ImportOptions {
  readonly store: Pick<SnapshotStore, 'load'>;
  readonly name: SnapshotName;
  /** Paths. All files are one load: all of them are loaded, or none. */
  readonly files: readonly string[];
  /** Day of the export, `YYYY-MM-DD`; null or absent: today, UTC. */
  readonly asOf?: string | null;
  /** Called with every block of rows, a few hundred times per second, and at the end of each file. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called with the reason before the load waits for another process. */
  readonly onWait?: (reason: string) => void;
  /** Aborts the load; nothing of it is kept. */
  readonly signal?: AbortSignal;
}

/** Result of an import. */
export interface SnapshotImport extends SnapshotLoad {
  /** Number of rows without days in the file. */
  readonly rowsWithoutDates: number;
}

/** Maximum length of a line, or record of a CSV, in bytes. The longest rows of the export, with all regions, have about 100 KiB. */
const lineBytesMax = 4 * 1024 * 1024;

/**
 * Loads exports of Google's `creative_stats` and `removed_creative_stats` into a local data set: NDJSON or CSV, with nested columns or in the
 * flat form, compressed with gzip or not. The content decides, not the file name. Blank lines are skipped; memory stays constant.
 *
 * @throws ValidationError that names file, line, field and remedy at the first malformed line, and for files without rows.
 * Nothing of the load is kept then.
 */
export async function importSnapshot(options: ImportOptions): Promise<SnapshotImport> {
  const asOf = parseAsOf(options.asOf ?? null);
  const sizes = await Promise.all(options.files.map(readSize));
  const bytesTotal = sizes.reduce((sum, size) => sum + size, 0);
  const dateless = { count: 0 };
  const rows = countingDateless(readFiles(options, bytesTotal), dateless);
  const load = await options.store.load(options.name, rows, {
    asOf,
    onWait: options.onWait,
    signal: options.signal,
  });
  return { ...load, rowsWithoutDates: dateless.count };
}

function parseAsOf(text: string | null): string | null {
  if (text === null || parseDay(text) !== null) return text;
  throw new ValidationError(
    `The day of the export, ${text}, is not a day that exists. Write it as YYYY-MM-DD, such as 2026-03-31.`,
    { where: 'as_of' },
  );
}

async function* countingDateless(
  blocks: AsyncIterable<readonly SnapshotRow[]>,
  dateless: { count: number },
): AsyncGenerator<readonly SnapshotRow[]> {
  for await (const block of blocks) {
    dateless.count += block.filter(isDateless).length;
    yield block;
  }
}

/** True for an ad without days; a removed one need not have any. */
function isDateless({ start, lastSeen, disapprovals }: SnapshotRow): boolean {
  return start === null && lastSeen === null && disapprovals === null;
}

async function readSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw fileError(path, null, `The file cannot be read: ${error.message}.`, { cause: error });
  }
}

async function* readFiles(
  options: ImportOptions,
  bytesTotal: number,
): AsyncGenerator<readonly SnapshotRow[]> {
  const { files, signal, onProgress } = options;
  let bytesBefore = 0;
  let rows = 0;
  for (const path of files) {
    const input = createReadStream(path);
    const report = () => onProgress?.({ bytesRead: bytesBefore + input.bytesRead, bytesTotal, rows });
    try {
      for await (const block of readFile(path, input)) {
        signal?.throwIfAborted();
        rows += block.length;
        yield block;
        report();
      }
      report();
      bytesBefore += input.bytesRead;
    } finally {
      input.destroy();
    }
  }
  if (rows === 0) throw noRows(files);
}

async function* readFile(
  fileName: string,
  input: ReturnType<typeof createReadStream>,
): AsyncGenerator<readonly SnapshotRow[]> {
  const bytes = await readBytes(input, { fileName, bytesMax: Infinity, headBytes: sniffBytes });
  if (bytes.head.length === 0) return;
  const atLine = malformedAt(fileName);
  const first = firstCharacter(bytes.head);
  if (first === '[') throw atLine(1, 'The file is a JSON array; expected one JSON object per line');
  yield* first === '{'
    ? readJsonRows(decode(bytes, fileName), { lineBytesMax, atLine })
    : readCellRows(recordsOf(bytes, fileName), { atLine });
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

/** Makes the error for a line of this file. */
function malformedAt(fileName: string) {
  return (lineNo: number, message: string, cause?: unknown): ValidationError =>
    fileError(
      fileName,
      lineNo,
      `${message}. Nothing of this load was kept. Fix or remove the line, or export the table again, and repeat the load.`,
      { cause },
    );
}

function noRows(files: readonly string[]): ValidationError {
  return new ValidationError(
    `There is no row in ${files.length === 0 ? 'no file' : files.join(', ')}. ` +
      'Expected an export of creative_stats: one JSON object per line, or a CSV with a header.',
    { where: files[0] ?? 'files' },
  );
}
