import type { Actor } from '../accounts/key-store.ts';

/** An account's own login to the database, for `psql` and other programs. */
export interface AccountLogin {
  /** Its name on the server. It tells nothing of the account: names of logins can be read by everybody who logs in. */
  readonly role: string;
  /** The connection string without the password. */
  readonly link: string;
  readonly createdAt: Date;
}

/** A login with its password, and the only moment at which anybody sees it. */
export interface CreatedLogin extends AccountLogin {
  /** The connection string, password included. */
  readonly url: string;
}

/** Port: logins that read one account, and nothing else. Each change is one transaction with its entry in the audit log. */
export interface AccountLogins {
  find(accountId: number): Promise<AccountLogin | null>;
  /**
   * Makes the login of an account; one that is there gets a new password, and the old one is refused from now on.
   *
   * @throws Misconfigured that says which right is lacking.
   */
  create(accountId: number, by: Actor): Promise<CreatedLogin>;
  /** It sees nothing from now on, also where it is logged in. @throws NotFound when there is none; Misconfigured as above */
  remove(accountId: number, by: Actor): Promise<void>;
}
