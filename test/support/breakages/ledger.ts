import type { Breakage } from './breakage.ts';
import { moveCredits, unconstrained, unguarded } from './by-hand.ts';

/** Ways to break invariant 4. */
export const ledger: readonly Breakage[] = [
  {
    number: 4,
    name: 'a gap in the numbers',
    by: () => unguarded('ledger_blocks', 'DELETE FROM nightshift.ledger_blocks WHERE to_seq = 2'),
    finding: () => 'account 1: the block of entries 3 to 7 follows a block that ends with entry 1',
  },
  {
    number: 4,
    name: 'a wrong running sum',
    by: () =>
      unguarded(
        'ledger_blocks',
        'UPDATE nightshift.ledger_blocks SET held_after_micro = held_after_micro + 1 WHERE to_seq = 7',
      ),
    finding: () =>
      'account 1: the block of entries 3 to 7 has running sums that do not follow from the entry before',
  },
  {
    number: 4,
    name: 'an entry with a negative balance',
    by: () =>
      unconstrained(
        'ledger_blocks',
        'ledger_blocks_not_negative',
        unguarded(
          'ledger_blocks',
          'UPDATE nightshift.ledger_blocks SET balance_after_micro = -1, balance_delta_micro = -1 WHERE to_seq = 1',
        ),
      ).replace('DROP CONSTRAINT', 'DROP CONSTRAINT ledger_blocks_shape, DROP CONSTRAINT'),
    finding: () => 'account 1: the block of entries 1 to 1 leaves less than nothing',
  },
  {
    number: 4,
    name: 'entries of an unknown phase',
    by: () =>
      unconstrained(
        'ledger_blocks',
        'ledger_blocks_shape',
        unguarded('ledger_blocks', 'UPDATE nightshift.ledger_blocks SET phase = 2 WHERE to_seq = 7'),
      ),
    finding: () => 'account 1: the block of entries 3 to 7 moves credits in a way that no kind does',
  },
  {
    number: 4,
    name: 'a balance that differs from the ledger',
    by: () => 'UPDATE nightshift.credit_balances SET balance_micro = balance_micro + 1000000',
    finding: () => 'account 1 says balance 9.9, held 0.8, 20 entries; its last block says 8.9, 0.8 and 20',
  },
  {
    number: 4,
    name: 'entries of an account without a balance',
    by: () => `INSERT INTO nightshift.ledger_blocks (account_id, to_seq, from_seq, balance_delta_micro, held_delta_micro,
        balance_after_micro, held_after_micro) VALUES (77, 1, 1, 5, 0, 5, 0)`,
    finding: () => 'account 77 says balance 0, held 0, 0 entries; its last block says 0.000005',
  },
  {
    number: 4,
    name: 'an edit that keeps every sum',
    by: () =>
      unguarded('ledger_blocks', `UPDATE nightshift.ledger_blocks SET reason = 'bonus' WHERE to_seq = 2`),
    finding: () => 'account 1: the hash of the block of entries 2 to 2 does not fit its entries',
  },
  {
    number: 4,
    name: 'an edit with a recomputed hash',
    by: () =>
      unguarded(
        'ledger_blocks',
        `UPDATE nightshift.ledger_blocks SET hash = sha256('made anew') WHERE from_seq = 1`,
      ),
    finding: () => 'account 1: the hash of the block of entries 2 to 2 does not fit its entries',
  },
  {
    number: 4,
    name: 'a missing block',
    by: () => unguarded('ledger_blocks', 'DELETE FROM nightshift.ledger_blocks WHERE from_seq = 3'),
    finding: () => 'account 1: the block of entries 8 to 9 follows a block that ends with entry 2',
  },
  {
    number: 4,
    name: 'a missing last block',
    by: () => unguarded('ledger_blocks', 'DELETE FROM nightshift.ledger_blocks WHERE to_seq = 20'),
    finding: () => 'account 1 says balance 8.9, held 0.8, 20 entries; its last block says',
    also: [3],
  },
  {
    number: 4,
    name: 'a block with other lookups',
    by: () =>
      unguarded(
        'ledger_blocks',
        'UPDATE nightshift.ledger_blocks SET first_lookup = first_lookup + 1, last_lookup = last_lookup + 1 WHERE from_seq = 3',
      ),
    finding: () => 'account 1: the hash of the block of entries 3 to 7 does not fit its entries',
    also: [5],
  },
  {
    number: 4,
    name: 'a wrong hash of the last block',
    by: () => `UPDATE nightshift.credit_balances SET last_hash = sha256('another')`,
    finding: () => 'account 1: its last hash is not the hash of its last block',
  },
  {
    number: 4,
    name: 'a hold for a lookup that has ended',
    by: ({ noMatch }) => moveCredits(noMatch, { end: 'none' }),
    finding: ({ noMatch }) => `lookup ${noMatch}, attempt 2: 0.2 are held, and there is no open work for it`,
  },
  {
    number: 4,
    name: 'a hold for a lookup that is not dispatched',
    by: ({ undispatched }) => moveCredits(undispatched, { attempt: 1, end: 'none' }),
    finding: ({ undispatched }) =>
      `lookup ${undispatched}, attempt 1: 0.2 are held, and there is no open work for it`,
  },
  {
    number: 4,
    name: 'a hold with a missing chunk',
    by: ({ queued }) => `DELETE FROM nightshift.chunks WHERE first_lookup_id = ${queued}`,
    finding: ({ queuedToo }) =>
      `lookup ${queuedToo}, attempt 1: 0.2 are held, and there is no open work for it`,
    also: [2],
  },
  {
    number: 4,
    name: 'open work without a hold',
    by: ({ queued }) =>
      `SELECT nightshift.credit_resolve(1, ARRAY[${queued}]::bigint[], ARRAY[1]::smallint[], ARRAY[0]::bigint[])`,
    finding: ({ queued }) => `lookup ${queued} is open in chunk`,
  },
  {
    number: 4,
    name: 'a hold of another amount than the price',
    by: ({ claimed }) =>
      `UPDATE nightshift.chunks SET price_micro = 300000 WHERE first_lookup_id = ${claimed}`,
    finding: ({ claimed }) => `lookup ${claimed}, attempt 1: 0.2 are held, and the price of chunk`,
  },
  {
    number: 4,
    name: 'a settlement without a hold',
    by: ({ foundTwo }) =>
      unguarded(
        'ledger_blocks',
        `UPDATE nightshift.ledger_blocks SET attempt = 9 WHERE ${foundTwo} BETWEEN first_lookup AND last_lookup AND phase = 1`,
      ),
    finding: ({ foundTwo }) => `lookup ${foundTwo}, attempt 9: 0 holds and 1 ends leave -0.2 held`,
  },
  {
    number: 4,
    name: 'a ledger without its trigger',
    by: () => 'ALTER TABLE nightshift.ledger_blocks DISABLE TRIGGER append_only',
    finding: () => 'trigger append_only of table ledger_blocks is disabled',
  },
  {
    number: 4,
    name: 'a ledger that takes a movement twice',
    by: () => 'ALTER TABLE nightshift.ledger_blocks DISABLE TRIGGER once',
    finding: () => 'trigger once of table ledger_blocks is disabled',
  },
  {
    number: 4,
    name: 'a ledger that can be truncated',
    by: () => 'DROP TRIGGER append_only_truncate ON nightshift.ledger_blocks',
    finding: () => 'trigger append_only_truncate of table ledger_blocks is missing',
  },
  {
    number: 4,
    name: 'a privilege of the application to delete entries',
    by: () => 'GRANT DELETE ON nightshift.ledger_blocks TO nightshift_app',
    finding: () => 'nightshift_app may DELETE ledger_blocks',
  },
  {
    number: 4,
    name: 'a privilege of the application to set balances',
    by: () => 'GRANT UPDATE (balance_micro) ON nightshift.credit_balances TO nightshift_app',
    finding: () => 'nightshift_app may UPDATE credit_balances',
  },
  {
    number: 4,
    name: 'a ledger table owned by the application',
    by: () => 'ALTER TABLE nightshift.ledger_blocks OWNER TO nightshift_app',
    finding: () => 'nightshift_app may act as nightshift_app, who owns ledger_blocks',
  },
  {
    number: 4,
    name: 'a privilege of the application on internal ledger functions',
    by: () =>
      'GRANT EXECUTE ON FUNCTION nightshift.ledger_close(nightshift.credit_balances) TO nightshift_app',
    finding: () => 'nightshift_app may call nightshift.ledger_close',
  },
];
