import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { openDatabase, type Database, type DatabaseOptions } from '../../../db/connection/client.ts';
import { cloneTemplate, inDatabase } from './test-postgres.ts';

/** A migrated database of one test's own. */
export interface TestDatabase {
  /** A superuser's address. */
  readonly url: string;
  /** A pool in the application's role. */
  readonly app: Database;
  /** A pool with all rights, for what a test breaks or looks at. */
  readonly owner: Database;
}

/** Clones the migrated template; the clone goes when the test ends. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return database;
}

/** The same for hooks, if several tests share it: the caller closes it. */
export async function createTestDatabase(): Promise<TestDatabase & { readonly close: () => Promise<void> }> {
  const server = inject('postgresUrl');
  const name = newDatabaseName();
  const admin = openAdmin(server);
  await cloneTemplate(admin, name);
  // Rights on a database are not cloned with it.
  await admin.query(`GRANT CREATE, TEMPORARY ON DATABASE ${name} TO nightshift_app`);
  const url = inDatabase(server, name);
  const pools = openTestPools(url);
  // Each is an installation of its own.
  await pools.owner.pool.query('UPDATE nightshift.installation SET id = gen_random_uuid()::text');
  const close = async () => {
    await pools.close();
    await dropDatabase(admin, name);
  };
  return { ...pools, close };
}

/**
 * Creates a database without our schema and returns its address, as a superuser; it goes when the test ends.
 *
 * @param options of `CREATE DATABASE`.
 */
export async function createEmptyDatabase(options = ''): Promise<string> {
  const server = inject('postgresUrl');
  const name = newDatabaseName();
  const admin = openAdmin(server);
  await admin.query(`CREATE DATABASE ${name} ${options}`);
  onTestFinished(() => dropDatabase(admin, name));
  return inDatabase(server, name);
}

function newDatabaseName(): string {
  return `test_${randomBytes(8).toString('hex')}`;
}

async function dropDatabase(admin: pg.Pool, name: string): Promise<void> {
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
}

/** Connections that create and drop databases: kept for the process, because a new one takes longer than its work. */
let admin: pg.Pool | undefined;

function openAdmin(connectionString: string): pg.Pool {
  if (admin === undefined) {
    admin = new pg.Pool({ connectionString, max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true });
    // The server ends after the last test, while they are idle.
    admin.on('error', () => undefined);
  }
  return admin;
}

/** The pools of a test over a migrated database. */
export function openTestPools(
  url: string,
  changes: Partial<DatabaseOptions> = {},
): TestDatabase & { readonly close: () => Promise<void> } {
  const app = openDatabase({ ...poolOptions(url), role: 'nightshift_app', ...changes });
  const owner = openDatabase({ ...poolOptions(url), role: null, ...changes });
  return { url, app, owner, close: async () => void (await Promise.all([app.close(), owner.close()])) };
}

/** One more pool in the application's role, until the test ends. */
export function openTestPool(url: string, changes: Partial<DatabaseOptions> = {}): Database {
  const pool = openDatabase({ ...poolOptions(url), role: 'nightshift_app', ...changes });
  onTestFinished(() => pool.close());
  return pool;
}

/** The address of the login that reads any account of a database, bound to one for each statement. */
export function accountReaderOf(url: string): string {
  return inDatabase(inject('accountReaderUrl'), new URL(url).pathname.slice(1));
}

function poolOptions(url: string) {
  return { url, connectionsMax: 10, name: 'nightshift test', onIdleError: () => undefined };
}
