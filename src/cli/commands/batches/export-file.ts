import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import type { BatchSummary } from '../../../core/batches/batch.ts';
import type { EndedSpan } from '../../../core/batches/batch-report.ts';
import type { ResultFilter } from '../../../core/batches/result-filter.ts';
import { ValidationError } from '../../../core/errors.ts';
import { exportBatch } from '../../../reporter/export/export-batch.ts';
import { exportEnded } from '../../../reporter/export/export-ended.ts';
import {
  formatOfFileName,
  isByteFormat,
  rejectGzip,
  type ReportFormat,
} from '../../../reporter/formats/report-format.ts';
import type { CsvForm } from './csv-form.ts';
import type { ReportShape } from '../../../reporter/formats/report-row.ts';
import type { WrittenReport } from '../../../reporter/export/write-report.ts';
import type { CommandContext } from '../../context/command-context.ts';
import type { Output } from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';

/** Options of every command that exports a batch. */
export interface ExportFileOptions {
  readonly format?: ReportFormat;
  readonly shape?: ReportShape;
  readonly raw?: boolean;
  /** Delimiter and byte order mark of CSV. Default: comma, none. */
  readonly csv?: CsvForm;
}

/**
 * Rejects a target that cannot be written to, before any lookup runs.
 *
 * @throws ValidationError with the remedy.
 */
export async function rejectTarget(
  { output }: Pick<CommandContext, 'output'>,
  target: string,
  options: ExportFileOptions,
): Promise<void> {
  if (target === '-') return rejectStdout(output, options.format);
  rejectGzip(target, formatOf(target, options));
  await rejectFolder(target);
}

function rejectStdout(output: Output, format: ReportFormat | undefined): void {
  if (output.isJson && format !== undefined && format !== 'json') {
    throw new ValidationError(`--json and --format ${format} both write to stdout. Name a file: -o FILE.`);
  }
  if (format !== undefined && isByteFormat(format) && output.stdout.isTTY === true) {
    throw new ValidationError(
      `The format ${format} is binary and not written to a terminal. Name a file (-o FILE.${format}) or redirect stdout.`,
    );
  }
}

/** Rejects a path whose folder is missing, or that is a folder itself. @throws ValidationError */
export async function rejectFolder(target: string): Promise<void> {
  const isFolder = (path: string) =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  if (await isFolder(target)) throw new ValidationError(`${target} is a folder. Name a file in it.`);
  if (await isFolder(dirname(target))) return;
  throw new ValidationError(
    `Cannot write ${target}: its folder does not exist. Create the folder or name another.`,
  );
}

/**
 * Returns the format of an export: the given one, else that of the file name, else CSV.
 *
 * @throws ValidationError for a file name without a known ending.
 */
export function formatOf(target: string, { format }: ExportFileOptions): ReportFormat {
  return format ?? (target === '-' ? 'csv' : formatOfFileName(target));
}

/** Options of an export of one batch. */
export interface BatchFileOptions extends ExportFileOptions {
  /** Only rows that ended in it. */
  readonly span?: EndedSpan;
  /** Only matching rows. */
  readonly filter?: ResultFilter;
}

/** Writes a batch, or its matching rows, to a file, or with `-` to stdout. */
export async function exportFile(
  context: CommandContext,
  batch: BatchSummary,
  target: string,
  options: BatchFileOptions,
): Promise<WrittenReport> {
  const {
    batches: { reportStore: reports },
  } = await context.app();
  const { span, filter } = options;
  return write(context, target, () =>
    exportBatch(reports, {
      batch,
      ...formOf(context, target, options),
      ...(span === undefined ? {} : { span }),
      ...(filter === undefined ? {} : { filter }),
    }),
  );
}

/** Writes the rows of an account that ended in a span to a file, or with `-` to stdout. */
export async function exportEndedFile(
  context: CommandContext,
  part: { readonly accountId: number; readonly span: EndedSpan },
  target: string,
  options: ExportFileOptions,
): Promise<WrittenReport> {
  const {
    batches: { reportStore: reports },
  } = await context.app();
  return write(context, target, () => exportEnded(reports, { ...part, ...formOf(context, target, options) }));
}

function formOf({ output, signal }: CommandContext, target: string, options: ExportFileOptions) {
  return {
    format: target === '-' && output.isJson ? 'json' : formatOf(target, options),
    shape: options.shape ?? 'rows',
    raw: options.raw === true,
    csv: options.csv ?? {},
    target: target === '-' ? (output.stdout satisfies Writable) : target,
    createdAt: new Date(),
    signal,
  } as const;
}

/** Results on stdout and a progress line would overwrite each other on a terminal. */
function write({ output }: CommandContext, target: string, work: () => Promise<WrittenReport>) {
  return target === '-' ? work() : withProgress(output, `Writing ${target}`, work);
}
