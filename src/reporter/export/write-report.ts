import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Writable } from 'node:stream';
import { failpoint } from '../../core/failpoint.ts';
import { createCsvWriter, type CsvOptions } from '../formats/csv.ts';
import { createJsonWriter } from '../formats/json.ts';
import { createNdjsonWriter } from '../formats/ndjson.ts';
import { isGzipName, rejectGzip } from '../formats/report-format.ts';
import type { ReportFormat } from '../formats/report-format.ts';
import type { ReportEncoder, ReportWriter } from '../formats/report-writer.ts';
import { manifestNameOf, manifestText } from './manifest.ts';
import type { Detail } from './manifest.ts';
import { gzipped, textBytes, watched } from './report-bytes.ts';
import type { Report, ReportColumn, ReportShape } from '../formats/report-row.ts';
import { openStagedFile } from '../../files/staged-file.ts';
import { writeToStream } from '../files/write-to-stream.ts';

export interface WriteReportOptions {
  readonly format: ReportFormat;
  /** Target: the path of a file, compressed if it ends in `.gz` and the format is text, or a stream such as stdout, which stays open. */
  readonly target: string | Writable;
  /** Details for the manifest of a file, besides its counts. A stream has no manifest. */
  readonly about: {
    readonly shape: ReportShape;
    readonly createdAt: Date;
    readonly details: { readonly [key: string]: Detail };
  };
  /** CSV only: true to write every cell unchanged, including formulas. Default false. */
  readonly raw?: boolean;
  /** Form of CSV. Default: comma, no byte order mark. */
  readonly csv?: Omit<CsvOptions, 'raw'>;
  /** Stops at the next block, with the signal's reason. A source that waits for long must observe it too. */
  readonly signal?: AbortSignal;
}

/** Size of the written report: lines without the header; bytes and their SHA-256 (hex) as in the file. */
export interface WrittenReport {
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes a report to a file with a manifest (`<name>.manifest.json`) beside it, or to a stream.
 *
 * The file is either complete or absent: both files are written under temporary names in the same folder and flushed to disk
 * before the first one is renamed. After an error or abort, the temporary files are removed and an earlier report at that name
 * is unchanged. Only a crash between the two renames can leave a new report beside an older manifest; the checksum reveals it.
 * The same report gives the same bytes.
 *
 * @throws ValidationError | Misconfigured when the file cannot be written; the message states the remedy. Errors of the blocks,
 * and of a stream (`EPIPE`, when a reader of stdout has gone), pass unchanged.
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

/** The manifest is written to disk before the report gets its final name: if there is no space for it, neither appears. */
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

/** Receiver of the bytes of a report. */
export interface Sink {
  /** True to compress them. */
  readonly gzip: boolean;
  readonly write: (bytes: Uint8Array) => Promise<void>;
}

type EncodeOptions = Pick<WriteReportOptions, 'format' | 'raw' | 'csv' | 'signal'>;

/** Writes the bytes of a report to a sink. The same report gives the same bytes. @throws the errors of the blocks and of the sink */
export async function pour(report: Report, options: EncodeOptions, sink: Sink): Promise<WrittenReport> {
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

/** Loads the library of a format on demand: most commands write no report. */
async function loadEncoder(
  { columns }: Report,
  { format, raw = false, csv = {}, signal }: EncodeOptions,
): Promise<ReportEncoder> {
  if (format === 'parquet') return (await import('../formats/parquet.ts')).createParquetEncoder(columns);
  if (format === 'xlsx') return (await import('../formats/xlsx.ts')).createXlsxEncoder(columns, signal);
  const writer = createWriter(columns, format, { ...csv, raw });
  return (blocks) => textBytes(blocks, writer);
}

function createWriter(
  columns: readonly ReportColumn[],
  format: 'csv' | 'ndjson' | 'json',
  csv: CsvOptions,
): ReportWriter {
  if (format === 'csv') return createCsvWriter(columns, csv);
  return format === 'json' ? createJsonWriter(columns) : createNdjsonWriter(columns);
}
