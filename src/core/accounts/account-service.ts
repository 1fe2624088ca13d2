import type { StoredResponse } from './stored-response.ts';
import type { AccountLimits } from './account-limits.ts';
import type { Actor } from './key-store.ts';

/** An account as operators see it. */
export interface AccountOverview {
  readonly name: string;
  readonly balanceMicro: bigint;
  readonly heldMicro: bigint;
  /** Keys that hold, and users who may sign in. */
  readonly keys: number;
  readonly users: number;
  /** Lookups of its lists that are not done. */
  readonly openLookups: number;
  readonly limits: AccountLimits;
  /** It has a login of its own to the database. */
  readonly hasLogin: boolean;
  readonly createdAt: Date;
}

export interface NewGrant {
  readonly amountMicro: bigint;
  readonly reason: string;
}

/** Port: what operators do with accounts, by their names. Each change is one transaction with its entry in the audit log. */
export interface AccountService {
  /** By name; those after `after`. */
  list(limit: number, after?: string): Promise<readonly AccountOverview[]>;
  /** @throws NotFound */
  read(name: string): Promise<AccountOverview>;
  /** Without credits. @throws Conflict when there is one of that name. */
  create(name: string, by: Actor, kept?: StoredResponse<AccountOverview> | null): Promise<AccountOverview>;
  /** @throws NotFound */
  grant(
    name: string,
    grant: NewGrant,
    by: Actor,
    kept?: StoredResponse<AccountOverview> | null,
  ): Promise<AccountOverview>;
  /** Replaces the limits that are given. @throws NotFound */
  setLimits(name: string, changes: Partial<AccountLimits>, by: Actor): Promise<AccountOverview>;
}
