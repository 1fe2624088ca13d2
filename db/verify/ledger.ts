import { sql } from 'drizzle-orm';
import type { InvariantReport } from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { countOf, credits, evaluate, type Clause } from './clause.ts';
import { holdsFitOpenWork } from './holds.ts';
import { ledgerIsSealed } from './rights.ts';
import { appendOnly } from './triggers.ts';

/** Invariant 4. */
export function checkLedger(db: Sql): Promise<InvariantReport> {
  return evaluate(db, 4, [
    entriesRun,
    balancesAreSums,
    blocksCover,
    blocksAreChained,
    holdsFitOpenWork,
    appendOnly(['ledger_entries', 'ledger_blocks']),
    ledgerIsSealed,
  ]);
}

/** Each entry continues the previous one: number, balance and held credits. None is negative, and each has the shape of its kind. */
const entriesRun: Clause = {
  checked: countOf(sql`nightshift.ledger_entries`),
  broken: sql`SELECT format('account %s, entry %s (%s): %s', account_id, seq, kind, CASE
        WHEN seq <> seq_before + 1 THEN format('the entry before it is %s', seq_before)
        WHEN balance_after_micro <> balance_before + balance_delta_micro OR held_after_micro <> held_before + held_delta_micro
          THEN 'its running sums do not follow from the entry before'
        WHEN balance_after_micro < 0 OR held_after_micro < 0 THEN 'it leaves less than nothing'
        ELSE 'it moves credits in a way that its kind does not' END) AS finding
    FROM (
      SELECT *, lag(seq, 1, 0::bigint) OVER by_seq AS seq_before, lag(balance_after_micro, 1, 0::bigint) OVER by_seq AS balance_before,
        lag(held_after_micro, 1, 0::bigint) OVER by_seq AS held_before
      FROM nightshift.ledger_entries WINDOW by_seq AS (PARTITION BY account_id ORDER BY seq)
    ) e
    WHERE seq <> seq_before + 1
      OR balance_after_micro <> balance_before + balance_delta_micro OR held_after_micro <> held_before + held_delta_micro
      OR balance_after_micro < 0 OR held_after_micro < 0
      OR CASE kind
        WHEN 'grant' THEN lookup_id IS NOT NULL OR balance_delta_micro <= 0 OR held_delta_micro <> 0
        WHEN 'reserve' THEN phase <> 0 OR held_delta_micro <= 0 OR balance_delta_micro <> -held_delta_micro
        WHEN 'settle' THEN phase <> 1 OR balance_delta_micro NOT BETWEEN 0 AND -held_delta_micro - 1
        WHEN 'release' THEN phase <> 1 OR held_delta_micro >= 0 OR balance_delta_micro <> -held_delta_micro
        ELSE true END`,
};

/** Balance and held credits are the sums of the entries; together they are grants minus charges. */
const balancesAreSums: Clause = {
  checked: countOf(sql`nightshift.credit_balances`),
  broken: sql`SELECT format('account %s says balance %s, held %s, %s entries; its entries sum up to %s and %s, %s of them; '
        'granted less charged is %s', account_id, ${credits(sql`balance`)}, ${credits(sql`held`)}, last_seq,
        ${credits(sql`balance_sum`)}, ${credits(sql`held_sum`)}, entries, ${credits(sql`granted - charged`)}) AS finding
    FROM (
      SELECT account_id, sum(balance) AS balance, sum(held) AS held, sum(last_seq) AS last_seq, sum(entries) AS entries,
        sum(balance_sum) AS balance_sum, sum(held_sum) AS held_sum, sum(granted) AS granted, sum(charged) AS charged
      FROM (
        SELECT account_id, balance_micro AS balance, held_micro AS held, last_seq, 0 AS entries, 0 AS balance_sum,
          0 AS held_sum, 0 AS granted, 0 AS charged
        FROM nightshift.credit_balances
        UNION ALL
        SELECT account_id, 0, 0, 0, count(*), sum(balance_delta_micro), sum(held_delta_micro),
          coalesce(sum(balance_delta_micro) FILTER (WHERE kind = 'grant'), 0),
          coalesce(-sum(balance_delta_micro + held_delta_micro) FILTER (WHERE kind = 'settle'), 0)
        FROM nightshift.ledger_entries GROUP BY account_id
      ) s GROUP BY account_id
    ) t
    WHERE balance < 0 OR held < 0 OR balance <> balance_sum OR held <> held_sum OR last_seq <> entries
      OR balance + held <> granted - charged`,
};

/** The blocks of an account are consecutive, from its first entry to its last. */
const blocksCover: Clause = {
  checked: countOf(sql`nightshift.ledger_blocks`),
  broken: sql`SELECT format('account %s: the block of entries %s to %s follows a block that ends with entry %s', account_id,
        from_seq, to_seq, to_before) AS finding
    FROM (
      SELECT *, lag(to_seq, 1, 0::bigint) OVER (PARTITION BY account_id ORDER BY to_seq) AS to_before FROM nightshift.ledger_blocks
    ) b WHERE from_seq <> to_before + 1
    UNION ALL
    SELECT format('account %s has %s entries, and blocks up to entry %s', account_id, sum(last_seq), sum(to_seq))
    FROM (
      SELECT account_id, last_seq, 0 AS to_seq FROM nightshift.credit_balances
      UNION ALL
      SELECT account_id, 0, max(to_seq) FROM nightshift.ledger_blocks GROUP BY account_id
    ) s GROUP BY account_id HAVING sum(last_seq) <> sum(to_seq)`,
};

/**
 * Recomputes the hash of every block from the stored hash of the previous block and its current entries. If all match, the
 * chain is intact: a block that was rewritten with its hash no longer fits the next block, or the account.
 *
 * A scalar subquery on the primary key fetches the entries of a block, so that outdated statistics cannot cause a scan.
 */
const blocksAreChained: Clause = {
  checked: null,
  broken: sql`SELECT format('account %s: the hash of the block of entries %s to %s does not fit its entries', account_id,
        from_seq, to_seq) AS finding
    FROM (
      SELECT *, lag(hash, 1, ''::bytea) OVER (PARTITION BY account_id ORDER BY to_seq) AS hash_before
      FROM nightshift.ledger_blocks
    ) b
    WHERE hash IS DISTINCT FROM sha256(hash_before || convert_to(coalesce((
      SELECT string_agg(nightshift.ledger_entry_text(e), chr(10) ORDER BY e.seq) FROM nightshift.ledger_entries e
      WHERE e.account_id = b.account_id AND e.seq BETWEEN b.from_seq AND b.to_seq), ''), 'UTF8'))
    UNION ALL
    SELECT format('account %s: its last hash is not the hash of its last block', c.account_id)
    FROM nightshift.credit_balances c
    LEFT JOIN (
      SELECT DISTINCT ON (account_id) account_id, hash FROM nightshift.ledger_blocks ORDER BY account_id, to_seq DESC
    ) b ON b.account_id = c.account_id
    WHERE c.last_hash <> coalesce(b.hash, ''::bytea)`,
};
