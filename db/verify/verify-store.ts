import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import {
  provedNote,
  reportOf,
  type InvariantNumber,
  type InvariantReport,
  type VerifyOptions,
  type VerifyStore,
} from '../../src/core/reports/invariants.ts';
import { withDatabase, type Sql } from '../connection/client.ts';
import { totalOf } from './clause.ts';
import { checkExports } from './exports.ts';
import { checkInboxes } from './inboxes.ts';
import { checkLandings } from './landings.ts';
import { checkLeases } from './leases.ts';
import { checkLedger } from './ledger.ts';
import { checkPace } from './pace.ts';
import { checkRecord, type MainPart } from './parts/check-record.ts';
import type { PartSize } from './parts/plan-parts.ts';
import { checkReplies } from './replies.ts';
import { rowsNote } from './rows.ts';
import { checkScans } from './scans.ts';
import { checkSchedules } from './schedules.ts';
import { checkTenancy } from './tenancy.ts';

/**
 * Checks the invariants in Postgres with the application's own role: everyone who can run Nightshift can run it.
 *
 * What is closed and not yet proved is read in parts, each in a repeatable-read, read-only transaction of its own. All that is open, and all
 * that is small, is read in the last one: it describes one moment, also while workers run. Blocks of the ledger never change, so their
 * chains are read before. `partSize`: default `partSizeDefault`.
 */
export function createVerifyStore(db: NodePgDatabase, partSize?: PartSize): VerifyStore {
  return {
    check: (options = {}) =>
      withDatabase(() =>
        checkRecord(
          db,
          { ...options, ...(partSize === undefined ? {} : { partSize }) },
          (transaction, main) => checkAll(transaction, main, options),
        ),
      ),
  };
}

type Check = (db: Sql, main: MainPart, options: VerifyOptions) => InvariantReport | Promise<InvariantReport>;

const checks: readonly (readonly [InvariantNumber, Check])[] = [
  [1, (_db, main) => reportOnParts(1, main, rowsNote)],
  [2, (_db, main) => reportOnParts(2, main)],
  [3, (_db, main) => reportOnParts(3, main)],
  [4, (db, main) => checkLedger(db, main)],
  [5, (_db, main) => reportOnParts(5, main)],
  [6, (_db, main) => reportOnParts(6, main)],
  [7, checkReplies],
  [8, (db, { scope }, options) => checkLeases(db, options, scope)],
  [9, (db, { pace }, options) => checkPace(db, { ...options, ...pace })],
  [10, (db, _main, options) => checkSchedules(db, options)],
  [11, (db, _main, options) => checkExports(db, options)],
  [12, checkAccounts],
  [13, checkScans],
  [14, checkInboxes],
  [15, checkLandings],
];

async function checkAll(
  db: Sql,
  main: MainPart,
  options: VerifyOptions,
): Promise<readonly InvariantReport[]> {
  const reports: InvariantReport[] = [];
  for (const [number, check] of checks) {
    if (options.only !== undefined && !options.only.includes(number)) continue;
    const report = await check(db, main, options);
    reports.push(report);
    options.onReport?.(report);
  }
  return reports;
}

/** Invariants that consist of clauses on parts of the record. */
function reportOnParts(
  number: InvariantNumber,
  { results, proved }: MainPart,
  remark: string | null = null,
): InvariantReport {
  const [items, count] = provedBy(number, proved);
  const notes = [remark, count > 0 ? provedNote(items) : null].filter((note) => note !== null);
  return reportOf(number, {
    ...totalOf(results.clauses.get(number) ?? []),
    proved: count,
    note: notes.length === 0 ? null : notes.join(' '),
  });
}

function provedBy(number: InvariantNumber, { rows, lookups, ads }: MainPart['proved']) {
  if (number === 1) return ['Rows', rows] as const;
  return number === 6 ? (['Lookups and ads', lookups + ads] as const) : (['Lookups', lookups] as const);
}

/** Invariant 12: the clauses on parts of the record, and all else. */
async function checkAccounts(db: Sql, main: MainPart, options: VerifyOptions): Promise<InvariantReport> {
  const [parts, rest] = [reportOnParts(12, main), await checkTenancy(db, options)];
  const notes = [parts.note, rest.note].filter((note) => note !== null);
  return reportOf(12, {
    checked: parts.checked + rest.checked,
    proved: parts.proved,
    findings: [...parts.broken, ...rest.broken],
    findingsTotal: parts.brokenCount + rest.brokenCount,
    note: notes.length === 0 ? null : notes.join(' '),
  });
}
