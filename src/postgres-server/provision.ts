import type pg from 'pg';
import { limitAccountReader } from '../../db/logins/service-logins.ts';
import { revokeFunctions } from '../../db/logins/revoke-functions.ts';
import { withSuperuser, type ServerAddress } from './connection.ts';
import { roles, type Passwords } from './passwords.ts';
import { noArchiveCommand } from './wal-spool.ts';

/** Comment on the database after a complete set-up. Change it with the set-up, so that the set-up runs again. */
const setUpMark = 'Nightshift: set up, version 5';

/** Advisory lock of the set-up, so that two processes do not create the same role. */
const setUpLock = 6_412_407_530;

/**
 * Creates the roles and the database of docs/architecture/data-model.md: `nightshift_owner` can create roles, owns the database
 * `nightshift` and can grant the other roles. Does nothing after a complete set-up. Completes an interrupted set-up, and one of
 * an earlier version.
 */
export function provision(address: Omit<ServerAddress, 'database'>, passwords: Passwords): Promise<void> {
  // The lock ends with this connection.
  return withSuperuser(address, async (client) => {
    if (await isSetUp(client)) return;
    await client.query('SELECT pg_advisory_lock($1)', [setUpLock]);
    if (await isSetUp(client)) return;
    await setUp(client, address, passwords);
  });
}

async function setUp(client: pg.Client, address: ServerAddress, passwords: Passwords): Promise<void> {
  await keepNoWal(client);
  await createRoles(client, passwords);
  await createDatabase(client);
  await withSuperuser({ ...address, database: 'nightshift' }, revokeFunctions);
  // The mark comes last: without it, the next start completes the set-up.
  await client.query(`COMMENT ON DATABASE nightshift IS '${setUpMark}'`);
}

/** Without a command, Postgres would keep all WAL until there is one. */
async function keepNoWal(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ command: string }>(
    "SELECT current_setting('archive_command') AS command",
  );
  if (rows[0]?.command !== '' && rows[0]?.command !== '(disabled)') return;
  await client.query(`ALTER SYSTEM SET archive_command = ${client.escapeLiteral(noArchiveCommand)}`);
  await client.query('SELECT pg_reload_conf()');
}

async function isSetUp(client: pg.Client): Promise<boolean> {
  const result = await client.query(
    `SELECT 1 FROM pg_database
     WHERE datname = 'nightshift' AND shobj_description(oid, 'pg_database') = $1`,
    [setUpMark],
  );
  return result.rowCount === 1;
}

async function createRoles(client: pg.Client, passwords: Passwords): Promise<void> {
  await client.query('BEGIN');
  for (const role of roles) {
    if (role === 'postgres') continue;
    const exists = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
    if (exists.rowCount === 0) await client.query(`CREATE ROLE ${role}`);
    await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(passwords[role])}`);
  }
  await client.query('ALTER ROLE nightshift_owner CREATEROLE');
  await createAccountGroup(client);
  await client.query(
    'GRANT nightshift_app, nightshift_reader, nightshift_account TO nightshift_owner WITH ADMIN OPTION',
  );
  await client.query('COMMIT');
}

/**
 * Creates the group of logins that read one account, and the login that reads any account per statement
 * (`db/queries/account-reader.ts`).
 */
async function createAccountGroup(client: pg.Client): Promise<void> {
  const exists = await client.query("SELECT 1 FROM pg_roles WHERE rolname = 'nightshift_account'");
  if (exists.rowCount === 0) await client.query('CREATE ROLE nightshift_account NOLOGIN');
  await client.query('GRANT nightshift_account TO nightshift_account_reader');
  await client.query('GRANT nightshift_account_reader TO nightshift_owner');
  await limitAccountReader(client, 'nightshift_account_reader');
  // The owner grants the same to the logins of accounts.
  await client.query('GRANT SET ON PARAMETER temp_file_limit TO nightshift_owner');
}

/** Creates the database unless it exists: CREATE DATABASE cannot run in a transaction. */
async function createDatabase(client: pg.Client): Promise<void> {
  const exists = await client.query("SELECT 1 FROM pg_database WHERE datname = 'nightshift'");
  if (exists.rowCount === 0) {
    await client.query('CREATE DATABASE nightshift OWNER nightshift_owner TEMPLATE template0');
  }
  await client.query('REVOKE CREATE, TEMPORARY ON DATABASE nightshift FROM PUBLIC');
  // Only the superuser needs these databases.
  await client.query('REVOKE CONNECT, TEMPORARY ON DATABASE postgres, template1 FROM PUBLIC');
}
