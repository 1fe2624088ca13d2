import type { Breakage } from './breakage.ts';
import { editRows } from '../db/edit-rows.ts';
import { moveCredits, unconstrained } from './by-hand.ts';

/** Ways to break invariant 5. */
export const owners: readonly Breakage[] = [
  {
    number: 5,
    name: 'a charge for a lookup that does not exist',
    by: () => moveCredits(424_242n, { end: 'settle' }),
    finding: () => 'account 1, entry 22 (settle) is for lookup 424242, which does not exist',
  },
  {
    number: 5,
    name: 'a call for a lookup that does not exist',
    by: () =>
      `INSERT INTO nightshift.source_calls (lookup_id, source, request_key) VALUES (424242, 'upstream', 'k')`,
    finding: () => 'to upstream was made for lookup 424242, which does not exist',
  },
  {
    number: 5,
    name: 'a lookup of a batch that does not exist',
    by: () => `INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key)
      VALUES (424242, 1, 999, 'ads_search', 'd:lost.com')`,
    finding: () => 'lookup 424242 belongs to batch 999, which does not exist',
  },
  {
    number: 5,
    name: 'a lookup of neither a batch nor a request',
    by: () =>
      unconstrained(
        'lookups',
        'lookups_one_owner',
        `INSERT INTO nightshift.lookups (id, account_id, operation, subject_key) VALUES (424242, 1, 'ads_search', 'd:lost.com')`,
      ),
    finding: () => 'lookup 424242 belongs to neither a batch nor a request',
    also: [2],
  },
  {
    number: 5,
    name: 'a lookup of a batch without a row',
    by: ({
      runningBatch,
      undispatched,
    }) => `${editRows(`UPDATE nightshift.batch_rows SET ads_lookup_id = NULL, reject_reason = 'x'
        WHERE ads_lookup_id = ${undispatched}`)}
      UPDATE nightshift.batches SET rows_rejected = 1 WHERE id = ${runningBatch}`,
    finding: ({ undispatched, runningBatch }) =>
      `lookup ${undispatched} of batch ${runningBatch} is for no row`,
  },
  {
    number: 5,
    name: 'an uncounted retry of a successful lookup',
    by: ({
      none,
      finishedBatch,
    }) => `INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, generation)
        SELECT 424242, account_id, batch_id, operation, subject_key, 2 FROM nightshift.all_lookups WHERE id = ${none};
      UPDATE nightshift.batches SET last_lookup_id = 424242, lookups_total = 6, state = 'running', finished_at = NULL
        WHERE id = ${finishedBatch}`,
    finding: ({ none }) => `lookup ${none} ended as none, and was replaced as if it had failed`,
  },
  {
    number: 5,
    name: 'a row with a lookup that a retry replaced',
    by: ({
      failed,
      finishedBatch,
    }) => `INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, generation)
        SELECT 424242, account_id, batch_id, operation, subject_key, 2 FROM nightshift.all_lookups WHERE id = ${failed};
      UPDATE nightshift.batches SET last_lookup_id = 424242, retried = 1, state = 'running', finished_at = NULL
        WHERE id = ${finishedBatch}`,
    finding: ({ failed }) => `points at lookup ${failed}, which a retry replaced`,
  },
];
