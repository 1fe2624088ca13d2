import type { Balance, CreditLedger, Hold } from '../../../src/core/credits/ledger.ts';

/** A ledger in memory: the simplest implementation of the port, as a reference for the real one. */
export function createMemoryLedger(): CreditLedger {
  const accounts = new Map<number, ReturnType<typeof createAccount>>();
  const accountOf = (accountId: number) => {
    const account = accounts.get(accountId) ?? createAccount();
    accounts.set(accountId, account);
    return account;
  };
  return {
    grant: async (accountId, grants) =>
      grants.map(({ key, amountMicro }) => accountOf(accountId).grant(key, amountMicro)),
    reserve: async (accountId, holds) => {
      const account = accountOf(accountId);
      const call = account.beginReserve();
      return holds.map((item) => call(item));
    },
    resolve: async (accountId, ends) => ends.map((item) => accountOf(accountId).resolve(item)),
    readBalance: async (accountId) => accountOf(accountId).balance(),
  };
}

function createAccount() {
  const grants = new Map<string, bigint>();
  const holds = new Map<string, bigint>();
  const ends = new Map<string, bigint>();
  let balanceMicro = 0n;
  let heldMicro = 0n;
  const keyOf = ({ lookupId, attempt }: Hold) => `${lookupId}-${attempt}`;

  return {
    balance: (): Balance => ({ balanceMicro, heldMicro }),
    grant(key: string | null, amountMicro: bigint) {
      const before = key === null ? undefined : grants.get(key);
      if (before !== undefined) return before === amountMicro ? ('exists' as const) : ('mismatch' as const);
      if (key !== null) grants.set(key, amountMicro);
      balanceMicro += amountMicro;
      return 'granted' as const;
    },
    /** After the first hold that the balance does not cover, no other hold of the call is granted. */
    beginReserve() {
      let isShort = false;
      return (item: Hold) => {
        if (item.amountMicro === 0n) return 'free' as const;
        const before = holds.get(keyOf(item));
        if (before !== undefined)
          return before === item.amountMicro ? ('exists' as const) : ('mismatch' as const);
        isShort ||= item.amountMicro > balanceMicro;
        if (isShort) return 'insufficient' as const;
        holds.set(keyOf(item), item.amountMicro);
        balanceMicro -= item.amountMicro;
        heldMicro += item.amountMicro;
        return 'reserved' as const;
      };
    },
    resolve(item: Hold) {
      const held = holds.get(keyOf(item));
      const ended = ends.get(keyOf(item));
      if (ended !== undefined)
        return ended === item.amountMicro ? ('exists' as const) : ('mismatch' as const);
      if (held === undefined) return 'no_hold' as const;
      if (item.amountMicro > held) return 'exceeds' as const;
      ends.set(keyOf(item), item.amountMicro);
      heldMicro -= held;
      balanceMicro += held - item.amountMicro;
      return item.amountMicro === 0n ? ('released' as const) : ('settled' as const);
    },
  };
}
