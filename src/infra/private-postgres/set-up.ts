import type pg from 'pg';
import { roles, type Passwords } from './passwords.ts';

/** Comment on the database that says its set-up came to its end. Change it when the set-up changes: it runs again then. */
const setUpMark = 'Nightshift: set up, version 1';

/** Any number, the same in every process: two of them must not create the same role. */
const setUpLock = 6_412_407_530;

/**
 * Makes roles and database as DESIGN §4 asks: `nightshift_owner` may create roles, owns the database `nightshift` and may
 * grant the other two roles. Does nothing when that is done, and goes on where an earlier process was cut off.
 *
 * @param client a superuser's connection, to be closed afterwards: with it ends the lock that keeps others waiting.
 */
export async function setUpServer(client: pg.Client, passwords: Passwords): Promise<void> {
  if (await isSetUp(client)) return;
  await client.query('SELECT pg_advisory_lock($1)', [setUpLock]);
  if (await isSetUp(client)) return;
  await createRoles(client, passwords);
  await createDatabase(client);
  // The mark comes last: what is missing without it is made at the next start.
  await client.query(`COMMENT ON DATABASE nightshift IS '${setUpMark}'`);
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
  await client.query('GRANT nightshift_app, nightshift_reader TO nightshift_owner WITH ADMIN OPTION');
  await client.query('COMMIT');
}

/** CREATE DATABASE runs in no transaction, so its existence is asked for first. */
async function createDatabase(client: pg.Client): Promise<void> {
  const exists = await client.query("SELECT 1 FROM pg_database WHERE datname = 'nightshift'");
  if (exists.rowCount === 0) {
    await client.query('CREATE DATABASE nightshift OWNER nightshift_owner TEMPLATE template0');
  }
  await client.query('REVOKE CREATE, TEMPORARY ON DATABASE nightshift FROM PUBLIC');
}
