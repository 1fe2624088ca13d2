import type { BatchRows, SubmittedBatch, SubmittedRow } from '../../core/batches/batch-rows.ts';
import type { TableRecord } from '../../csv/records/read-records.ts';
import { companyFields, type ColumnMap } from '../columns/company-file.ts';
import { parseRow } from '../rows/parse-row.ts';
import { createRowNumbering } from '../rows/row-numbering.ts';

type SubmittedRecord = Pick<TableRecord, 'lineNo' | 'cells' | 'problem'>;

/**
 * Reads the columns of a batch and its rows as the records of a table. A rejected row has its reason as a problem, unless its cells alone
 * reject it.
 */
export async function* recordsOfBatch(
  rows: BatchRows,
  batch: SubmittedBatch,
): AsyncGenerator<readonly SubmittedRecord[]> {
  yield [{ lineNo: 1, cells: batch.header, problem: null }];
  const isRejected = createRejection(batch);
  for await (const page of rows.read(batch.batchId)) {
    yield page.map(({ lineNo, cells, problem }) => ({
      lineNo,
      cells,
      problem: problem !== null && isRejected({ lineNo, cells }) ? null : problem,
    }));
  }
}

/** Creates a function that reads the cells of a row as a scan does, and returns true when the scan keeps the row and rejects it. */
function createRejection({ header, columnMap, fileName }: SubmittedBatch) {
  const columnOf = (field: string) => columnMap[field] ?? null;
  const fields = Object.fromEntries(companyFields.map((field) => [field, columnOf(field)])) as ColumnMap;
  const toRows = createRowNumbering({
    fileName,
    header,
    fields,
    unit: 'line',
    width: header.length,
    rowsMax: Infinity,
    keepsBlankRows: false,
    strict: false,
  });
  return ({ lineNo, cells }: Pick<SubmittedRow, 'lineNo' | 'cells'>): boolean => {
    const [row] = toRows([{ lineNo, cells, problem: null, reading: 'rules' }]);
    return row !== undefined && parseRow(row, { fields, operations: ['ads_search'] }).kind === 'rejected';
  };
}
