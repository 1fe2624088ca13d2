import { sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Actor } from '../../../src/core/accounts/key-store.ts';
import { permissionsOf, type Role } from '../../../src/core/accounts/roles.ts';
import type { NewUser, User, UserStore } from '../../../src/core/accounts/user-store.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import { newId } from '../../../src/core/ids.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { revokeKeysOf } from './api-keys.ts';
import { writeAudit } from './audit-log.ts';
import { endSessions } from './sessions.ts';

/** Users in `nightshift.users`, by their logins. */
export function createUserStore(db: NodePgDatabase): UserStore {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  return {
    add: (user, by) => inTransaction((transaction) => addUser(transaction, user, by)),
    list: () => withDatabase(() => selectUsers(db, sql`true`)),
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

interface UserRow extends Record<string, unknown> {
  readonly id: string;
  readonly account_id: string;
  readonly public_id: string;
  readonly login: string;
  readonly account: string;
  readonly role: Role;
  readonly has_password: boolean;
  readonly created_at: string;
  readonly disabled_at: string | null;
  readonly last_sign_in_at: string | null;
}

function selectRows(db: Sql, which: SQL) {
  return db.execute<UserRow>(
    sql`SELECT u.id, u.account_id, u.public_id, u.login, a.name AS account, u.role, u.password_hash IS NOT NULL AS has_password,
        u.created_at, u.disabled_at, u.last_sign_in_at
      FROM nightshift.users u JOIN nightshift.accounts a ON a.id = u.account_id WHERE ${which} ORDER BY u.login`,
  );
}

async function selectUsers(db: Sql, which: SQL): Promise<readonly User[]> {
  return (await selectRows(db, which)).rows.map(toUser);
}

async function findRow(db: Sql, login: string): Promise<UserRow> {
  const [row] = (await selectRows(db, sql`u.login = ${login.toLowerCase()}`)).rows;
  if (row === undefined) throw new NotFound(`There is no user ${login}.`);
  return row;
}

async function findUser(db: Sql, login: string): Promise<User> {
  return toUser(await findRow(db, login));
}

async function countUsers(db: Sql): Promise<number> {
  const counted = await db.execute<{ n: number }>(
    sql`SELECT count(*)::integer AS n FROM nightshift.users WHERE disabled_at IS NULL`,
  );
  return counted.rows[0]?.n ?? 0;
}

async function addUser(db: Sql, { login, accountId, role }: NewUser, by: Actor): Promise<User> {
  const userId = newId('usr', Date.now());
  const added = await db.execute(
    sql`INSERT INTO nightshift.users (public_id, account_id, login, role)
      VALUES (${userId}, ${accountId}, ${login.toLowerCase()}, ${role}) ON CONFLICT (login) DO NOTHING RETURNING id`,
  );
  if (added.rows.length === 0) throw new Conflict(`There is a user ${login} already.`);
  const details = { user: userId, role };
  await writeAudit(db, { accountId, event: 'user_added', keyId: null, ...by, details });
  return findUser(db, login);
}

async function setRole(
  db: Sql,
  login: string,
  { role, by }: { readonly role: Role; readonly by: Actor },
): Promise<User> {
  const row = await findRow(db, login);
  await db.execute(sql`UPDATE nightshift.users SET role = ${role} WHERE id = ${row.id}`);
  await revokeKeysOf(db, ownerOf(row), { beyond: permissionsOf[role], by });
  await auditUser(db, row, { event: 'user_role_changed', by, details: { from: row.role, to: role } });
  return findUser(db, login);
}

async function setDisabled(
  db: Sql,
  login: string,
  { isDisabled, by }: { readonly isDisabled: boolean; readonly by: Actor },
): Promise<User> {
  const row = await findRow(db, login);
  if ((row.disabled_at !== null) === isDisabled) return toUser(row);
  await db.execute(
    sql`UPDATE nightshift.users SET disabled_at = ${isDisabled ? sql`now()` : null} WHERE id = ${row.id}`,
  );
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
  const [row] = (await selectRows(db, sql`u.public_id = ${userId}`)).rows;
  if (row === undefined) throw new NotFound(`There is no user ${userId}.`);
  await db.execute(sql`UPDATE nightshift.users SET password_hash = ${hash} WHERE id = ${row.id}`);
  await endSessions(db, row.id, keep);
  await auditUser(db, row, { event: 'password_set', by, details: {} });
}

async function findForSignIn(db: Sql, login: string) {
  const found = await db.execute<{ public_id: string; password_hash: string | null }>(
    sql`SELECT public_id, password_hash FROM nightshift.users WHERE login = ${login.toLowerCase()} AND disabled_at IS NULL`,
  );
  const [row] = found.rows;
  return row === undefined ? null : { userId: row.public_id, hash: row.password_hash };
}

function ownerOf(row: UserRow) {
  return { accountId: Number(row.account_id), userId: row.public_id };
}

function auditUser(
  db: Sql,
  row: UserRow,
  { event, by, details }: { readonly event: string; readonly by: Actor; readonly details: object },
): Promise<void> {
  return writeAudit(db, {
    accountId: Number(row.account_id),
    event,
    keyId: null,
    ...by,
    details: { user: row.public_id, ...details },
  });
}

function toUser(row: UserRow): User {
  return {
    userId: row.public_id,
    login: row.login,
    account: row.account,
    role: row.role,
    hasPassword: row.has_password,
    createdAt: new Date(row.created_at),
    disabledAt: row.disabled_at === null ? null : new Date(row.disabled_at),
    lastSignInAt: row.last_sign_in_at === null ? null : new Date(row.last_sign_in_at),
  };
}
