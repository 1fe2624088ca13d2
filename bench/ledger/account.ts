import { openDatabase, type Database } from '../../db/connection/client.ts';
import { findAccount } from '../../db/stores/accounts/accounts.ts';
import { createLedger } from '../../db/stores/credits/ledger.ts';
import type { Closers } from '../../src/closers.ts';
import type { CreditLedger } from '../../src/core/credits/ledger.ts';

/** One account that all calls use. */
export interface HotAccount {
  readonly accountId: number;
  readonly database: Database;
  readonly ledger: CreditLedger;
  /** Unused numbers of lookups. */
  readonly takeLookups: (count: number) => readonly bigint[];
}

const grantMicro = 10n ** 15n;

/** The account `default` with enough credits for all measurements, granted through the product's own ledger. */
export async function openAccount(url: string, closers: Closers): Promise<HotAccount> {
  const role = 'nightshift_app';
  const database = openDatabase({
    url,
    role,
    connectionsMax: 16,
    name: 'nightshift bench',
    onIdleError: () => undefined,
  });
  closers.add(database, (opened) => opened.close());
  const accountId = await findAccount(database.sql, 'default');
  const ledger = createLedger(database.sql);
  await ledger.grant(accountId, [{ key: 'bench', amountMicro: grantMicro, reason: 'benchmark' }]);
  let last = 0n;
  const takeLookups = (count: number) => Array.from({ length: count }, () => (last += 1n));
  return { accountId, database, ledger, takeLookups };
}
