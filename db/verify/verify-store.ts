import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { InvariantReport, VerifyOptions, VerifyStore } from '../../src/core/reports/invariants.ts';
import { readAtOnce, withDatabase, type Sql } from '../connection/client.ts';
import { checkAds } from './ads.ts';
import { checkCharges } from './charges.ts';
import { checkExports } from './exports.ts';
import { checkInboxes } from './inboxes.ts';
import { checkLandings } from './landings.ts';
import { checkLeases } from './leases.ts';
import { checkLedger } from './ledger.ts';
import { proveLedger, type LedgerProof } from './ledger-chain.ts';
import { checkLookups } from './lookups.ts';
import { checkOwners } from './owners.ts';
import { checkPace } from './pace.ts';
import { checkReplies } from './replies.ts';
import { checkRows } from './rows.ts';
import { checkSchedules } from './schedules.ts';
import { checkScans } from './scans.ts';
import { checkTenancy } from './tenancy.ts';

/**
 * Checks the invariants in Postgres with the application's own role: everyone who can run Nightshift can run it.
 *
 * One repeatable-read, read-only transaction: all reports describe the same moment, also while workers run. Blocks of the ledger never
 * change, so they are read before it.
 */
export function createVerifyStore(db: NodePgDatabase): VerifyStore {
  return {
    check: (options = {}) =>
      withDatabase(async () => {
        const ledger = await proveLedger(db, { isFull: options.isFull ?? false });
        return readAtOnce(db, (transaction) => checkAll(transaction, { ...options, ledger }));
      }),
  };
}

interface CheckOptions extends VerifyOptions {
  readonly ledger: LedgerProof;
}

const checks: readonly ((db: Sql, options: CheckOptions) => InvariantReport | Promise<InvariantReport>)[] = [
  checkRows,
  checkLookups,
  checkCharges,
  (db, { ledger }) => checkLedger(db, ledger),
  checkOwners,
  checkAds,
  checkReplies,
  checkLeases,
  checkPace,
  checkSchedules,
  checkExports,
  checkTenancy,
  checkScans,
  checkInboxes,
  checkLandings,
];

async function checkAll(db: Sql, options: CheckOptions): Promise<readonly InvariantReport[]> {
  await settleSession(db);
  const reports: InvariantReport[] = [];
  for (const check of checks) {
    const report = await check(db, options);
    reports.push(report);
    options.onReport?.(report);
  }
  return reports;
}

/**
 * For this transaction only. Every query reads whole tables once and groups or hashes them. For tables without statistics, the
 * planner may assume that they are tiny and prefer nested loops, which then run for minutes (measured); and sorts of a million
 * rows fit into this memory. With this search path, names in definitions are qualified.
 */
async function settleSession(db: Sql): Promise<void> {
  await db.execute(
    sql`SELECT set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
      set_config('search_path', 'pg_catalog', true)`,
  );
}
