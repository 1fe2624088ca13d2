import assert from 'node:assert/strict';
import { sql } from 'drizzle-orm';
import { provedNote, reportOf, type InvariantReport } from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { countOf, credits, evaluate, type Clause } from './clause.ts';
import { holdsFitOpenWork } from './ledger/holds.ts';
import type { LedgerProof } from './ledger/ledger-chain.ts';
import { ledgerIsSealed } from './rights.ts';
import type { Scope } from './scope/scope.ts';
import { appendOnly, movementsAreUnique } from './triggers.ts';

interface LedgerInput {
  /** Null if invariant 4 is not checked. */
  readonly ledger: LedgerProof | null;
  readonly results: { readonly looseEnds: number };
  /** All that is open. */
  readonly scope: Pick<Scope, 'lookups'>;
}

/** Invariant 4, with the proof of the chains: both together say that the balances are the sums of all movements. */
export async function checkLedger(
  db: Sql,
  { ledger: proof, results, scope }: LedgerInput,
): Promise<InvariantReport> {
  assert(proof !== null, 'The ledger is proved before the snapshot.');
  const clauses = await evaluate(db, 4, [
    balancesAreTheLast,
    ...(await holdsFitOpenWork(db, results.looseEnds, scope)),
    appendOnly(['ledger_blocks']),
    movementsAreUnique(),
    ledgerIsSealed,
  ]);
  const proved = [...proof.provedTo.values()].reduce((sum, seq) => sum + Number(seq), 0);
  return reportOf(4, {
    checked: clauses.checked + proof.entries + proof.blocks,
    findings: [...proof.findings, ...clauses.broken],
    findingsTotal: proof.findingsTotal + clauses.brokenCount,
    proved,
    note: proved > 0 ? provedNote('Entries') : null,
  });
}

/** Balance, held credits, number of entries and hash of an account are those of its last block. */
const balancesAreTheLast: Clause = {
  checked: countOf(sql`nightshift.credit_balances`),
  broken: sql`WITH RECURSIVE account(id) AS (
      (SELECT account_id FROM nightshift.ledger_blocks ORDER BY account_id LIMIT 1)
      UNION ALL
      SELECT (SELECT b.account_id FROM nightshift.ledger_blocks b WHERE b.account_id > a.id ORDER BY b.account_id LIMIT 1)
      FROM account a WHERE a.id IS NOT NULL
    ), compared AS (
      SELECT a.account_id, coalesce(c.balance_micro, 0) AS balance, coalesce(c.held_micro, 0) AS held, coalesce(c.last_seq, 0) AS entries,
        coalesce(c.last_hash, ''::bytea) AS hash, coalesce(b.balance_after_micro, 0) AS balance_after,
        coalesce(b.held_after_micro, 0) AS held_after, coalesce(b.to_seq, 0) AS to_seq, coalesce(b.hash, ''::bytea) AS block_hash
      FROM (SELECT id AS account_id FROM account WHERE id IS NOT NULL UNION SELECT account_id FROM nightshift.credit_balances) a
      LEFT JOIN nightshift.credit_balances c USING (account_id)
      LEFT JOIN LATERAL (
        SELECT * FROM nightshift.ledger_blocks l WHERE l.account_id = a.account_id ORDER BY l.to_seq DESC LIMIT 1
      ) b ON true
    )
    SELECT format('account %s says balance %s, held %s, %s entries; its last block says %s, %s and %s', account_id,
      ${credits(sql`balance`)}, ${credits(sql`held`)}, entries, ${credits(sql`balance_after`)}, ${credits(sql`held_after`)}, to_seq) AS finding
    FROM compared WHERE (balance, held, entries) <> (balance_after, held_after, to_seq)
    UNION ALL
    SELECT format('account %s: its last hash is not the hash of its last block', account_id)
    FROM compared WHERE hash <> block_hash`,
};
