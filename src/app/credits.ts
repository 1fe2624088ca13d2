import { createLedger } from '../../db/stores/credits/ledger.ts';
import { createLedgerList } from '../../db/stores/credits/ledger-list.ts';
import { createUsageList } from '../../db/stores/reports/usage-list.ts';
import { createPriceBook, type PriceLine } from '../../db/stores/sql/price-book.ts';
import { parseCredits } from '../core/credits/credits.ts';
import type { CreditLedger } from '../core/credits/ledger.ts';
import type { LedgerList } from '../core/credits/ledger-list.ts';
import type { PriceBook } from '../core/credits/price-book.ts';
import type { UsageList } from '../core/credits/usage.ts';
import type { Wiring } from './wiring.ts';

/** Services of credits: the ledger, the price book, and their lists. */
export interface CreditServices {
  readonly ledger: CreditLedger;
  readonly prices: PriceBook & { readLines(): Promise<readonly PriceLine[]> };
  readonly entries: LedgerList;
  readonly usage: UsageList;
}

/**
 * Wires the ledger, and grants the account its opening credits, once per database.
 *
 * @throws DatabaseUnavailable
 */
export async function wireCredits({ config, servers }: Wiring, accountId: number): Promise<CreditServices> {
  const db = servers.database.sql;
  const ledger = createLedger(db);
  const amountMicro = parseCredits(config.openingCredits);
  if (amountMicro > 0n)
    await ledger.grant(accountId, [{ key: 'opening', amountMicro, reason: 'opening grant' }]);
  return {
    ledger,
    prices: createPriceBook(db),
    entries: servers.reader.of(createLedgerList),
    usage: servers.reader.of(createUsageList),
  };
}
