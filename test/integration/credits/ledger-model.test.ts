import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Database, type Sql } from '../../../db/connection/client.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { listLedgerFindings } from '../../support/db/findings.ts';
import type { CreditLedger } from '../../../src/core/credits/ledger.ts';
import { openTestDatabase, type TestDatabase, openTestPool } from '../../support/db/database.ts';
import {
  ledgerCommands,
  type LedgerModel,
  type LedgerUnderTest,
} from '../../support/credits/ledger-commands.ts';
import { createMemoryLedger } from '../../support/credits/memory-ledger.ts';
import { balanceOf, emptyAccount, openHolds, type LedgerCall } from '../../support/credits/plain-ledger.ts';
import { openPostgresProxy, type PostgresProxy } from '../../support/db/postgres-proxy.ts';
import { randomRuns } from '../../support/faults/random-runs.ts';
import { takeSeedNumber } from '../../support/seed-number.ts';

/** Number of runs that share a database: `verify` reads all of it after each. */
const runsPerStage = 30;

test('ledger on Postgres matches its model for any sequence of calls, also concurrent and invalid ones', async () => {
  const seed = takeSeedNumber();
  let stage = await openStage();
  let runs = 0;
  const property = fc.asyncProperty(ledgerCommands(), async (commands) => {
    runs += 1;
    if (runs % runsPerStage === 0) stage = await openStage();
    const ledger = onPostgres(stage, await addAccount(stage.database, `run ${runs}`));
    try {
      await expectModelled(ledger, commands);
      expect(await listLedgerFindings(stage.database)).toEqual([]);
    } catch (error) {
      // Data of a failed run must not fail the shorter ones that follow.
      stage = await openStage();
      throw error;
    }
  });
  await fc.assert(property, { seed, numRuns: randomRuns(300) });
}, 240_000);

test('ledger in memory matches its model for any sequence of calls, also concurrent and invalid ones', async () => {
  const property = fc.asyncProperty(ledgerCommands(), (commands) => expectModelled(inMemory(), commands));
  await fc.assert(property, { seed: takeSeedNumber(), numRuns: randomRuns(2_000) });
});

/** Runs the commands on an empty account, and ends all holds: `verify` requires work behind every hold. */
async function expectModelled(
  ledger: LedgerUnderTest,
  commands: Parameters<typeof fc.asyncModelRun<LedgerModel, LedgerUnderTest, boolean, LedgerModel>>[1],
): Promise<void> {
  const model: LedgerModel = { account: emptyAccount };
  await fc.asyncModelRun(() => ({ model, real: ledger }), commands);
  const open = openHolds(model.account).map((hold) => ({ ...hold, amountMicro: 0n }));
  expect(await ledger.call({ kind: 'resolve', items: open })).toEqual(open.map(() => 'released'));
  const { balanceMicro, heldMicro } = balanceOf(model.account);
  expect(await ledger.readBalance()).toEqual({ balanceMicro: balanceMicro + heldMicro, heldMicro: 0n });
}

interface Stage {
  readonly database: TestDatabase;
  /** The same database through the proxy. */
  readonly proxied: Database;
  readonly proxy: PostgresProxy;
}

async function openStage(): Promise<Stage> {
  const database = await openTestDatabase();
  const proxy = await openPostgresProxy(database.url);
  const proxied = openTestPool(proxy.url, { connectionsMax: 2 });
  return { database, proxied, proxy };
}

function onPostgres({ database, proxied, proxy }: Stage, accountId: number): LedgerUnderTest {
  const call = (one: LedgerCall) => callLedger(createLedger(database.app.sql), accountId, one);
  const callAll = async (db: Sql, calls: readonly LedgerCall[]) => {
    for (const one of calls) await callLedger(createLedger(db), accountId, one);
  };
  return {
    call,
    callAtOnce: (calls) => Promise.all(calls.map(call)),
    async callWithFault(calls, mishap) {
      if (mishap !== 'rollback') proxy.cutNextCommit(mishap);
      const lost = proxied.sql.transaction(async (transaction) => {
        await callAll(transaction, calls);
        if (mishap === 'rollback') transaction.rollback();
      });
      await expect(lost).rejects.toThrow();
    },
    readBalance: () => createLedger(database.app.sql).readBalance(accountId),
  };
}

function inMemory(): LedgerUnderTest {
  const ledger = createMemoryLedger();
  const call = (one: LedgerCall) => callLedger(ledger, 1, one);
  return {
    call,
    callAtOnce: (calls) => Promise.all(calls.map(call)),
    async callWithFault(calls, mishap) {
      if (mishap === 'after') for (const one of calls) await call(one);
    },
    readBalance: () => ledger.readBalance(1),
  };
}

function callLedger(ledger: CreditLedger, accountId: number, call: LedgerCall): Promise<readonly string[]> {
  if (call.kind === 'grant') return ledger.grant(accountId, call.items);
  return call.kind === 'reserve'
    ? ledger.reserve(accountId, call.items)
    : ledger.resolve(accountId, call.items);
}

async function addAccount({ owner }: TestDatabase, name: string): Promise<number> {
  const { rows } = await owner.pool.query<{ id: string }>(
    `WITH added AS (INSERT INTO nightshift.accounts (name) VALUES ($1) RETURNING id)
      INSERT INTO nightshift.credit_balances (account_id) SELECT id FROM added RETURNING account_id AS id`,
    [name],
  );
  return Number(rows[0]?.id);
}
