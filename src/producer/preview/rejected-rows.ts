import type { RejectedRow } from '../../core/batches/batch-report.ts';
import type { CompanyFile } from '../columns/company-file.ts';
import { parseRow } from '../rows/parse-row.ts';

/** Yields the rejected rows of a file, in order; a block can have none. */
export async function* rejectedRows({ form, rows }: CompanyFile): AsyncGenerator<readonly RejectedRow[]> {
  for await (const block of rows) {
    yield block.flatMap((row) => {
      const parsed = parseRow(row, form);
      return parsed.kind === 'rejected'
        ? [{ lineNo: row.lineNo, reason: parsed.reason, cells: row.cells }]
        : [];
    });
  }
}
