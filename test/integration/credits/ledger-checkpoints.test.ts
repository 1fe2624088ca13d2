import { expect, test } from 'vitest';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { proveLedger, type LedgerProof } from '../../../db/verify/ledger/ledger-chain.ts';
import { hold } from '../../contract/credit-ledger.contract.ts';
import { unguarded } from '../../support/breakages/by-hand.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';

test('a proof begins after the entries that an earlier one has proved', async () => {
  const { database, charge } = await openLedger();
  await charge(1n);
  expect(await prove(database)).toMatchObject({ entries: 3, findings: [] });
  expect(await prove(database)).toMatchObject({ entries: 0, findings: [] });
  await charge(2n);
  expect(await prove(database)).toMatchObject({ entries: 2, findings: [] });
  expect(await prove(database, true)).toMatchObject({ entries: 5, findings: [] });
  expect(await countCheckpoints(database)).toBe(1);
});

test('an edit after the checkpoint is found, and not proved by the next run', async () => {
  const { database, charge } = await openLedger();
  await charge(1n);
  await prove(database);
  await charge(2n);
  await edit(database, 'UPDATE nightshift.ledger_blocks SET attempt = 2 WHERE to_seq = 5');
  const findings = ['account 1: the hash of the block of entries 5 to 5 does not fit its entries'];
  expect(await prove(database)).toMatchObject({ entries: 2, findings });
  expect(await prove(database)).toMatchObject({ entries: 2, findings });
});

test('an edit before the checkpoint is found by a full proof', async () => {
  const { database, charge } = await openLedger();
  await charge(1n);
  await prove(database);
  await edit(database, 'UPDATE nightshift.ledger_blocks SET attempt = 2 WHERE to_seq = 2');
  const findings = ['account 1: the hash of the block of entries 2 to 2 does not fit its entries'];
  expect(await prove(database, true)).toMatchObject({ entries: 3, findings });
});

test('a block that is missing before the checkpoint is reported, and the whole ledger read', async () => {
  const { database, charge } = await openLedger();
  await charge(1n);
  await charge(2n);
  await prove(database);
  await edit(database, 'DELETE FROM nightshift.ledger_blocks WHERE to_seq = 2');
  expect(await prove(database)).toMatchObject({
    entries: 5,
    findings: [
      'account 1: its ledger does not fit the checkpoint after entry 5',
      'account 1: the block of entries 3 to 3 follows a block that ends with entry 1',
      'account 1: the hash of the block of entries 3 to 3 does not fit its entries',
    ],
  });
});

test.each([
  ['another state', `UPDATE nightshift.verify_checkpoints SET state = replace(state, '3 ', '2 ')`],
  [
    'another installation',
    `UPDATE nightshift.verify_checkpoints SET signature = sha256('guessed'); UPDATE nightshift.installation SET secret = 'x'`,
  ],
])('a checkpoint of %s is reported once, and the whole ledger read', async (_, statement) => {
  const { database, charge } = await openLedger();
  await charge(1n);
  await prove(database);
  await database.owner.pool.query(statement);
  expect(await prove(database)).toMatchObject({
    entries: 3,
    findings: ['account 1: a checkpoint of its ledger is not signed by this installation'],
  });
  expect(await prove(database)).toMatchObject({ entries: 0, findings: [] });
});

test('a chain is read in parts', async () => {
  const { database, charge } = await openLedger();
  for (let lookup = 1n; lookup <= 5n; lookup += 1n) await charge(lookup);
  const proof = await proveLedger(database.app.sql, { isFull: true, blocksAtOnce: 2 });
  expect(proof).toMatchObject({ entries: 11, blocks: 11, findings: [] });
  await edit(database, 'UPDATE nightshift.ledger_blocks SET hash = NULL WHERE to_seq = 4');
  const broken = await proveLedger(database.app.sql, { isFull: true, blocksAtOnce: 2 });
  expect(broken.findings).toEqual([
    'account 1: the hash of the block of entries 4 to 5 does not fit its entries',
  ]);
});

async function openLedger() {
  const database = await openTestDatabase();
  const accountId = await findAccount(database.app.sql, 'default');
  const ledger = createLedger(database.app.sql);
  await ledger.grant(accountId, [{ key: 'a', amountMicro: 500n, reason: 'a test' }]);
  const charge = async (lookupId: bigint) => {
    await ledger.reserve(accountId, [hold(lookupId, 10n)]);
    await ledger.resolve(accountId, [hold(lookupId, 10n)]);
  };
  return { database, charge };
}

function prove({ app }: TestDatabase, isFull = false): Promise<LedgerProof> {
  return proveLedger(app.sql, { isFull });
}

async function edit({ owner }: TestDatabase, statement: string): Promise<void> {
  await owner.pool.query(unguarded('ledger_blocks', statement));
}

async function countCheckpoints({ owner }: TestDatabase): Promise<number> {
  const { rows } = await owner.pool.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM nightshift.verify_checkpoints',
  );
  return rows[0]?.n ?? 0;
}
