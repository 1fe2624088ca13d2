import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Actor } from '../../src/core/accounts/key-store.ts';
import { Misconfigured, NotFound } from '../../src/core/errors.ts';
import { changePostgresUrl } from '../../src/core/postgres-url.ts';
import type { AccountLogin, AccountLogins } from '../../src/core/sql/account-logins.ts';
import { accountSessionLimits } from '../queries/account-session.ts';
import { withDatabase, type Sql } from '../connection/client.ts';
import { withConnection } from '../connection/postgres-client.ts';
import { accountLogins } from '../schema/accounts.ts';
import { scramVerifier } from './scram.ts';
import { writeAudit } from '../stores/accounts/audit-log.ts';

export interface LoginOptions {
  /** The application's connections. */
  readonly db: Sql;
  /** Connection string of the schema's owner: only the owner can grant privileges. */
  readonly ownerUrl: string;
}

/** Logins in the role `nightshift_account`, assigned to accounts in `nightshift.account_logins`. */
export function createAccountLogins({ db, ownerUrl }: LoginOptions): AccountLogins {
  const toLogin = (login: StoredLogin): AccountLogin => ({ ...login, link: linkOf(ownerUrl, login.role) });
  return {
    find: async (accountId) => {
      const found = await withDatabase(() => findLogin(db, accountId));
      return found === null ? null : toLogin(found);
    },
    create: async (accountId, by) => {
      const password = randomBytes(24).toString('hex');
      const row = await asOwner(ownerUrl, (owner) => createLogin(owner, accountId, { password, by }));
      return { ...toLogin(row), url: linkOf(ownerUrl, row.role, password) };
    },
    remove: async (accountId, by) => {
      const role = await asOwner(ownerUrl, (owner) => lockOut(owner, accountId, by));
      await withOwner(ownerUrl, (client) => removeRole(client, role));
    },
  };
}

/** A login of an account. */
interface StoredLogin {
  readonly role: string;
  readonly createdAt: Date;
}

const columns = { role: accountLogins.roleName, createdAt: accountLogins.createdAt };

/** The login, unless its role was dropped. */
async function findLogin(db: Sql, accountId: number): Promise<StoredLogin | null> {
  const roleIsThere = sql`EXISTS (SELECT FROM pg_roles WHERE rolname = ${accountLogins.roleName})`;
  const [found] = await db
    .select(columns)
    .from(accountLogins)
    .where(and(eq(accountLogins.accountId, accountId), roleIsThere));
  return found ?? null;
}

interface NewLogin {
  readonly password: string;
  readonly by: Actor;
}

async function createLogin(db: Sql, accountId: number, { password, by }: NewLogin): Promise<StoredLogin> {
  await lockLogins(db);
  const before = await findLogin(db, accountId);
  const role = before?.role ?? `nightshift_account_${randomBytes(6).toString('hex')}`;
  const verifier = sql.raw(pg.escapeLiteral(scramVerifier(password)));
  if (before === null)
    await db.execute(sql`CREATE ROLE ${sql.identifier(role)} LOGIN IN ROLE nightshift_account`);
  // Allows the owner to end its sessions and remove its objects.
  await db.execute(sql`GRANT ${sql.identifier(role)} TO CURRENT_USER`);
  await db.execute(
    sql`ALTER ROLE ${sql.identifier(role)} CONNECTION LIMIT ${sql.raw(String(connectionsMax))} PASSWORD ${verifier}`,
  );
  // Convenience, not protection: a session may change its own settings. Housekeeping ends sessions that stay longer.
  for (const setting of [
    'search_path = account_reports',
    'default_transaction_read_only = on',
    `statement_timeout = ${accountSessionLimits.statementMs}`,
    `idle_in_transaction_session_timeout = ${accountSessionLimits.idleMs}`,
    'max_parallel_workers_per_gather = 0',
  ])
    await db.execute(sql`ALTER ROLE ${sql.identifier(role)} SET ${sql.raw(setting)}`);
  await limitFiles(db, role);
  const [stored] = await db
    .insert(accountLogins)
    .values({ accountId, roleName: role })
    .onConflictDoUpdate({
      target: accountLogins.accountId,
      set: { roleName: role, createdAt: sql`now()` },
    })
    .returning(columns);
  await writeAudit(db, { accountId, event: 'sql_login_created', keyId: null, ...by, details: { role } });
  if (stored === undefined) throw new Error('A login was stored and not answered.');
  return stored;
}

/** Maximum number of sessions per login. Our choice: a program's pool, and a person beside it. */
const connectionsMax = 5;

/** A limit that sessions cannot change. Only a superuser, or the owner on the private server, may set it. */
async function limitFiles(db: Sql, role: string): Promise<void> {
  const { rows } = await db.execute<{ may: boolean }>(
    sql`SELECT has_parameter_privilege('temp_file_limit', 'SET') AS may`,
  );
  if (rows[0]?.may !== true) return;
  await db.execute(sql`ALTER ROLE ${sql.identifier(role)} SET temp_file_limit = '1GB'`);
}

/**
 * Revokes the privileges of the login before anything of it is removed, so that it is locked out even if the removal fails.
 * Returns its role.
 */
async function lockOut(db: Sql, accountId: number, by: Actor): Promise<string> {
  await lockLogins(db);
  const [row] = await db
    .delete(accountLogins)
    .where(eq(accountLogins.accountId, accountId))
    .returning({ role: accountLogins.roleName });
  if (row === undefined) throw new NotFound('The account has no login of its own.');
  const isThere = await db.execute(sql`SELECT FROM pg_roles WHERE rolname = ${row.role}`);
  if (isThere.rows.length > 0) {
    const role = sql.identifier(row.role);
    await db.execute(sql`ALTER ROLE ${role} NOLOGIN PASSWORD NULL`);
    await db.execute(sql`REVOKE nightshift_account FROM ${role}`);
    // For a login that was created before the owner was a member.
    await db.execute(sql`GRANT ${role} TO CURRENT_USER`);
  }
  await writeAudit(db, { accountId, event: 'sql_login_removed', keyId: null, ...by, details: row });
  return row.role;
}

/**
 * Ends the sessions of a role and removes it with everything that it created or changed in this database: default privileges,
 * prepared transactions and objects. Objects in other databases of the server keep its name, without a login.
 */
async function removeRole(client: pg.Client, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const isThere = async () =>
    (await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role])).rowCount === 1;
  if (!(await isThere())) return;
  await endSessions(client, role);
  const prepared = await client.query<{ gid: string }>(
    'SELECT gid FROM pg_prepared_xacts WHERE owner = $1 AND database = current_database()',
    [role],
  );
  for (const { gid } of prepared.rows) {
    await client.query(`SET ROLE ${name}`);
    await client.query(`ROLLBACK PREPARED ${pg.escapeLiteral(gid)}`);
    await client.query('RESET ROLE');
  }
  await client.query(`DROP OWNED BY ${name}`);
  await client.query(`DROP ROLE ${name}`).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError && error.code === dependentObjects)) throw error;
  });
}

const dependentObjects = '2BP01';

/** A session that does not end can read nothing any more, so the wait is short. */
async function endSessions(client: pg.Client, role: string): Promise<void> {
  const deadline = performance.now() + sessionsMsMax;
  for (;;) {
    const { rowCount } = await client.query(
      `SELECT pg_terminate_backend(a.pid) FROM pg_stat_get_activity(NULL) a
        WHERE a.usesysid = (SELECT oid FROM pg_roles WHERE rolname = $1)`,
      [role],
    );
    if (rowCount === 0 || performance.now() > deadline) return;
    await delay(50);
  }
}

const sessionsMsMax = 5000;

/** Serializes changes, because a role is not a row that could be locked. */
async function lockLogins(db: Sql): Promise<void> {
  await db.execute(sql`LOCK TABLE nightshift.account_logins IN SHARE ROW EXCLUSIVE MODE`);
}

function asOwner<T>(ownerUrl: string, work: (db: Sql) => Promise<T>): Promise<T> {
  return withOwner(ownerUrl, (client) => drizzle(client).transaction(work));
}

function withOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const owner = { connectionString: ownerUrl, application_name: 'nightshift logins' };
  return withDatabase(() =>
    withConnection(owner, async (client) => {
      try {
        return await work(client);
      } catch (error) {
        throw explainMissingRight(error);
      }
    }),
  );
}

function explainMissingRight(error: unknown): unknown {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof pg.DatabaseError && cause.code === '42501')) return error;
  return new Misconfigured(
    `This login may not create or remove logins: ${cause.message}. It must own the tables of Nightshift (NIGHTSHIFT_OWNER_URL), and, as an ` +
      'administrator: `ALTER ROLE … CREATEROLE` and `GRANT nightshift_account TO … WITH ADMIN OPTION`.',
    { cause: error },
  );
}

/** Server and database of a connection string, for another login. */
function linkOf(url: string, role: string, password = ''): string {
  return changePostgresUrl(url, (parsed) => {
    parsed.searchParams.delete('options');
    parsed.username = role;
    parsed.password = password;
  });
}
