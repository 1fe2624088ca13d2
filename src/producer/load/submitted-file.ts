import { Readable } from 'node:stream';
import type { BatchRows, SubmittedBatch, SubmittedRow } from '../../core/batches/batch-rows.ts';
import type { FileOptions } from '../../core/schedules/schedule.ts';
import type { RawRow } from '../columns/company-file.ts';
import { companyFields } from '../columns/fields.ts';
import type { LoadOptions } from './load-batch.ts';

/**
 * The rows of a batch as a CSV file with its columns as the header, and the options that read it as the batch was read. Each row keeps its line in the
 * first file, its remark, and the reason why it is rejected.
 */
export function submittedFile(
  rows: BatchRows,
  batch: SubmittedBatch,
): Pick<LoadOptions, 'open' | 'reading' | 'asSubmitted' | 'delimiter'> {
  let lines: number[] = [];
  const remarks = new Map<number, Pick<SubmittedRow, 'problem' | 'warning'>>();

  async function* csv(): AsyncGenerator<Buffer> {
    lines = [];
    yield line(batch.header);
    for await (const page of rows.read(batch.batchId)) {
      for (const { lineNo, problem, warning } of page) {
        lines.push(lineNo);
        if (problem !== null || warning !== null) remarks.set(lines.length, { problem, warning });
      }
      yield Buffer.concat(page.map(({ cells }) => line(cells)));
    }
  }

  return {
    open: () => Readable.from(csv()),
    reading: {
      fileName: batch.fileName,
      encoding: 'utf-8',
      delimiter: ',',
      quote: '"',
      escape: '"',
      skipLines: 0,
      keepsBlankRows: true,
      ...submittedColumns(batch),
      operations: batch.operations,
    },
    delimiter: batch.delimiter,
    // The row was written before it can be read.
    asSubmitted: (row: RawRow) => ({
      ...row,
      lineNo: lines[row.rowNo - 1] ?? row.lineNo,
      ...(remarks.get(row.rowNo) ?? { problem: null, warning: null }),
    }),
  };
}

/** Options that find the columns of a batch where the header names them. */
export function submittedColumns(batch: SubmittedBatch): Required<Pick<FileOptions, 'columns' | 'map'>> {
  return {
    columns: batch.header,
    map: Object.fromEntries(companyFields.map((field) => [field, columnOf(batch, field)])),
  };
}

/** The name of the column of a field; empty if no column holds it. */
function columnOf({ header, columnMap }: SubmittedBatch, field: string): string {
  const index = columnMap[field];
  return index === undefined ? '' : (header[index] ?? '');
}

function line(cells: readonly string[]): Buffer {
  return Buffer.from(`${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`);
}
