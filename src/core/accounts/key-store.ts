import type { StoredResponse } from './stored-response.ts';
import type { Scope } from './api-key.ts';

/** A key as people see it: never the key itself. */
export interface ApiKey {
  readonly keyId: string;
  readonly name: string;
  /** First and last characters of the key. */
  readonly hint: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** A new key, and the only moment at which anybody sees it. */
export interface CreatedKey extends ApiKey {
  readonly key: string;
}

/** Permissions and lifetime of a new key. */
export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Null for a key that does not expire. */
  readonly expiresAt: Date | null;
}

/** Keys of one account that hold at a time, at most: our choice, far beyond what people keep apart. */
export const keysPerAccountMax = 100;

/** A key that was presented and holds at this moment, by the database's clock. */
export interface FoundKey {
  readonly keyId: string;
  readonly accountId: number;
  readonly digest: Buffer;
  readonly scopes: readonly Scope[];
  /** Rate limit of the account; null: the settings apply. */
  readonly requestsPerMinute: number | null;
  /** That it was used within the last minute is written down already. */
  readonly isUseNoted: boolean;
}

/** Author of a change and its address, for the audit log: the id of a key, or `cli`. */
export interface Actor {
  readonly actor: string;
  readonly address: string | null;
}

/** Port: the keys of accounts. Each change is one transaction with its entry in the audit log. */
export interface KeyStore {
  /**
   * The key of this digest. One that is revoked or has expired is not found, just like one that never was. Asked anew for every
   * request: a key that was revoked a moment ago must not pass in any process.
   */
  find(digest: Buffer): Promise<FoundKey | null>;
  /** @throws Conflict when too many keys of the account hold already. */
  create(
    accountId: number,
    key: NewKey,
    by: Actor,
    kept?: StoredResponse<CreatedKey> | null,
  ): Promise<CreatedKey>;
  /** Oldest first, revoked ones included. */
  list(accountId: number): Promise<readonly ApiKey[]>;
  /** The key is refused from now on. Revoking twice changes nothing. @throws NotFound */
  revoke(accountId: number, keyId: string, by: Actor): Promise<ApiKey>;
  /**
   * A new key with the name and the scopes of an old one, which is refused from now on; the lifetime begins anew.
   *
   * @throws NotFound, or Conflict when the old one is revoked.
   */
  regenerate(
    accountId: number,
    keyId: string,
    by: Actor,
    kept?: StoredResponse<CreatedKey> | null,
  ): Promise<CreatedKey>;
  /** Writes down that a key was used; its first use goes into the audit log. */
  noteUse(key: FoundKey, address: string | null): Promise<void>;
  /** Tells the audit log of a key that was presented after its end; of any other digest nothing, by the same statement. */
  noteRefusal(digest: Buffer, address: string | null): Promise<void>;
  /** Tells the audit log of a key that lacked the scope for what was asked. */
  noteDenial(
    key: FoundKey,
    address: string | null,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void>;
}
