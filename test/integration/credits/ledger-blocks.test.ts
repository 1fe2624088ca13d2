import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { hold } from '../../contract/credit-ledger.contract.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { listLedgerFindings } from '../../support/db/findings.ts';

describe('a movement that the ledger has', () => {
  const block = (first: number, last: number, steps: string) =>
    `INSERT INTO nightshift.ledger_blocks (account_id, to_seq, from_seq, first_lookup, last_lookup, balance_delta_micro, held_delta_micro,
      balance_after_micro, held_after_micro, attempt, phase, steps)
    SELECT b.account_id, ${100 + (steps === 'NULL' ? last - first : steps.split(',').length - 1)}, 100, ${first}, ${last}, -10, 10, 0, 0, 1, 0, ${steps}
    FROM nightshift.credit_balances b`;

  test.each([
    ['one movement on a single one', block(30, 30, 'NULL')],
    ['one movement inside a block', block(12, 12, 'NULL')],
    ['one movement of a block with gaps', block(25, 25, 'NULL')],
    ['several around a single one', block(29, 31, 'NULL')],
    ['several around a single one, with gaps', block(28, 32, `'{0,2,4}'`)],
    ['several that begin in a block', block(14, 16, 'NULL')],
    ['several that end in a block', block(8, 10, 'NULL')],
    ['several with gaps in a block', block(6, 14, `'{0,3,8}'`)],
    ['several in the gaps of a block and on it', block(20, 23, `'{0,3}'`)],
    ['several from far before a block', block(10 - 1023, 10, `'{0,1023}'`)],
    ['one twice', block(40, 42, `'{0,0,2}'`)],
  ])('is rejected a second time by hand: %s', async (_, statement) => {
    const { database } = await openBlocks();
    const error = await errorOf(database.owner.pool.query(statement));
    expect(error.constraint).toBe('ledger_blocks_once');
    const inReplica = `SET session_replication_role = replica; ${statement}`;
    expect((await errorOf(database.owner.pool.query(inReplica))).constraint).toBe('ledger_blocks_once');
  });

  test.each([
    ['a gap of a block', block(22, 22, 'NULL')],
    ['several gaps of a block', block(22, 24, `'{0,2}'`)],
    ['beside single ones', block(29, 31, `'{0,2}'`)],
    ['another attempt', block(10, 15, 'NULL').replace('1, 0, NULL', '2, 0, NULL')],
  ])('does not reject others: %s', async (_, statement) => {
    const { database } = await openBlocks();
    expect((await database.owner.pool.query(statement)).rowCount).toBe(1);
  });

  /** Holds of the lookups 10 to 15, of 20, 21, 23, 25, and of 30. */
  async function openBlocks() {
    const stage = await openLedger();
    await grant(stage, 1000n);
    for (const ids of [[10, 11, 12, 13, 14, 15], [25, 21, 20, 23], [30]])
      await stage.ledger.reserve(
        stage.accountId,
        ids.map((id) => hold(BigInt(id), 10n)),
      );
    return stage;
  }
});

test('a call that names the same hold twice beside others is rejected, whatever its amounts', async () => {
  const stage = await openLedger();
  const { ledger, accountId } = stage;
  await grant(stage, 900n);
  for (const items of [
    [hold(1n, 100n), hold(1n, 100n), hold(3n, 100n)],
    [hold(1n, 100n), hold(2n, 100n), hold(2n, 50n)],
  ])
    await expect(ledger.reserve(accountId, items)).rejects.toThrow();
  expect(await ledger.readBalance(accountId)).toEqual({ balanceMicro: 900n, heldMicro: 0n });
});

test('movements of a call are stored in blocks of equal ones, which span at most 1,024 lookups', async () => {
  const stage = await openLedger();
  const { database, ledger, accountId } = stage;
  await grant(stage, 1000n);
  const ids = [7, 5, 6, 9, 2000, 1030, 1028];
  await ledger.reserve(
    accountId,
    ids.map((id) => hold(BigInt(id), 10n)),
  );
  await ledger.resolve(
    accountId,
    ids.map((id) => hold(BigInt(id), id === 6 ? 0n : 10n)),
  );
  const { rows } = await database.owner.pool.query<{ block: string }>(
    `SELECT concat_ws(' ', to_seq - from_seq + 1, first_lookup, last_lookup, phase, steps) AS block
      FROM nightshift.ledger_blocks WHERE phase IS NOT NULL ORDER BY to_seq`,
  );
  expect(rows.map(({ block }) => block)).toEqual([
    '5 5 1028 0 {0,1,2,4,1023}',
    '2 1030 2000 0 {0,970}',
    '4 5 1028 1 {0,2,4,1023}',
    '1 6 6 1',
    '2 1030 2000 1 {0,970}',
  ]);
  expect(await listLedgerFindings(database)).toEqual([]);
});

async function openLedger() {
  const database = await openTestDatabase();
  const accountId = await findAccount(database.app.sql, 'default');
  return { database, accountId, ledger: createLedger(database.app.sql) };
}

async function grant(
  { ledger, accountId }: Awaited<ReturnType<typeof openLedger>>,
  amountMicro: bigint,
): Promise<void> {
  await ledger.grant(accountId, [{ key: 'funds', amountMicro, reason: 'a test' }]);
}

async function errorOf(work: Promise<unknown>): Promise<pg.DatabaseError> {
  const error: unknown = await work.then(
    () => new Error('It was allowed.'),
    (reason: unknown) => reason,
  );
  if (error instanceof pg.DatabaseError) return error;
  throw error;
}
