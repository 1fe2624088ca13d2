import { Conflict, NotPermitted } from '../errors.ts';
import type { Actor } from './key-store.ts';
import { permissionsOf, type Permission, type Role } from './roles.ts';
import type { User } from './user-store.ts';

/** Author of a change to users, with the permissions that limit it. */
export interface UserManager extends Actor {
  readonly permissions: readonly Permission[];
}

/** Changes of a user; those that are missing keep their value. */
export interface UserChanges {
  readonly role?: Role;
  readonly isDisabled?: boolean;
}

const loginForm = /^[^\s\p{C}]{1,254}$/u;

/** True for a login: an e-mail address or a name without blanks, of at most 254 characters. */
export function isLogin(text: string): boolean {
  return loginForm.test(text);
}

/**
 * Rejects a manager whose permissions do not cover a role: an admin can manage admins, but no operators.
 *
 * @throws NotPermitted
 */
export function assertCovers({ permissions }: UserManager, role: Role): void {
  if (permissionsOf[role].every((permission) => permissions.includes(permission))) return;
  const remedy =
    role === 'operator' ? 'Ask an operator of this installation' : `Ask a user with the role ${role}`;
  throw new NotPermitted(`The role ${role} permits more than yours. ${remedy}.`);
}

/**
 * Rejects a change beyond the manager's permissions, a change that lowers the manager, and one after which the account has no admin.
 *
 * @param users all users of the account, including `user`.
 * @throws NotPermitted | Conflict
 */
export function assertUserChange(
  { user, users }: { readonly user: User; readonly users: readonly User[] },
  changes: UserChanges,
  by: UserManager,
): void {
  assertCovers(by, user.role);
  if (changes.role !== undefined) assertCovers(by, changes.role);
  const isEnding = changes.isDisabled === true || isLower(user.role, changes.role ?? user.role);
  if (user.userId === by.actor && isEnding)
    throw new Conflict(
      'You cannot disable yourself or lower your own role. Another admin of the account can.',
    );
  const after = { ...user, role: changes.role ?? user.role };
  const isDisabled = changes.isDisabled ?? user.disabledAt !== null;
  const keepsAdmin =
    (!isDisabled && isAdmin(after)) || users.some((each) => each !== user && isActiveAdmin(each));
  if (isActiveAdmin(user) && !keepsAdmin)
    throw new Conflict(
      `${user.login} is the last admin of the account. Give another user the role admin first.`,
    );
}

/**
 * True if a change of role ends the user's sessions and unused sign-in links: a lower role, and the role operator, so that a manager who
 * created a link for the user before gets no more than they may give.
 */
export function endsSessions(from: Role, to: Role): boolean {
  return from !== to && (to === 'operator' || isLower(from, to));
}

function isLower(from: Role, to: Role): boolean {
  return permissionsOf[from].some((permission) => !permissionsOf[to].includes(permission));
}

function isActiveAdmin(user: User): boolean {
  return user.disabledAt === null && isAdmin(user);
}

function isAdmin({ role }: Pick<User, 'role'>): boolean {
  return permissionsOf[role].includes('admin');
}
