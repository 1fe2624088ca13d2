/** An entry of an account's audit log. */
export interface AuditLine {
  readonly entryId: bigint;
  readonly at: Date;
  /** What happened: `key_created`, `signed_in`, … */
  readonly event: string;
  /** The key that it happened to. */
  readonly keyId: string | null;
  /** Who did it: the id of a key or of a user, or `cli`. */
  readonly actor: string;
  /** The login of the user who did it, where it was one. */
  readonly login: string | null;
  /** Where the request came from; null for the command line. */
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
