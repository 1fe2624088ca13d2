import { createVerifyStore } from '../../../db/verify/verify-store.ts';
import type { TestDatabase } from './database.ts';

/**
 * Runs `nightshift verify --full` on a database: tests also tamper with what an earlier run has proved. Returns an empty list if every
 * invariant holds.
 */
export async function listFindings({ app }: TestDatabase): Promise<readonly string[]> {
  const reports = await createVerifyStore(app.sql).check({ isFull: true });
  return reports.flatMap(({ broken }) => broken);
}

/** Number of the invariant of the ledger. */
const ledgerInvariant = 4;

/** Runs the ledger part of `nightshift verify`: for tests that hold credits without lookups, which other invariants would report. */
export async function listLedgerFindings({ app }: TestDatabase): Promise<readonly string[]> {
  const reports = await createVerifyStore(app.sql).check({ only: [ledgerInvariant] });
  return (
    reports.find(({ number }) => number === ledgerInvariant)?.broken ?? ['verify does not look at the ledger']
  );
}
