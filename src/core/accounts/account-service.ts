import type { StoredResponse } from './stored-response.ts';
import type { AccountLimits, LimitChanges, LimitsAtSources } from './account-limits.ts';
import type { Actor } from './key-store.ts';

/** An account as operators see it. */
export interface AccountOverview {
  readonly name: string;
  readonly balanceMicro: bigint;
  readonly heldMicro: bigint;
  /** Valid keys, and users who may sign in. */
  readonly keys: number;
  readonly users: number;
  /** Unfinished lookups of its batches. */
  readonly openLookups: number;
  readonly limits: AccountLimits;
  readonly limitsAtSources: LimitsAtSources;
  /** True when the account has its own database login. */
  readonly hasLogin: boolean;
  readonly createdAt: Date;
}

export interface NewGrant {
  readonly amountMicro: bigint;
  readonly reason: string;
}

/**
 * Port: management of accounts by operators, who address them by name. Each change and its entry in the audit log are one
 * transaction.
 */
export interface AccountService {
  /** Lists accounts by name, from after `after`. */
  list(limit: number, after?: string): Promise<readonly AccountOverview[]>;
  /** @throws NotFound */
  read(name: string): Promise<AccountOverview>;
  /** Creates an account without credits. @throws Conflict when the name is taken. */
  create(name: string, by: Actor, kept?: StoredResponse<AccountOverview> | null): Promise<AccountOverview>;
  /** Grants credits once, also when the database is away for a moment. @throws NotFound; DatabaseUnavailable, then it may have taken effect. */
  grant(
    name: string,
    grant: NewGrant,
    by: Actor,
    kept?: StoredResponse<AccountOverview> | null,
  ): Promise<AccountOverview>;
  /** Replaces the limits that are given. @throws NotFound */
  setLimits(name: string, changes: LimitChanges, by: Actor): Promise<AccountOverview>;
}
