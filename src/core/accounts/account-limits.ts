/** Limits of one account; null: the settings apply. */
export interface AccountLimits {
  /** Requests with all its keys and sessions together. */
  readonly requestsPerMinute: number | null;
  /** Lookups of all its lists that are not done: what does not fit is not taken. */
  readonly openLookups: number | null;
  /** Data rows of one list, also of a schedule's. */
  readonly rowsPerBatch: number | null;
}

export const noLimits: AccountLimits = { requestsPerMinute: null, openLookups: null, rowsPerBatch: null };

/** Port: the limits of accounts. Asked anew each time, so that a change counts in every process from then on. */
export interface AccountLimitStore {
  read(accountId: number): Promise<AccountLimits>;
  /** For who is about to hand in a list: whether there is room at all. @throws LimitReached */
  requireRoom(accountId: number): Promise<void>;
}
