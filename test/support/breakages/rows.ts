import type { Breakage } from './breakage.ts';
import { editRows } from '../db/edit-rows.ts';
import { unconstrained } from './by-hand.ts';

/** Ways to break invariant 1. */
export const rows: readonly Breakage[] = [
  {
    number: 1,
    name: 'a missing row',
    by: ({ finishedBatch }) =>
      editRows(`DELETE FROM nightshift.batch_rows WHERE batch_id = ${finishedBatch} AND row_no = 6`),
    finding: ({ finishedId }) =>
      `batch ${finishedId} says 7 rows, 1 of them rejected; stored are 6, numbered 1 to 6, 1 rejected`,
  },
  {
    number: 1,
    name: 'a gap in the row numbers',
    by: ({ finishedBatch }) =>
      `UPDATE nightshift.row_blocks SET block_no = 1 WHERE batch_id = ${finishedBatch}`,
    finding: ({ finishedId }) =>
      `batch ${finishedId} says 7 rows, 1 of them rejected; stored are 7, numbered 33 to 39`,
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
      `INSERT INTO nightshift.row_blocks (batch_id, block_no, rows, lines, cells, reject_reasons) VALUES (999, 0, 1, '{2}', 'a', '{x}')`,
    finding: () => 'batch 999 is gone, and 1 of its rows are stored',
  },
  {
    number: 1,
    name: 'rows out of the order of their lines',
    by: ({ finishedBatch }) =>
      editRows(
        `UPDATE nightshift.batch_rows SET line_no = 3 WHERE batch_id = ${finishedBatch} AND row_no = 3`,
      ),
    finding: ({ finishedId }) => `row 3 of batch ${finishedId} comes from line 3, the row before from line 3`,
  },
  {
    number: 1,
    name: 'a row with the lookup of another batch',
    by: ({ finishedBatch, split }) =>
      editRows(
        `UPDATE nightshift.batch_rows SET ads_lookup_id = ${split} WHERE batch_id = ${finishedBatch} AND row_no = 6`,
      ),
    finding: ({ finishedId, split }) =>
      `row 6 of batch ${finishedId} points at lookup ${split} of another batch`,
  },
  {
    number: 1,
    name: 'a row whose lookup does not exist',
    by: ({ finishedBatch }) =>
      editRows(
        `UPDATE nightshift.batch_rows SET ads_lookup_id = 999, is_first = true WHERE batch_id = ${finishedBatch} AND row_no = 6`,
      ),
    finding: ({ finishedId }) => `row 6 of batch ${finishedId} points at lookup 999, which does not exist`,
  },
  {
    number: 1,
    name: 'a row without lookup and reason',
    by: ({ finishedBatch }) =>
      editRows(
        `UPDATE nightshift.batch_rows SET ads_lookup_id = NULL WHERE batch_id = ${finishedBatch} AND row_no = 6`,
      ),
    finding: ({ finishedId }) => `row 6 of batch ${finishedId} has neither a lookup nor a reason why not`,
  },
  {
    number: 1,
    name: 'a missing cell',
    by: ({ finishedBatch }) =>
      editRows(
        `UPDATE nightshift.batch_rows SET cells = '{Acme,NULL}' WHERE batch_id = ${finishedBatch} AND row_no = 2`,
      ),
    finding: ({ finishedId }) => `row 2 of batch ${finishedId} has lost a cell`,
  },
  {
    number: 1,
    name: 'a block with the warnings of fewer rows',
    by: ({ finishedBatch }) =>
      unconstrained(
        'row_blocks',
        'row_blocks_lengths',
        `UPDATE nightshift.row_blocks SET warnings = '{w}' WHERE batch_id = ${finishedBatch}`,
      ),
    finding: ({ finishedId }) =>
      `block 0 of batch ${finishedId} says 7 rows; its cells have 7, and its columns do not agree`,
  },
  {
    number: 1,
    name: 'a block that counts its rows wrong',
    by: ({ finishedBatch }) =>
      unconstrained(
        'row_blocks',
        'row_blocks_lengths',
        `UPDATE nightshift.row_blocks SET rows = 8 WHERE batch_id = ${finishedBatch}`,
      ),
    finding: ({ finishedId }) => `block 0 of batch ${finishedId} says 8 rows; its cells have 7`,
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
