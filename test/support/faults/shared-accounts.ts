import { createAccountService } from '../../../db/stores/accounts/account-service.ts';
import { createAccount } from '../../../db/stores/accounts/accounts.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import type { TestDatabase } from '../db/database.ts';
import { loadFixtureBatch } from '../db/fixture.ts';
import { companyOfAccount } from './share-figures.ts';

/** Work of one account: batches of equal size. */
export interface AccountWork {
  readonly weight: number;
  readonly batches: number;
  readonly rows: number;
}

/** Creates an account with credits. */
export async function openAccount(database: TestDatabase, name: string): Promise<number> {
  const accountId = await createAccount(database.app.sql, name);
  const grant = { key: null, amountMicro: 1_000_000_000_000n, reason: 'a test' };
  await createLedger(database.app.sql).grant(accountId, [grant]);
  return accountId;
}

/** Loads the paused batches of all accounts: `account-0` and so on. */
export async function loadAccounts(database: TestDatabase, works: readonly AccountWork[]): Promise<void> {
  const service = createAccountService(database.app.sql);
  for (const [account, { weight, batches, rows }] of works.entries()) {
    const accountId = await openAccount(database, `account-${account}`);
    if (weight > 1)
      await service.setLimits(`account-${account}`, { weight }, { actor: 'test', address: null });
    for (let batch = 0; batch < batches; batch += 1)
      await loadFixtureBatch(database.app, accountId, {
        fileName: `${account}-${batch}.csv`,
        companies: Array.from({ length: rows }, (_, row) => companyOfAccount(account, batch, row)),
        withOddRows: false,
      });
  }
  await database.owner.pool.query("UPDATE nightshift.batches SET state = 'paused'");
}

/** Starts all batches at the same moment, when the processes run. */
export async function releaseBatches({ owner }: TestDatabase): Promise<void> {
  await owner.pool.query("UPDATE nightshift.batches SET state = 'running' WHERE state = 'paused'");
}
