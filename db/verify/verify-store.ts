import assert from 'node:assert/strict';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type {
  InvariantNumber,
  InvariantReport,
  VerifyOptions,
  VerifyStore,
} from '../../src/core/reports/invariants.ts';
import { readAtOnce, withDatabase, type Sql } from '../connection/client.ts';
import { checkAds } from './ads.ts';
import { checkCharges } from './charges.ts';
import { checkExports } from './exports.ts';
import { checkInboxes } from './inboxes.ts';
import { checkLandings } from './landings.ts';
import { checkLeases } from './leases.ts';
import { checkLedger } from './ledger.ts';
import { proveLedger, type LedgerProof } from './ledger/ledger-chain.ts';
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
        const ledger = isWanted(4, options)
          ? await proveLedger(db, { isFull: options.isFull ?? false })
          : null;
        return readAtOnce(db, (transaction) => checkAll(transaction, { ...options, ledger }));
      }),
  };
}

interface CheckOptions extends VerifyOptions {
  /** Null if invariant 4 is not checked. */
  readonly ledger: LedgerProof | null;
}

type Check = (db: Sql, options: CheckOptions) => InvariantReport | Promise<InvariantReport>;

const checks: readonly (readonly [InvariantNumber, Check])[] = [
  [1, checkRows],
  [2, checkLookups],
  [3, checkCharges],
  [4, (db, { ledger }) => checkProvedLedger(db, ledger)],
  [5, checkOwners],
  [6, checkAds],
  [7, checkReplies],
  [8, checkLeases],
  [9, checkPace],
  [10, checkSchedules],
  [11, checkExports],
  [12, checkTenancy],
  [13, checkScans],
  [14, checkInboxes],
  [15, checkLandings],
];

function checkProvedLedger(db: Sql, ledger: LedgerProof | null): Promise<InvariantReport> {
  assert(ledger !== null, 'The ledger is proved before the snapshot.');
  return checkLedger(db, ledger);
}

async function checkAll(db: Sql, options: CheckOptions): Promise<readonly InvariantReport[]> {
  await settleSession(db);
  const reports: InvariantReport[] = [];
  for (const [number, check] of checks) {
    if (!isWanted(number, options)) continue;
    const report = await check(db, options);
    reports.push(report);
    options.onReport?.(report);
  }
  return reports;
}

function isWanted(number: InvariantNumber, { only }: VerifyOptions): boolean {
  return only === undefined || only.includes(number);
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
