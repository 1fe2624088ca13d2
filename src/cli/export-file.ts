import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import type { BatchSummary } from '../core/batch/batch.ts';
import { ValidationError } from '../core/errors.ts';
import { exportBatch } from '../reporter/export-batch.ts';
import { formatOfFileName, type ReportFormat } from '../reporter/formats/report-format.ts';
import type { ReportShape } from '../reporter/report-row.ts';
import type { WrittenReport } from '../reporter/write-report.ts';
import type { CommandContext } from './command-context.ts';

/** The options of every command that writes a report. */
export interface ExportFileOptions {
  readonly format?: ReportFormat;
  readonly shape?: ReportShape;
  readonly raw?: boolean;
}

/**
 * Refuses a target that could not be written to, before a night's work is done for it.
 *
 * @throws ValidationError that says what to do.
 */
export async function refuseTarget(
  { output }: CommandContext,
  target: string,
  { format }: ExportFileOptions,
): Promise<void> {
  if (target !== '-') {
    if (format === undefined) formatOfFileName(target);
    await refuseFolder(target);
  } else if (output.isJson && format !== undefined && format !== 'json') {
    throw new ValidationError(`--json and --format ${format} both want stdout. Name a file: -o FILE.`);
  }
}

/** Refuses a file that cannot be there: its folder is missing, or it is a folder itself. @throws ValidationError */
export async function refuseFolder(target: string): Promise<void> {
  const isFolder = (path: string) =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  if (await isFolder(target)) throw new ValidationError(`${target} is a folder; name a file in it.`);
  if (await isFolder(dirname(target))) return;
  throw new ValidationError(
    `Cannot write ${target}: its folder does not exist. Create the folder or name another.`,
  );
}

/** Writes a batch to a file, or with `-` to stdout. */
export async function exportFile(
  { app, output, signal }: CommandContext,
  batch: BatchSummary,
  target: string,
  options: ExportFileOptions,
): Promise<WrittenReport> {
  const { reports } = await app();
  const stdout: Writable = output.stdout;
  const stdoutFormat = output.isJson ? 'json' : 'csv';
  return exportBatch(reports, {
    batch,
    format: options.format ?? (target === '-' ? stdoutFormat : formatOfFileName(target)),
    shape: options.shape ?? 'rows',
    raw: options.raw === true,
    target: target === '-' ? stdout : target,
    createdAt: new Date(),
    signal,
  });
}
