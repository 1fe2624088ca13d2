import type { Actor } from '../accounts/key-store.ts';

/** An account's own database login, for `psql` and other programs. */
export interface AccountLogin {
  /** Name of the role on the server. It does not reveal the account: every role can read role names. */
  readonly role: string;
  /** The connection string without the password. */
  readonly link: string;
  readonly createdAt: Date;
}

/** A login with its password, which is shown only once. */
export interface CreatedLogin extends AccountLogin {
  /** The connection string with the password. */
  readonly url: string;
}

/** Port: database logins that read one account and nothing else. Each change and its entry in the audit log are one transaction. */
export interface AccountLogins {
  find(accountId: number): Promise<AccountLogin | null>;
  /**
   * Creates the login of an account. An existing login gets a new password, which replaces the old one.
   *
   * @throws Misconfigured that names the missing privilege.
   */
  create(accountId: number, by: Actor): Promise<CreatedLogin>;
  /** Removes the login; its open sessions lose access at once. @throws NotFound when there is none; Misconfigured as above */
  remove(accountId: number, by: Actor): Promise<void>;
}
