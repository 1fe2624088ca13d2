import { createVerifyStore } from '../../../db/verify/verify-store.ts';
import type { TestDatabase } from './database.ts';

/** What `nightshift verify` finds broken in a database: empty when every rule holds. */
export async function listFindings({ app }: TestDatabase): Promise<readonly string[]> {
  const reports = await createVerifyStore(app.sql).check();
  return reports.flatMap(({ broken }) => broken);
}

/** The number of the invariant that `verify` holds the ledger to. */
const ledgerInvariant = 4;

/** What `nightshift verify` finds broken in the ledger alone: for tests that hold credits without lookups, which other rules report. */
export async function listLedgerFindings({ app }: TestDatabase): Promise<readonly string[]> {
  const reports = await createVerifyStore(app.sql).check();
  return (
    reports.find(({ number }) => number === ledgerInvariant)?.broken ?? ['verify does not look at the ledger']
  );
}
