import type { Breakage } from './breakage.ts';
import { editRows } from '../db/edit-rows.ts';
import { moveCredits, unconstrained, unguarded } from './by-hand.ts';

/** Ways to break invariant 3. */
export const charges: readonly Breakage[] = [
  {
    number: 3,
    name: 'a find that is charged twice with valid sums',
    by: ({ foundTwo }) => moveCredits(foundTwo, { end: 'settle' }),
    finding: ({ foundTwo }) =>
      `lookup ${foundTwo} (found) says it cost 0.2; the ledger has 2 charges for it, 0.4 in all`,
  },
  {
    number: 3,
    name: 'a charge for a lookup that found nothing',
    by: ({ none }) => moveCredits(none, { end: 'settle' }),
    finding: ({ none }) =>
      `lookup ${none} (none) says it cost 0; the ledger has 1 charges for it, 0.2 in all`,
  },
  {
    number: 3,
    name: 'a charge for a lookup that is open',
    by: ({ undispatched }) => moveCredits(undispatched, { end: 'settle' }),
    finding: ({ undispatched }) => `lookup ${undispatched} (open) says it cost 0; the ledger has 1 charges`,
  },
  {
    number: 3,
    name: 'a find that was released instead of charged',
    by: ({ foundTwo }) =>
      unguarded(
        'ledger_blocks',
        `UPDATE nightshift.ledger_blocks SET balance_delta_micro = 200000
          WHERE ${foundTwo} BETWEEN first_lookup AND last_lookup AND phase = 1`,
      ),
    finding: ({ foundTwo }) => `lookup ${foundTwo} (found) says it cost 0.2; the ledger has 0 charges`,
    also: [4],
  },
  {
    number: 3,
    name: 'a find with another charge than in the ledger',
    by: ({ foundOne }) =>
      unguarded('lookups', `UPDATE nightshift.lookups SET charged_micro = 100000 WHERE id = ${foundOne}`),
    finding: ({ foundOne }) =>
      `lookup ${foundOne} (found) says it cost 0.1; the ledger has 1 charges for it, 0.2 in all`,
  },
  {
    number: 3,
    name: 'a free lookup with a charge',
    by: ({ none }) =>
      unconstrained(
        'lookups',
        'lookups_charge_is_for_a_result',
        unguarded('lookups', `UPDATE nightshift.lookups SET charged_micro = 200000 WHERE id = ${none}`),
      ),
    finding: ({ none }) => `lookup ${none} (none) says it cost 0.2; the ledger has 0 charges`,
  },
  {
    number: 3,
    name: 'a chunk with a wrong sum of charges',
    by: ({ foundTwo }) =>
      `UPDATE nightshift.chunks SET charged_micro = 200000 WHERE first_lookup_id = ${foundTwo}`,
    finding: () => 'says it charged 0.2; its 2 results at 0.2 say 0.4',
  },
  {
    number: 3,
    name: 'finds with another price than their holds',
    by: ({ foundTwo }) =>
      `UPDATE nightshift.chunks SET price_micro = 300000 WHERE first_lookup_id = ${foundTwo}`,
    finding: () => 'says it charged 0.4; its 2 results at 0.3 say 0.4',
  },
  {
    number: 3,
    name: 'a reused answer with a charge',
    by: ({ foundOne, foundTwo }) =>
      unguarded('lookups', `UPDATE nightshift.lookups SET repeats = ${foundTwo} WHERE id = ${foundOne}`),
    finding: () => 'says it charged 0.4; its 1 results at 0.2 say 0.2',
  },
  {
    number: 3,
    name: 'a charge on two rows',
    by: ({ finishedBatch }) =>
      editRows(
        `UPDATE nightshift.batch_rows SET is_first = true WHERE batch_id = ${finishedBatch} AND row_no = 6`,
      ),
    finding: ({ foundTwo }) => `lookup ${foundTwo} shows its charge on 2 rows`,
  },
  {
    number: 3,
    name: 'a charge on a later row',
    by: ({ finishedBatch, foundTwo }) =>
      editRows(`UPDATE nightshift.batch_rows SET is_first = row_no = 6
      WHERE batch_id = ${finishedBatch} AND ads_lookup_id = ${foundTwo}`),
    finding: ({ foundTwo }) => `lookup ${foundTwo} shows its charge on 1 rows, and on the first of them not`,
  },
  {
    number: 3,
    name: 'a price book without its trigger',
    by: () => 'ALTER TABLE nightshift.prices DISABLE TRIGGER append_only',
    finding: () => 'trigger append_only of table prices is disabled',
  },
];
