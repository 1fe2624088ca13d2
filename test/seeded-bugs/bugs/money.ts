import type { SeededBug } from './bug.ts';

const ledger = 'db/sql/ledger.sql';
const ledgerTests = ['integration/credits/ledger.test.ts'];
const outcomeTests = ['integration/work/outcomes.test.ts'];

/** Guards of the ledger, of prices and of charges. */
export const moneyBugs: readonly SeededBug[] = [
  {
    name: 'no unique key',
    guard: 'a hold and its settlement are written once per lookup and attempt',
    file: 'db/migrations/0000_baseline.sql',
    find: '\tCONSTRAINT "ledger_entries_once" UNIQUE("account_id","lookup_id","attempt","phase"),\n',
    replace: '',
    tests: ledgerTests,
    only: 'names the same hold twice',
  },
  {
    name: 'no lock on the account',
    guard: 'ledger calls of an account are serialised',
    file: ledger,
    find: 'WHERE account_id = p_account FOR NO KEY UPDATE;',
    replace: 'WHERE account_id = p_account;',
    tests: ledgerTests,
    only: 'from eight concurrent connections',
  },
  {
    name: 'no balance check',
    guard: 'holds never exceed the balance',
    file: ledger,
    find: 'FROM running r WHERE r.total <= v_account.balance_micro',
    replace: 'FROM running r WHERE r.total > 0',
    tests: ledgerTests,
    only: 'spends funds in input order',
  },
  {
    name: 'rest of a hold not released',
    guard: 'a settlement releases the rest of its hold',
    file: ledger,
    find: 'f.attempt, 1, f.hold - f.actual, -f.hold,',
    replace: 'f.attempt, 1, 0, -f.hold,',
    tests: ledgerTests,
    only: 'releases the (rest|whole)',
  },
  {
    name: 'no append-only trigger',
    guard: 'a ledger entry cannot be changed, not even by a superuser',
    file: 'db/sql/append-only.sql',
    find: "ARRAY['ledger_entries', 'ledger_blocks',",
    replace: "ARRAY['ledger_blocks',",
    tests: ledgerTests,
    only: 'rejects a superuser',
  },
  {
    name: 'hold not released',
    guard: 'a search without ads releases its hold',
    file: 'db/stores/work/outcomes.ts',
    find: 'outcomes.map((stored) => ({\n      lookupId: stored.lookupId,',
    replace:
      "outcomes.filter(({ outcome }) => outcome === 'found').map((stored) => ({\n      lookupId: stored.lookupId,",
    tests: outcomeTests,
    only: 'a commit writes outcomes',
  },
  {
    name: 'charge on empty',
    guard: 'a search without ads is free',
    file: 'src/core/credits/price-book.ts',
    find: "const isResult = outcome === 'found'",
    replace: "const isResult = outcome === 'found' || outcome === 'none'",
    tests: ['unit/src/core/credits/price-book.test.ts'],
  },
  {
    name: 'charge on repeat',
    guard: 'a reused answer is free',
    file: 'src/core/credits/price-book.ts',
    find: 'return isResult && repeats === null ? priceMicro : 0n;',
    replace: 'return isResult && repeats !== 0n ? priceMicro : 0n;',
    tests: ['unit/src/core/credits/price-book.test.ts'],
  },
  {
    name: 'charge on unknown',
    guard: 'an unknown verdict is free',
    file: 'src/core/credits/price-book.ts',
    find: "emailStatus !== 'unknown'",
    replace: 'emailStatus !== null',
    tests: ['unit/src/core/credits/price-book.test.ts'],
  },
  {
    name: 'float credits',
    guard: 'amounts are integers of microcredits',
    file: 'src/core/credits/credits.ts',
    find: "BigInt(whole.replaceAll(',', '')) * microPerCredit + BigInt(fraction.padEnd(6, '0'))",
    replace:
      "BigInt(Math.floor(Number(`${whole.replaceAll(',', '')}.${fraction}`) * Number(microPerCredit)))",
    tests: ['unit/src/core/credits/credits.test.ts'],
  },
  {
    name: 'charge on every duplicate row',
    guard: 'rows of the same company share one charge, shown on the first',
    file: 'db/stores/reports/report-lines.ts',
    find: 'row.is_first && isFirstLine ?',
    replace: 'isFirstLine ?',
    tests: ['integration/reports/reported-lines.test.ts'],
  },
];
