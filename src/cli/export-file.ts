import type { Writable } from 'node:stream';
import type { BatchSummary } from '../core/batch/batch.ts';
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

/** Writes a batch to a file, or with `-` to stdout. */
export async function exportFile(
  { app, output, signal }: CommandContext,
  batch: BatchSummary,
  target: string,
  options: ExportFileOptions,
): Promise<WrittenReport> {
  const { reports } = await app();
  const stdout: Writable = output.stdout;
  return exportBatch(reports, {
    batch,
    format: options.format ?? (target === '-' ? 'csv' : formatOfFileName(target)),
    shape: options.shape ?? 'rows',
    raw: options.raw === true,
    target: target === '-' ? stdout : target,
    createdAt: new Date(),
    signal,
  });
}
