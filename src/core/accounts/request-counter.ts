/** Requests of one key that are counted together, for the limits of the key and its account. */
export interface RequestsToCount {
  /** Name of the counter of the key. */
  readonly key: string;
  readonly keyMax: number;
  /** Name of the counter of the account. */
  readonly account: string;
  readonly requests: number;
}

/** Requests in a window, and its end in milliseconds since 1970. */
export interface WindowCount {
  readonly requests: number;
  readonly endsAtMs: number;
}

/** Counts of a key and its account after requests. The account does not count requests beyond the limit of the key; null: it counted none. */
export interface CountedRequests {
  readonly ofKey: WindowCount;
  readonly ofAccount: WindowCount | null;
}

/** Port: counts requests of any number of distinct keys, in one step. Returns a result per key, in the given order. */
export type RequestCounter = (
  asked: readonly RequestsToCount[],
  window: { readonly nowMs: number; readonly windowMs: number },
) => Promise<readonly CountedRequests[]>;
