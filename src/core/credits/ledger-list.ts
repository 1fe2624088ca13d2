/** A movement of credits as it stands in the ledger, in microcredits. */
export interface LedgerLine {
  /** Counts the account's entries without a gap. */
  readonly seq: bigint;
  readonly kind: 'grant' | 'reserve' | 'settle' | 'release';
  readonly balanceDeltaMicro: bigint;
  readonly heldDeltaMicro: bigint;
  readonly balanceAfterMicro: bigint;
  readonly heldAfterMicro: bigint;
  /** Of a grant. */
  readonly reason: string | null;
  readonly lookupId: bigint | null;
  /** What the lookup was made for. */
  readonly batch: string | null;
  readonly request: string | null;
  readonly at: Date;
}

/** Port: the ledger as people read it. */
export interface LedgerList {
  /** The entries of an account, newest first, before the given one. */
  list(
    accountId: number,
    page: { readonly limit: number; readonly before: bigint | null },
  ): Promise<readonly LedgerLine[]>;
}
