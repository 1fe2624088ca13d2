import type { StoredResponse } from './stored-response.ts';
import type { Scope } from './api-key.ts';

/** A key as it is shown to people: never the key itself. */
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

/** A new key. The key itself is shown only once. */
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

/** Maximum number of valid keys of an account. Our choice: far more than people can keep apart. */
export const keysPerAccountMax = 100;

/** A presented key that is valid now, by the database clock. */
export interface FoundKey {
  readonly keyId: string;
  readonly accountId: number;
  readonly digest: Buffer;
  readonly scopes: readonly Scope[];
  /** Rate limit of the account; null: the settings apply. */
  readonly requestsPerMinute: number | null;
  /** True when a use within the last minute is already recorded. */
  readonly isUseNoted: boolean;
}

/** Author of a change and their address, for the audit log: the id of a key, or `cli`. */
export interface Actor {
  readonly actor: string;
  readonly address: string | null;
}

/** Port: the keys of accounts. Each change and its entry in the audit log are one transaction. */
export interface KeyStore {
  /**
   * Finds the valid key with this digest; null for an unknown, revoked or expired key. Every request reads it again: a key that
   * was just revoked must not pass in any process.
   */
  find(digest: Buffer): Promise<FoundKey | null>;
  /** @throws Conflict when the account has the maximum number of valid keys. */
  create(
    accountId: number,
    key: NewKey,
    by: Actor,
    kept?: StoredResponse<CreatedKey> | null,
  ): Promise<CreatedKey>;
  /** Lists all keys, oldest first, including revoked keys. */
  list(accountId: number): Promise<readonly ApiKey[]>;
  /** Revokes a key with immediate effect. Revoking it again changes nothing. @throws NotFound */
  revoke(accountId: number, keyId: string, by: Actor): Promise<ApiKey>;
  /**
   * Replaces a key by a new key with the same name and scopes. The old key is revoked, and the lifetime starts again.
   *
   * @throws NotFound, or Conflict when the old key is already revoked.
   */
  regenerate(
    accountId: number,
    keyId: string,
    by: Actor,
    kept?: StoredResponse<CreatedKey> | null,
  ): Promise<CreatedKey>;
  /** Records the use of a key. Its first use is an entry in the audit log. */
  noteUse(key: FoundKey, address: string | null): Promise<void>;
  /** Records the use of a revoked or expired key in the audit log. Runs the same statement for any other digest, and records nothing. */
  noteRefusal(digest: Buffer, address: string | null): Promise<void>;
  /** Records in the audit log that a key lacked the scope for an operation. */
  noteDenial(
    key: FoundKey,
    address: string | null,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void>;
}
