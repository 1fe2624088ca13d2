import type { Breakage } from './breakage.ts';
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
    name: 'a lookup of a batch that no row asked for',
    by: ({
      runningBatch,
      undispatched,
    }) => `UPDATE nightshift.batch_rows SET ads_lookup_id = NULL, reject_reason = 'x'
        WHERE ads_lookup_id = ${undispatched};
      UPDATE nightshift.batches SET rows_rejected = 1 WHERE id = ${runningBatch}`,
    finding: ({ undispatched, runningBatch }) =>
      `lookup ${undispatched} of batch ${runningBatch} is for no row`,
  },
];
