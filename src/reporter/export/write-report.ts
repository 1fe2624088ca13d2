import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Writable } from 'node:stream';
import { failpoint } from '../../core/failpoint.ts';
import { createCsvWriter } from '../formats/csv.ts';
import { createJsonWriter } from '../formats/json.ts';
import { createNdjsonWriter } from '../formats/ndjson.ts';
import { isGzipName, rejectGzip } from '../formats/report-format.ts';
import type { ReportFormat } from '../formats/report-format.ts';
import type { ReportEncoder, ReportWriter } from '../formats/report-writer.ts';
import { manifestNameOf, manifestText } from './manifest.ts';
import type { Detail } from './manifest.ts';
import { gzipped, textBytes, watched } from './report-bytes.ts';
import type { Report, ReportColumn, ReportShape } from '../formats/report-row.ts';
import { openStagedFile } from '../files/staged-file.ts';
import { writeToStream } from '../files/write-to-stream.ts';

export interface WriteReportOptions {
  readonly format: ReportFormat;
  /**
   * Target: the path of a file, compressed when it ends in `.gz` and the format is text, or a stream such as stdout, which is left open.
   */
  readonly target: string | Writable;
  /** Details in the manifest of a file beside its counts. A stream has no manifest. */
  readonly about: {
    readonly shape: ReportShape;
    readonly createdAt: Date;
    readonly details: { readonly [key: string]: Detail };
  };
  /** CSV only: writes every cell as it came, formulas included. Default false. */
  readonly raw?: boolean;
  /** Gives up, with the signal's reason, at the next block. A source that waits for long has to heed it as well. */
  readonly signal?: AbortSignal;
}

/** Size of the written report. Lines without the header; bytes and their SHA-256 (hex) as in the file. */
export interface WrittenReport {
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes a report to a file, beside it a manifest (`<name>.manifest.json`), or to a stream.
 *
 * A file is there whole or not at all: both are written under temporary names in the same folder and forced to the disk
 * before the first of them is renamed. After any error or abort the temporary files are gone and an earlier report at
 * that name is as it was. Only a crash between the two renames can leave a new report beside an older manifest; their
 * checksums tell. The same report gives the same bytes.
 *
 * @throws ValidationError | Misconfigured when the file cannot be written; the message says what to do. Errors of the
 *   blocks, and of a stream (`EPIPE`, when a reader of stdout has gone), pass unchanged.
 */
export async function writeReport(report: Report, options: WriteReportOptions): Promise<WrittenReport> {
  const { target, signal } = options;
  if (typeof target === 'string') return writeToFile(report, target, options);
  return pour(report, options, { gzip: false, write: (bytes) => writeToStream(target, bytes, signal) });
}

async function writeToFile(
  report: Report,
  path: string,
  options: WriteReportOptions,
): Promise<WrittenReport> {
  rejectGzip(path, options.format);
  const file = await openStagedFile(path);
  failpoint('export:opened');
  try {
    const written = await pour(report, options, { gzip: isGzipName(path), write: file.write });
    await file.flush();
    failpoint('export:written');
    await commitWithManifest(file.commit, path, { written, options });
    return written;
  } finally {
    await file.discard();
  }
}

/** The manifest is on the disk before the report gets its name: with no space left for it, neither appears. */
async function commitWithManifest(
  commitReport: () => Promise<void>,
  path: string,
  { written, options }: { readonly written: WrittenReport; readonly options: WriteReportOptions },
): Promise<void> {
  const { format, raw = false, about, signal } = options;
  const data = { file: basename(path), format, shape: about.shape, defused: format === 'csv' && !raw };
  const { createdAt, details } = about;
  const manifest = await openStagedFile(manifestNameOf(path));
  try {
    await manifest.write(Buffer.from(manifestText({ ...data, ...written, createdAt, details })));
    await manifest.flush();
    failpoint('export:manifest-written');
    signal?.throwIfAborted();
    await commitReport();
    failpoint('export:renamed');
    await manifest.commit();
    failpoint('export:manifest-renamed');
  } finally {
    await manifest.discard();
  }
}

interface Sink {
  readonly gzip: boolean;
  readonly write: (bytes: Uint8Array) => Promise<void>;
}

async function pour(report: Report, options: WriteReportOptions, sink: Sink): Promise<WrittenReport> {
  const { signal } = options;
  let lines = 0;
  let bytes = 0;
  const sha256 = createHash('sha256');
  const onLines = (count: number): void => void (lines += count);
  const encode = await loadEncoder(report, options);
  const plain = encode(watched(report.blocks, { signal, onLines }));
  for await (const chunk of sink.gzip ? gzipped(plain) : plain) {
    sha256.update(chunk);
    bytes += chunk.length;
    await sink.write(chunk);
  }
  return { lines, bytes, sha256: sha256.digest('hex') };
}

/** The libraries behind a format are loaded with its first report: most commands write none. */
async function loadEncoder(
  { columns }: Report,
  { format, raw = false, signal }: WriteReportOptions,
): Promise<ReportEncoder> {
  if (format === 'parquet') return (await import('../formats/parquet.ts')).createParquetEncoder(columns);
  if (format === 'xlsx') return (await import('../formats/xlsx.ts')).createXlsxEncoder(columns, signal);
  const writer = createWriter(columns, format, raw);
  return (blocks) => textBytes(blocks, writer);
}

function createWriter(
  columns: readonly ReportColumn[],
  format: 'csv' | 'ndjson' | 'json',
  raw: boolean,
): ReportWriter {
  if (format === 'csv') return createCsvWriter(columns, { raw });
  return format === 'json' ? createJsonWriter(columns) : createNdjsonWriter(columns);
}
