import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../../db/migrate.ts';
import { ensurePrivateServer, stopPrivateServer } from '../../../src/postgres-server/index.ts';

export interface TestServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface TestPostgres extends TestServer {
  /** Login that reads any account, bound to one per statement, as in NIGHTSHIFT_ACCOUNT_READER_URL. */
  readonly accountReaderUrl: string;
}

/** `NIGHTSHIFT_TEST_TEMPLATE`: a migrated database of the server, which several runs clone. */
const givenTemplate = process.env['NIGHTSHIFT_TEST_TEMPLATE'];
/** Database that tests clone: migrated, and without connections. */
const templateName = givenTemplate ?? 'nightshift_test_template';
export const schemaFolder = join(import.meta.dirname, '../../../db');

/** Settings of a server whose data does not have to survive a crash. */
const withoutDurability = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '512MB',
  // Tests open thousands of connections: 4096 iterations would take 3 ms of both sides.
  scram_iterations: '1',
  // Twice the processors run tests, each with pools and servers of its own.
  max_connections: '400',
};

/**
 * Opens the server of `NIGHTSHIFT_TEST_DATABASE_URL` (a superuser's login), otherwise a private one in a temporary folder.
 * Nightshift's own variables are never read: tests delete the data of their server.
 */
export async function openTestPostgres(): Promise<TestPostgres> {
  const server = await findServer();
  if (givenTemplate === undefined) await createTemplate(server.url, templateName);
  return { ...server, accountReaderUrl: await createAccountReader(server.url) };
}

/** Creates a migrated database, and replaces an earlier one of this name. */
export async function createTemplate(url: string, name: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
  });
  await migrate(inDatabase(url, name), schemaFolder);
}

async function createAccountReader(url: string): Promise<string> {
  const role = 'nightshift_test_account_reader';
  const password = randomBytes(12).toString('hex');
  await withClient(url, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    if (rowCount === 0) await client.query(`CREATE ROLE ${role} LOGIN IN ROLE nightshift_account`);
    await client.query(`ALTER ROLE ${role} PASSWORD '${password}'`);
    // Like the private server, with a lower limit, which tests reach sooner.
    await client.query(`ALTER ROLE ${role} SET temp_file_limit = '64MB'`);
  });
  return asLogin(url, role, password);
}

/** URL of the same server with another login. */
export function asLogin(url: string, role: string, password: string): string {
  return Object.assign(new URL(url), { username: role, password }).href;
}

async function findServer(): Promise<TestServer> {
  const given = process.env['NIGHTSHIFT_TEST_DATABASE_URL'];
  if (given !== undefined) return { url: given, close: () => Promise.resolve() };
  const home = await mkdtemp(join(tmpdir(), 'nightshift-test-'));
  // The server of root runs as another user, who could not enter the folder if it were closed.
  await chmod(home, 0o755);
  const server = await ensurePrivateServer({ home, settings: withoutDurability });
  await hashAgain(server.url('postgres'));
  return {
    url: server.url('postgres'),
    close: async () => {
      await stopPrivateServer({ home, force: true });
      await rm(home, { recursive: true, force: true });
      if (!server.dataFolder.startsWith(home)) {
        await rm(join(server.dataFolder, '..'), { recursive: true, force: true });
      }
    },
  };
}

/** Stores the password of a login again, with the `scram_iterations` of the server. */
async function hashAgain(url: string): Promise<void> {
  const { username, password } = new URL(url);
  await withClient(url, (client) =>
    client.query(
      `ALTER ROLE ${client.escapeIdentifier(username)} PASSWORD ${client.escapeLiteral(password)}`,
    ),
  );
}

/** URL of the same login in another database. */
export function inDatabase(url: string, database: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${database}`;
  return parsed.href;
}

/** URL of the same login in the migrated template. Close its connections before cloning the template. */
export function inTemplate(url: string): string {
  return inDatabase(url, templateName);
}

/** Clones a template by copying its files (`FILE_COPY`): writing it through the WAL would take 50% longer. */
export async function cloneTemplate(
  client: pg.Client | pg.Pool,
  name: string,
  template = templateName,
): Promise<void> {
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
}

/** Runs `work` on a separate connection. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
