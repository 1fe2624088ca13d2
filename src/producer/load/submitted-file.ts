import { Readable } from 'node:stream';
import type { BatchRows, SubmittedBatch } from '../../core/batches/batch-rows.ts';
import type { ReadOptions } from '../columns/company-file.ts';
import { companyFields } from '../columns/fields.ts';

/** The rows of a batch as a CSV file without a header, and the options that read it as the batch was read. */
export function submittedFile(
  rows: BatchRows,
  batch: SubmittedBatch,
): { readonly open: () => Readable; readonly reading: ReadOptions } {
  return {
    open: () => Readable.from(csvOf(rows.cells(batch.batchId))),
    reading: {
      fileName: batch.fileName,
      encoding: 'utf-8',
      delimiter: ',',
      quote: '"',
      escape: '"',
      skipLines: 0,
      keepsBlankRows: true,
      noHeader: true,
      columns: batch.header,
      map: Object.fromEntries(companyFields.map((field) => [field, columnOf(batch, field)])),
      operations: batch.operations,
    },
  };
}

/** The name of the column of a field; empty if no column holds it. */
function columnOf({ header, columnMap }: SubmittedBatch, field: string): string {
  const index = columnMap[field];
  return index === undefined ? '' : (header[index] ?? '');
}

async function* csvOf(pages: AsyncIterable<readonly (readonly string[])[]>): AsyncGenerator<Buffer> {
  for await (const rows of pages) {
    yield Buffer.from(rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join(''));
  }
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
