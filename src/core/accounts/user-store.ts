import type { Actor } from './key-store.ts';
import type { Role } from './roles.ts';

/** A user of the console. Belongs to one account. */
export interface User {
  /** `usr_…`. */
  readonly userId: string;
  /** Login: an e-mail address or a name, case-insensitive. */
  readonly login: string;
  readonly account: string;
  readonly role: Role;
  readonly hasPassword: boolean;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly lastSignInAt: Date | null;
}

export interface NewUser {
  readonly login: string;
  readonly accountId: number;
  readonly role: Role;
}

/** Port: the users of accounts. Each change and its entry in the audit log are one transaction. */
export interface UserStore {
  /** @throws Conflict when the login is taken. */
  add(user: NewUser, by: Actor): Promise<User>;
  /** Lists users by login. */
  list(): Promise<readonly User[]>;
  /** @throws NotFound */
  find(login: string): Promise<User>;
  /** Counts the users who may sign in. */
  count(): Promise<number>;
  /** Changes the role, with effect from the next request. A lower role, and the role operator, end all sessions. @throws NotFound */
  setRole(login: string, role: Role, by: Actor): Promise<User>;
  /** Enables or disables a user. A disabled user is signed out at once. @throws NotFound */
  setDisabled(login: string, isDisabled: boolean, by: Actor): Promise<User>;
  /** Sets a new password hash and ends all other sessions of the user. @throws NotFound */
  setPassword(userId: string, hash: string, by: Actor, keep?: Buffer): Promise<void>;
  /** Finds a user who may sign in, with the stored password hash or null. Null for an unknown user. */
  findForSignIn(login: string): Promise<{ readonly userId: string; readonly hash: string | null } | null>;
}
