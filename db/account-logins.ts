import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Actor } from '../src/core/access/key-store.ts';
import { Misconfigured, NotFound } from '../src/core/errors.ts';
import type { AccountLogin, AccountLogins } from '../src/core/queries/account-logins.ts';
import { withDatabase, type Sql } from './client.ts';
import { scramVerifier } from './scram.ts';
import { writeAudit } from './stores/audit-log.ts';

export interface LoginOptions {
  /** The application's connections. */
  readonly db: Sql;
  /** Whoever owns the schema: only the owner says who reads what. */
  readonly ownerUrl: string;
}

/** Logins in the role `nightshift_account`, and in `nightshift.account_logins` whose they are. */
export function createAccountLogins({ db, ownerUrl }: LoginOptions): AccountLogins {
  const toLogin = ({ role, created_at: createdAt }: LoginRow): AccountLogin => ({
    role,
    link: linkOf(ownerUrl, role),
    createdAt: new Date(createdAt),
  });
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
    remove: (accountId, by) => asOwner(ownerUrl, (owner) => removeLogin(owner, accountId, by)),
  };
}

interface LoginRow extends Record<string, unknown> {
  readonly role: string;
  readonly created_at: string;
}

async function findLogin(db: Sql, accountId: number): Promise<LoginRow | null> {
  const found = await db.execute<LoginRow>(
    sql`SELECT l.role_name AS role, l.created_at FROM nightshift.account_logins l JOIN pg_roles r ON r.rolname = l.role_name
      WHERE l.account_id = ${accountId}`,
  );
  return found.rows[0] ?? null;
}

interface NewLogin {
  readonly password: string;
  readonly by: Actor;
}

async function createLogin(db: Sql, accountId: number, { password, by }: NewLogin): Promise<LoginRow> {
  await lockLogins(db);
  const before = await findLogin(db, accountId);
  const role = before?.role ?? `nightshift_account_${randomBytes(6).toString('hex')}`;
  const verifier = sql.raw(pg.escapeLiteral(scramVerifier(password)));
  if (before === null)
    await db.execute(
      sql`CREATE ROLE ${sql.identifier(role)} LOGIN CONNECTION LIMIT 10 IN ROLE nightshift_account`,
    );
  // So that the owner may end its sessions, and remove what it made.
  await db.execute(sql`GRANT ${sql.identifier(role)} TO CURRENT_USER`);
  await db.execute(sql`ALTER ROLE ${sql.identifier(role)} PASSWORD ${verifier}`);
  // Comfort, not defence: a session may change its own settings.
  for (const setting of [
    'search_path = account_reports',
    'default_transaction_read_only = on',
    "statement_timeout = '5min'",
  ])
    await db.execute(sql`ALTER ROLE ${sql.identifier(role)} SET ${sql.raw(setting)}`);
  const stored = await db.execute<LoginRow>(
    sql`INSERT INTO nightshift.account_logins (account_id, role_name) VALUES (${accountId}, ${role})
      ON CONFLICT (account_id) DO UPDATE SET role_name = excluded.role_name, created_at = now()
      RETURNING role_name AS role, created_at`,
  );
  await writeAudit(db, { accountId, event: 'sql_login_created', keyId: null, ...by, details: { role } });
  const [row] = stored.rows;
  if (row === undefined) throw new Error('A login was stored and not answered.');
  return row;
}

async function removeLogin(db: Sql, accountId: number, by: Actor): Promise<void> {
  await lockLogins(db);
  const removed = await db.execute<{ role: string }>(
    sql`DELETE FROM nightshift.account_logins WHERE account_id = ${accountId} RETURNING role_name AS role`,
  );
  const [row] = removed.rows;
  if (row === undefined) throw new NotFound('The account has no login of its own.');
  await db.execute(sql`DROP ROLE IF EXISTS ${sql.identifier(row.role)}`);
  await writeAudit(db, { accountId, event: 'sql_login_removed', keyId: null, ...by, details: row });
}

/** One at a time: a role is no row that could be locked. */
async function lockLogins(db: Sql): Promise<void> {
  await db.execute(sql`LOCK TABLE nightshift.account_logins IN SHARE ROW EXCLUSIVE MODE`);
}

async function asOwner<T>(ownerUrl: string, work: (db: Sql) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'nightshift logins' });
  client.on('error', () => undefined);
  return withDatabase(async () => {
    await client.connect();
    try {
      return await drizzle(client).transaction(work);
    } catch (error) {
      throw explainMissingRight(error);
    } finally {
      await client.end();
    }
  });
}

function explainMissingRight(error: unknown): unknown {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof pg.DatabaseError && cause.code === '42501')) return error;
  return new Misconfigured(
    `The login of DATABASE_URL may not make or remove logins: ${cause.message}. It has to own the tables of Nightshift, and, as an ` +
      'administrator: `ALTER ROLE … CREATEROLE` and `GRANT nightshift_account TO … WITH ADMIN OPTION`.',
    { cause: error },
  );
}

/** The server and the database of an address, for another login. */
function linkOf(url: string, role: string, password = ''): string {
  const parsed = new URL(url);
  parsed.searchParams.delete('options');
  parsed.username = role;
  parsed.password = password;
  return parsed.href;
}
