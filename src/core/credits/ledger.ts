/** Status of one grant, hold or settlement; one per item, in the order given (docs/architecture/decisions/0010-set-based-ledger.md). */
export type GrantStatus = 'granted' | 'exists' | 'mismatch';
export type ReserveStatus = 'reserved' | 'free' | 'exists' | 'mismatch' | 'insufficient';
export type ResolveStatus = 'settled' | 'released' | 'exists' | 'mismatch' | 'no_hold' | 'exceeds';

/** Credits to add. The same key adds them only once; without a key, every call adds. */
export interface Grant {
  readonly key: string | null;
  readonly amountMicro: bigint;
  readonly reason: string;
}

/** A hold: credits set aside for one attempt at one lookup. */
export interface Hold {
  readonly lookupId: bigint;
  /** Increases when a hold was released and the lookup is held for again. */
  readonly attempt: number;
  readonly amountMicro: bigint;
}

/** The end of a hold: an amount of 0 releases it; a larger amount settles it and returns the rest. */
export type Resolution = Hold;

/** Balance of an account and the credits held for open lookups, in microcredits. */
export interface Balance {
  readonly balanceMicro: bigint;
  readonly heldMicro: bigint;
}

/** Port: the append-only ledger. Each call is one atomic step; repeating it changes nothing and returns `exists`. */
export interface CreditLedger {
  grant(accountId: number, grants: readonly Grant[]): Promise<readonly GrantStatus[]>;
  /** Holds credits in the given order, as far as the balance allows; the others are `insufficient` and leave no trace. */
  reserve(accountId: number, holds: readonly Hold[]): Promise<readonly ReserveStatus[]>;
  resolve(accountId: number, resolutions: readonly Resolution[]): Promise<readonly ResolveStatus[]>;
  readBalance(accountId: number): Promise<Balance>;
}
