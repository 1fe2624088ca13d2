import type { Actor } from './key-store.ts';
import type { Role } from './roles.ts';

/** Somebody who signs in to the console. Belongs to one account. */
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

/** Port: who may sign in. Each change is one transaction with its entry in the audit log. */
export interface UserStore {
  /** @throws Conflict when there is a user of that login. */
  add(user: NewUser, by: Actor): Promise<User>;
  /** By login. */
  list(): Promise<readonly User[]>;
  /** @throws NotFound */
  find(login: string): Promise<User>;
  /** Counts those who may sign in. */
  count(): Promise<number>;
  /** Another role; what the user may do changes with the next request. @throws NotFound */
  setRole(login: string, role: Role, by: Actor): Promise<User>;
  /** Enables or disables a user. A disabled user is signed out at once. @throws NotFound */
  setDisabled(login: string, isDisabled: boolean, by: Actor): Promise<User>;
  /** A new password, hashed; all other sessions of the user end. @throws NotFound */
  setPassword(userId: string, hash: string, by: Actor, keep?: Buffer): Promise<void>;
  /** A user who may sign in, with what is stored of the password, or null; null where there is no such user. */
  findForSignIn(login: string): Promise<{ readonly userId: string; readonly hash: string | null } | null>;
}
