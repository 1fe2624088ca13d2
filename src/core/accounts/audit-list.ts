/** An entry of an account's audit log. */
export interface AuditLine {
  readonly entryId: bigint;
  readonly at: Date;
  /** Kind of event: `key_created`, `signed_in`, and others. */
  readonly event: string;
  /** The key that it happened to. */
  readonly keyId: string | null;
  /** Author: the id of a key or of a user, or `cli`. */
  readonly actor: string;
  /** The login of the user who did it, where it was one. */
  readonly login: string | null;
  /** Address of the client; null for the command line. */
  readonly address: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Port: who did what in an account, the newest first. */
export interface AuditList {
  list(
    accountId: number,
    page: { readonly limit: number; readonly before: bigint | null },
  ): Promise<readonly AuditLine[]>;
}
