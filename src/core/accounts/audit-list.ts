/** An entry of an account's audit log. */
export interface AuditLine {
  readonly entryId: bigint;
  readonly at: Date;
  /** Kind of event: `key_created`, `signed_in`, and others. */
  readonly event: string;
  /** The key that the event concerns. */
  readonly keyId: string | null;
  /** Author: the id of a key or of a user, or `cli`. */
  readonly actor: string;
  /** Login of the author, if the author is a user. */
  readonly login: string | null;
  /** Address of the client; null for the command line. */
  readonly address: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Port: the audit log of an account, newest entry first. */
export interface AuditList {
  list(
    accountId: number,
    page: { readonly limit: number; readonly before: bigint | null },
  ): Promise<readonly AuditLine[]>;
}
