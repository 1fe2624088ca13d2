import { sql, TransactionRollbackError } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { createVerifyStore } from '../../../db/verify/verify-store.ts';
import type { InvariantReport } from '../../../src/core/reports/invariants.ts';
import { inboxBreakages } from '../../support/breakages/inboxes.ts';
import { listOf, openTestInboxes, type TestInboxes } from '../../support/inboxes/test-inboxes.ts';

let api: TestInboxes;
beforeEach(async () => {
  api = await openTestInboxes();
  await api.add();
  api.write('a.csv', listOf('a'));
  api.write('b.csv', 'colour,size\nred,1\n');
  await api.look();
});

/** Result of invariant 14 after these statements, which are rolled back; with all rights, like an intruder. */
async function reportAfter(statements: string): Promise<InvariantReport> {
  let reports: readonly InvariantReport[] = [];
  try {
    await api.database.owner.sql.transaction(async (transaction) => {
      await transaction.execute(sql.raw(statements));
      reports = await createVerifyStore(transaction).check();
      transaction.rollback();
    });
  } catch (error) {
    if (!(error instanceof TransactionRollbackError)) throw error;
  }
  const report = reports.find(({ number }) => number === 14);
  if (report === undefined) throw new Error('There is no report on invariant 14.');
  return report;
}

test('invariant 14 holds for valid inboxes, with the number of checks', async () => {
  expect(await reportAfter('SELECT 1')).toMatchObject({ status: 'holds', checked: 3, broken: [] });
});

describe('invariant 14 finds', () => {
  test.each(inboxBreakages)('$name', async ({ by, finding }) => {
    const { broken } = await reportAfter(by);
    expect(broken.join('\n')).toContain(finding);
  });
});
