/** Limits of one account; null: the default applies. */
export interface AccountLimits {
  /** Requests with all its keys and sessions together. */
  readonly requestsPerMinute: number | null;
  /** Unfinished lookups of all its batches. A batch that would exceed the limit is rejected. */
  readonly openLookups: number | null;
  /** Data rows of one batch, also of a batch that a schedule starts. */
  readonly rowsPerBatch: number | null;
  /** Share of the work of batches beside other accounts, from 1 to `weightMax`. Default: `weightDefault`. */
  readonly weight: number | null;
}

export const noLimits: AccountLimits = {
  requestsPerMinute: null,
  openLookups: null,
  rowsPerBatch: null,
  weight: null,
};

export const weightMax = 100;
export const weightDefault = 1;

/** Limits of an account at a source, within those of the source; null: none. */
export interface AccountSourceLimits {
  /** Calls in flight. */
  readonly concurrency: number | null;
  /** Calls per day, UTC. */
  readonly callsPerDay: number | null;
}

/** Limits of an account at sources, by the id of the source. */
export type LimitsAtSources = ReadonlyMap<string, AccountSourceLimits>;

/** Limits of the calls for an account, and its share of them. */
export interface CallerLimits {
  readonly weight: number;
  readonly atSources: LimitsAtSources;
}

/** Limits to replace; those at sources by the id of the source. */
export interface LimitChanges extends Partial<AccountLimits> {
  readonly atSources?: ReadonlyMap<string, Partial<AccountSourceLimits>>;
}

/**
 * Port: the limits of accounts. Each request reads them again, and each chunk those at sources, so that a change takes effect in every process.
 * A chunk that runs has a changed limit at a source from its next call on, and a first one from its next start.
 */
export interface AccountLimitStore {
  read(accountId: number): Promise<AccountLimits>;
  /** Reads the weight, and the limits at sources: empty without any. */
  readOfCaller(accountId: number): Promise<CallerLimits>;
  /**
   * Checks, before a batch is loaded, that the account has room for more lookups.
   *
   * @throws LimitReached
   */
  requireRoom(accountId: number): Promise<void>;
}
