import { createVerifyStore } from '../../../db/verify/verify-store.ts';
import type { TestDatabase } from './database.ts';

/**
 * Runs `nightshift verify` on a database, from its checkpoints and then with `--full`: tests also tamper with what is proved. Returns an empty list
 * if every invariant holds.
 */
export async function listFindings({ app }: TestDatabase): Promise<readonly string[]> {
  const verify = createVerifyStore(app.sql);
  const reports = [...(await verify.check()), ...(await verify.check({ isFull: true }))];
  return [...new Set(reports.flatMap(({ broken }) => broken))];
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
