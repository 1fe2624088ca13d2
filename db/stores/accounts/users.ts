import { and, count, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Actor } from '../../../src/core/accounts/key-store.ts';
import { permissionsOf, type Role } from '../../../src/core/accounts/roles.ts';
import { endsSessions } from '../../../src/core/accounts/user-rules.ts';
import type { NewUser, User, UserStore } from '../../../src/core/accounts/user-store.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import { newId } from '../../../src/core/ids.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { accounts } from '../../schema/accounts.ts';
import { users } from '../../schema/users.ts';
import { revokeKeysOf } from './api-keys.ts';
import { writeAudit } from './audit-log.ts';
import { endSessions } from './sessions.ts';

/** Users in `nightshift.users`, by their logins. */
export function createUserStore(db: NodePgDatabase): UserStore {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  return {
    add: (user, by) => inTransaction((transaction) => addUser(transaction, user, by)),
    list: () => withDatabase(() => listUsers(db)),
    find: (login) => withDatabase(() => findUser(db, login)),
    count: () => withDatabase(() => countUsers(db)),
    setRole: (login, role, by) => inTransaction((transaction) => setRole(transaction, login, { role, by })),
    setDisabled: (login, isDisabled, by) =>
      inTransaction((transaction) => setDisabled(transaction, login, { isDisabled, by })),
    setPassword: (userId, hash, by, keep) =>
      inTransaction((transaction) => setPassword(transaction, userId, { hash, by, keep: keep ?? null })),
    findForSignIn: (login) => withDatabase(() => findForSignIn(db, login)),
  };
}

/** A user with the ids of its records. */
type UserRow = Awaited<ReturnType<typeof selectRows>>[number];

function selectRows(db: Sql, which?: SQL) {
  const { id, accountId, publicId, login, role, passwordHash, createdAt, disabledAt, lastSignInAt } = users;
  const hasPassword = isNotNull(passwordHash).mapWith(Boolean);
  const user = {
    userId: publicId,
    login,
    account: accounts.name,
    role,
    hasPassword,
    createdAt,
    disabledAt,
    lastSignInAt,
  };
  return db
    .select({ id, accountId, user })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(which)
    .orderBy(login);
}

/** Lists the users of an account, or all, by login. */
export async function listUsers(db: Sql, accountId?: number): Promise<readonly User[]> {
  const which = accountId === undefined ? undefined : eq(users.accountId, accountId);
  return (await selectRows(db, which)).map(({ user }) => user);
}

async function findRow(db: Sql, login: string): Promise<UserRow> {
  const [row] = await selectRows(db, eq(users.login, login.toLowerCase()));
  if (row === undefined) throw new NotFound(`There is no user ${login}.`);
  return row;
}

async function findUser(db: Sql, login: string): Promise<User> {
  return (await findRow(db, login)).user;
}

async function countUsers(db: Sql): Promise<number> {
  const [counted] = await db.select({ users: count() }).from(users).where(isNull(users.disabledAt));
  return counted?.users ?? 0;
}

/** Adds a user. @throws Conflict when the login is taken. */
export async function addUser(db: Sql, { login, accountId, role }: NewUser, by: Actor): Promise<User> {
  const userId = newId('usr', Date.now());
  const added = await db
    .insert(users)
    .values({ publicId: userId, accountId, login: login.toLowerCase(), role })
    .onConflictDoNothing({ target: users.login });
  if (added.rowCount === 0) throw new Conflict(`There is a user ${login} already.`);
  const details = { user: userId, role };
  await writeAudit(db, { accountId, event: 'user_added', keyId: null, ...by, details });
  return findUser(db, login);
}

/** Changes the role of a user, and ends their sessions if it has to. @throws NotFound */
export async function setRole(
  db: Sql,
  login: string,
  { role, by }: { readonly role: Role; readonly by: Actor },
): Promise<User> {
  const row = await findRow(db, login);
  await db.update(users).set({ role }).where(eq(users.id, row.id));
  if (endsSessions(row.user.role, role)) await endSessions(db, row.id, null);
  await revokeKeysOf(db, ownerOf(row), { beyond: permissionsOf[role], by });
  await auditUser(db, row, { event: 'user_role_changed', by, details: { from: row.user.role, to: role } });
  return findUser(db, login);
}

/** Enables or disables a user, and ends the sessions of a disabled one. @throws NotFound */
export async function setDisabled(
  db: Sql,
  login: string,
  { isDisabled, by }: { readonly isDisabled: boolean; readonly by: Actor },
): Promise<User> {
  const row = await findRow(db, login);
  if ((row.user.disabledAt !== null) === isDisabled) return row.user;
  await db
    .update(users)
    .set({ disabledAt: isDisabled ? sql`now()` : null })
    .where(eq(users.id, row.id));
  if (isDisabled) {
    await endSessions(db, row.id, null);
    await revokeKeysOf(db, ownerOf(row), { beyond: [], by });
  }
  await auditUser(db, row, { event: isDisabled ? 'user_disabled' : 'user_enabled', by, details: {} });
  return findUser(db, login);
}

async function setPassword(
  db: Sql,
  userId: string,
  { hash, by, keep }: { readonly hash: string; readonly by: Actor; readonly keep: Buffer | null },
): Promise<void> {
  const [row] = await selectRows(db, eq(users.publicId, userId));
  if (row === undefined) throw new NotFound(`There is no user ${userId}.`);
  await db.update(users).set({ passwordHash: hash }).where(eq(users.id, row.id));
  await endSessions(db, row.id, keep);
  await auditUser(db, row, { event: 'password_set', by, details: {} });
}

async function findForSignIn(db: Sql, login: string) {
  const [found] = await db
    .select({ userId: users.publicId, hash: users.passwordHash })
    .from(users)
    .where(and(eq(users.login, login.toLowerCase()), isNull(users.disabledAt)));
  return found ?? null;
}

function ownerOf({ accountId, user }: UserRow) {
  return { accountId, userId: user.userId };
}

function auditUser(
  db: Sql,
  { accountId, user }: UserRow,
  { event, by, details }: { readonly event: string; readonly by: Actor; readonly details: object },
): Promise<void> {
  return writeAudit(db, {
    accountId,
    event,
    keyId: null,
    ...by,
    details: { user: user.userId, ...details },
  });
}
