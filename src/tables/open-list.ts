import type { Readable } from 'node:stream';
import { peek, type Peeked } from '../csv/peek.ts';
import { readBytes } from '../csv/read-bytes.ts';
import { findArchiveKind } from './detect/archive-kind.ts';
import { detectBytes, detectFormat, type ContentFormat } from './detect/detect-format.ts';
import { rejectUnreadable } from './detect/reject-unreadable.ts';
import { spoolFile, type SpooledFile } from './files/spool-file.ts';
import { openJson } from './json/open-json.ts';
import { openOds } from './ods/open-ods.ts';
import { openParquet } from './parquet/open-parquet.ts';
import { tableError } from './records/table-error.ts';
import type { FormatTable, TableOptions } from './records/table.ts';
import { openXlsx } from './xlsx/open-xlsx.ts';
import { openZip, type ZipArchive } from './zip/open-zip.ts';

/** Digest of the content of a file. */
export interface ContentDigest {
  readonly sha256: string;
  readonly bytes: number;
}

/** Container that a list came in. */
export type Container = 'gzip' | 'zip';

interface OpenedBase {
  /** Archives around the list, the outermost first. */
  readonly containers: readonly Container[];
  /** SHA-256 (hexadecimal) and size of the file, decompressed if it is gzipped; complete once all has been read. */
  readonly digest: () => ContentDigest;
  /** Releases the input and all temporary files. Call it in any case; calling it again does nothing. */
  readonly close: () => Promise<void>;
}

/** A text with columns, for the CSV reader: its decompressed bytes, with their beginning. */
export interface OpenedText extends OpenedBase, Peeked {
  readonly kind: 'text';
}

/** A table of another format. */
export interface OpenedTable extends OpenedBase, FormatTable {
  readonly kind: 'table';
}

export type OpenedList = OpenedText | OpenedTable;

/**
 * Opens a list in any format that people have: CSV, XLSX, ODS, Parquet, NDJSON, a JSON array; gzipped, or as the only file of a ZIP archive.
 *
 * The content decides, not the name. Formats that are not read from the beginning to the end are first written to a temporary file. Memory is
 * bounded for files of any size.
 *
 * @param headBytes bytes that the CSV reader needs ahead.
 * @throws ValidationError naming the file and the remedy, here or while reading. The input is closed then.
 */
export async function openList(
  input: Readable,
  options: TableOptions,
  headBytes: number = detectBytes,
): Promise<OpenedList> {
  const opened: (() => Promise<void>)[] = [async () => void input.destroy()];

  async function close(): Promise<void> {
    for (const release of opened.splice(0).reverse()) await release();
  }

  async function spool(chunks: AsyncIterable<Buffer>): Promise<SpooledFile> {
    const file = await spoolFile(chunks);
    opened.push(file.close);
    return file;
  }

  try {
    const bytes = await readBytes(input, {
      fileName: options.fileName,
      bytesMax: options.limits.bytesMax,
      headBytes: Math.max(headBytes, detectBytes),
    });
    const containers: readonly Container[] = bytes.compressed ? ['gzip'] : [];
    const base = { digest: bytes.digest, close };
    return await openContent(bytes, { options, headBytes, containers, base, spool });
  } catch (error) {
    await close();
    throw error;
  }
}

interface OpenContext {
  readonly options: TableOptions;
  readonly headBytes: number;
  readonly containers: readonly Container[];
  readonly base: Pick<OpenedBase, 'digest' | 'close'>;
  /** Writes bytes to a temporary file, which `close` removes. */
  readonly spool: (chunks: AsyncIterable<Buffer>) => Promise<SpooledFile>;
}

async function openContent({ head, chunks }: Peeked, context: OpenContext): Promise<OpenedList> {
  const { options, containers, base, spool } = context;
  rejectUnreadable(head, options.fileName);
  const format = detectFormat(head);
  if (format === 'text') return { kind: 'text', head, chunks, containers, ...base };
  const file = await spool(chunks);
  if (format === 'zip') return openArchive(await openZip(file, options.fileName), context);
  return { kind: 'table', containers, ...base, ...(await openFormat(format, file, options)) };
}

function openFormat(
  format: Exclude<ContentFormat, 'text' | 'zip'>,
  file: SpooledFile,
  options: TableOptions,
): Promise<FormatTable> {
  return format === 'parquet' ? openParquet(file, options) : openJson(file, format, options);
}

async function openArchive(zip: ZipArchive, context: OpenContext): Promise<OpenedList> {
  const { options, containers, base, headBytes } = context;
  const { fileName, limits } = options;
  const found = await findArchiveKind(zip, fileName);
  if (found.kind === 'xlsx')
    return { kind: 'table', containers, ...base, ...(await openXlsx(zip, found.main, options)) };
  if (found.kind === 'ods')
    return { kind: 'table', containers, ...base, ...(await openOds(zip, found.content, options)) };
  if (containers.includes('zip'))
    throw tableError(
      fileName,
      null,
      'The ZIP archive contains another ZIP archive. Decompress it and submit the list itself.',
    );
  const content = await peek(zip.read(found.entry, limits.bytesMax), Math.max(headBytes, detectBytes));
  return openContent(content, { ...context, containers: [...containers, 'zip'] });
}
