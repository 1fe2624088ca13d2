import type { Breakage } from './breakage.ts';
import { unconstrained } from './by-hand.ts';

/** Ways to break invariant 1. */
export const rows: readonly Breakage[] = [
  {
    number: 1,
    name: 'a missing row',
    by: ({ finishedBatch }) =>
      `DELETE FROM nightshift.batch_rows WHERE batch_id = ${finishedBatch} AND row_no = 6`,
    finding: ({ finishedId }) =>
      `batch ${finishedId} says 7 rows, 1 of them rejected; stored are 6, numbered 1 to 7, 1 rejected`,
  },
  {
    number: 1,
    name: 'a gap in the row numbers',
    by: ({
      finishedBatch,
    }) => `DELETE FROM nightshift.batch_rows WHERE batch_id = ${finishedBatch} AND row_no = 6;
      UPDATE nightshift.batches SET rows_total = 6 WHERE id = ${finishedBatch}`,
    finding: ({ finishedId }) =>
      `batch ${finishedId} says 6 rows, 1 of them rejected; stored are 6, numbered 1 to 7`,
  },
  {
    number: 1,
    name: 'a wrong count of rejected rows',
    by: ({ finishedBatch }) => `UPDATE nightshift.batches SET rows_rejected = 0 WHERE id = ${finishedBatch}`,
    finding: ({ finishedId }) => `batch ${finishedId} says 7 rows, 0 of them rejected`,
  },
  {
    number: 1,
    name: 'rows without a batch',
    by: () =>
      `INSERT INTO nightshift.batch_rows (batch_id, row_no, line_no, cells, reject_reason) VALUES (999, 1, 2, '{}', 'x')`,
    finding: () => 'batch 999 is gone, and 1 of its rows are stored',
  },
  {
    number: 1,
    name: 'rows out of the order of their lines',
    by: ({ finishedBatch }) =>
      `UPDATE nightshift.batch_rows SET line_no = 3 WHERE batch_id = ${finishedBatch} AND row_no = 3`,
    finding: ({ finishedId }) => `row 3 of batch ${finishedId} comes from line 3, the row before from line 3`,
  },
  {
    number: 1,
    name: 'a row with the lookup of another batch',
    by: ({ finishedBatch, split }) =>
      `UPDATE nightshift.batch_rows SET ads_lookup_id = ${split} WHERE batch_id = ${finishedBatch} AND row_no = 6`,
    finding: ({ finishedId, split }) =>
      `row 6 of batch ${finishedId} points at lookup ${split} of another batch`,
  },
  {
    number: 1,
    name: 'a row whose lookup does not exist',
    by: ({ finishedBatch }) =>
      `UPDATE nightshift.batch_rows SET ads_lookup_id = 999, is_first = true WHERE batch_id = ${finishedBatch} AND row_no = 6`,
    finding: ({ finishedId }) => `row 6 of batch ${finishedId} points at lookup 999, which does not exist`,
  },
  {
    number: 1,
    name: 'a row without lookup and reason',
    by: ({ finishedBatch }) =>
      unconstrained(
        'batch_rows',
        'batch_rows_lookup_or_rejection',
        `UPDATE nightshift.batch_rows SET ads_lookup_id = NULL WHERE batch_id = ${finishedBatch} AND row_no = 6`,
      ),
    finding: ({ finishedId }) => `row 6 of batch ${finishedId} has neither a lookup nor a reason why not`,
  },
  {
    number: 1,
    name: 'a missing cell',
    by: ({ finishedBatch }) =>
      `UPDATE nightshift.batch_rows SET cells = '{Acme,NULL}' WHERE batch_id = ${finishedBatch} AND row_no = 2`,
    finding: ({ finishedId }) => `row 2 of batch ${finishedId} has lost a cell`,
  },
  {
    number: 1,
    name: 'cells without a column in the export',
    by: ({ finishedBatch }) => `UPDATE nightshift.batches SET extra_cells = 0 WHERE id = ${finishedBatch}`,
    finding: ({ finishedId }) => `batch ${finishedId} has rows with 1 cells beyond its header, and says 0`,
  },
  {
    number: 1,
    name: 'a missing column name',
    by: ({ finishedBatch }) =>
      `UPDATE nightshift.batches SET header = '{NULL,domain}' WHERE id = ${finishedBatch}`,
    finding: ({ finishedId }) => `batch ${finishedId} has lost the name of a column`,
  },
];
