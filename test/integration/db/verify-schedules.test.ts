import { sql, TransactionRollbackError } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { createVerifyStore } from '../../../db/verify/verify-store.ts';
import type { InvariantReport, VerifyOptions } from '../../../src/core/reports/invariants.ts';
import { scheduleBreakages, takeLeaderLock } from '../../support/breakages/schedules.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { buildScanFixture, type ScanFixture } from '../../support/scans/scan-fixture.ts';

let database: TestDatabase;
let fixture: ScanFixture;
beforeEach(async () => {
  database = await openTestDatabase();
  fixture = await buildScanFixture(database.app);
});

/** Result of invariant 10 after these statements, which are rolled back; with all rights, like an intruder. */
async function reportAfter(statements: string, options: VerifyOptions = {}): Promise<InvariantReport> {
  let reports: readonly InvariantReport[] = [];
  try {
    await database.owner.sql.transaction(async (transaction) => {
      await transaction.execute(sql.raw(statements));
      reports = await createVerifyStore(transaction).check(options);
      transaction.rollback();
    });
  } catch (error) {
    if (!(error instanceof TransactionRollbackError)) throw error;
  }
  const report = reports.find(({ number }) => number === 10);
  if (report === undefined) throw new Error('There is no report on invariant 10.');
  return report;
}

const queueOf = (names: readonly string[]): VerifyOptions => ({
  readJobSchedulers: () => Promise.resolve(names),
});

test('invariant 10 holds for valid schedules, with the number of checks', async () => {
  const names = queueOf([`${fixture.schedule}-1`]);
  expect(await reportAfter(takeLeaderLock, names)).toMatchObject({
    status: 'holds',
    checked: 4,
    note: null,
    broken: [],
  });
});

test('invariant 10 skips ticks and queue without a dispatcher, and the queue without a connection', async () => {
  const late = "UPDATE nightshift.schedules SET next_at = now() - interval '1 day', revised_at = next_at";
  expect(await reportAfter(late, queueOf([]))).toMatchObject({
    status: 'holds',
    note: 'No dispatcher is running: late ticks and the schedules of the queue were not checked.',
  });
  expect(await reportAfter(takeLeaderLock)).toMatchObject({
    status: 'holds',
    note: 'The queue was not available: its schedules were not checked.',
  });
});

test('invariant 10 allows a moment for a change to reach the queue', async () => {
  expect(await reportAfter(takeLeaderLock, queueOf([]))).toMatchObject({ status: 'holds' });
  const revised = 'UPDATE nightshift.schedules SET revision = 2, revised_at = now()';
  const names = queueOf([`${fixture.schedule}-1`]);
  expect(await reportAfter(`${takeLeaderLock}; ${revised}`, names)).toMatchObject({ status: 'holds' });
});

describe('invariant 10 finds', () => {
  test.each(scheduleBreakages)('$name', async ({ by, finding, queue, isKept = false }) => {
    const names = queue?.(fixture) ?? [`${fixture.schedule}-1`];
    const statements = isKept ? `${takeLeaderLock}; ${by(fixture)}` : by(fixture);
    const { broken } = await reportAfter(statements, queueOf(names));
    expect(broken.join('\n')).toContain(finding(fixture));
  });
});
