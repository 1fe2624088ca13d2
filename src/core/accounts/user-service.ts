import type { Role } from './roles.ts';
import type { StoredResponse } from './stored-response.ts';
import type { UserChanges, UserManager } from './user-rules.ts';
import type { User } from './user-store.ts';

/** Maximum number of users of an account. Our choice: a page can list them. */
export const usersPerAccountMax = 1000;

/** Lifetime of an invitation's link in minutes: three days, over a weekend. Our choice. */
export const invitationMinutes = 3 * 24 * 60;

/** A user with a new sign-in link, which is stored nowhere. */
export interface Invitation {
  readonly user: User;
  /** Token that follows the `#` of the link. */
  readonly token: string;
  readonly expiresAt: Date;
}

/** User to invite. */
export interface Invitee {
  readonly login: string;
  readonly role: Role;
}

/**
 * Port: the users of one account, managed by its admins and by operators. A user of another account is not found. Each change and its
 * entry in the audit log are one transaction.
 */
export interface UserService {
  /** Lists the users of the account by login. */
  list(accountId: number): Promise<readonly User[]>;
  /**
   * Adds a user and creates a link for the first sign-in.
   *
   * @throws NotPermitted for a role beyond the manager's, or Conflict when the login is taken or the account is full.
   */
  invite(
    accountId: number,
    invitee: Invitee,
    by: UserManager,
    kept?: StoredResponse<Invitation> | null,
  ): Promise<Invitation>;
  /**
   * Creates a sign-in link. Earlier links of the user become invalid.
   *
   * @throws NotFound | NotPermitted, or Conflict for a disabled user.
   */
  createLink(
    accountId: number,
    userId: string,
    by: UserManager,
    kept?: StoredResponse<Invitation> | null,
  ): Promise<Invitation>;
  /**
   * Changes the role or the state of a user. A disabled user and one with a lower role are signed out.
   *
   * @throws NotFound | NotPermitted, or Conflict for a change that lowers the manager or takes the last admin.
   */
  change(accountId: number, userId: string, changes: UserChanges, by: UserManager): Promise<User>;
}
