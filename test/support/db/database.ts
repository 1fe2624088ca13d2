import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject, onTestFinished } from 'vitest';
import { openDatabase, type Database, type DatabaseOptions } from '../../../db/connection/client.ts';
import { cloneTemplate, inDatabase } from './test-postgres.ts';

/** A migrated database for one test. */
export interface TestDatabase {
  /** URL of a superuser. */
  readonly url: string;
  /** Pool with the application's role. */
  readonly app: Database;
  /** Pool with all rights, for damage and inspection by tests. */
  readonly owner: Database;
}

/** Clones the migrated template. The end of the test drops the clone. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return database;
}

/** A test's own database with the record of its file. */
export interface RecordedDatabase<Recorded> {
  readonly database: TestDatabase;
  readonly record: Recorded;
}

/**
 * Builds a record once for a file, when the first test needs it. Returns a function that opens a copy of the database for one test:
 * building a record takes ten times as long as copying it.
 */
export function useRecord<Recorded>(
  build: (database: TestDatabase) => Promise<Recorded>,
): () => Promise<RecordedDatabase<Recorded>> {
  let built: Promise<{ readonly name: string; readonly record: Recorded }> | undefined;
  afterAll(async () => {
    if (built !== undefined) await dropDatabase(openAdmin(inject('postgresUrl')), (await built).name);
  });
  return async () => {
    built ??= buildTemplate(build);
    const { name, record } = await built;
    const database = await createTestDatabase(name);
    onTestFinished(() => database.close());
    return { database, record };
  };
}

/** Builds a record and closes its connections, as a template requires. */
async function buildTemplate<Recorded>(build: (database: TestDatabase) => Promise<Recorded>) {
  const database = await createTestDatabase();
  const record = await build(database);
  await Promise.all([database.app.close(), database.owner.close()]);
  return { name: new URL(database.url).pathname.slice(1), record };
}

/**
 * `openTestDatabase` for hooks and shared databases: the caller closes it.
 *
 * @param template database to copy. Default: the migrated one.
 */
export async function createTestDatabase(
  template?: string,
): Promise<TestDatabase & { readonly close: () => Promise<void> }> {
  const server = inject('postgresUrl');
  const name = newDatabaseName();
  const admin = openAdmin(server);
  await cloneTemplate(admin, name, template);
  // A clone does not inherit the rights on a database.
  await admin.query(`GRANT CREATE, TEMPORARY ON DATABASE ${name} TO nightshift_app`);
  const url = inDatabase(server, name);
  const pools = openTestPools(url);
  // Each clone is a separate installation.
  await pools.owner.pool.query('UPDATE nightshift.installation SET id = gen_random_uuid()::text');
  const close = async () => {
    await pools.close();
    await dropDatabase(admin, name);
  };
  return { ...pools, close };
}

/**
 * Creates a database without the schema and returns the URL of a superuser. The end of the test drops it.
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

/** Connections that create and drop databases, kept for the whole process: opening one takes longer than its statements. */
let admin: pg.Pool | undefined;

function openAdmin(connectionString: string): pg.Pool {
  if (admin === undefined) {
    admin = new pg.Pool({ connectionString, max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true });
    // The server stops after the last test, while these connections are idle.
    admin.on('error', () => undefined);
  }
  return admin;
}

/** Opens the pools of a test on a migrated database. */
export function openTestPools(
  url: string,
  changes: Partial<DatabaseOptions> = {},
): TestDatabase & { readonly close: () => Promise<void> } {
  const app = openDatabase({ ...poolOptions(url), role: 'nightshift_app', ...changes });
  const owner = openDatabase({ ...poolOptions(url), role: null, ...changes });
  return { url, app, owner, close: async () => void (await Promise.all([app.close(), owner.close()])) };
}

/** Opens another pool with the application's role until the test ends. */
export function openTestPool(url: string, changes: Partial<DatabaseOptions> = {}): Database {
  const pool = openDatabase({ ...poolOptions(url), role: 'nightshift_app', ...changes });
  onTestFinished(() => pool.close());
  return pool;
}

/** URL of the login that reads any account of a database, bound to one account per statement. */
export function accountReaderOf(url: string): string {
  return inDatabase(inject('accountReaderUrl'), new URL(url).pathname.slice(1));
}

function poolOptions(url: string) {
  return { url, connectionsMax: 10, name: 'nightshift test', onIdleError: () => undefined };
}
