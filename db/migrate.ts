import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { searchWordsVersion } from '../src/core/companies/match/search-words.ts';
import { Misconfigured } from '../src/core/errors.ts';
import { migrationConflict } from '../src/core/work/retry-policies.ts';
import { advisoryLocks } from './locks/advisory-locks.ts';
import { withDatabase } from './connection/client.ts';
import { assertOwnSession } from './connection/pooled-session.ts';
import { createClient } from './connection/postgres-client.ts';
import { withLogin } from './connection/login-errors.ts';
import { fillWords } from './stores/ads/advertiser-words.ts';
import { waitForLock, type OnWait } from './locks/wait-for-lock.ts';
import { applySchema, journalTable, type PendingMigration } from './apply-schema.ts';
import { compareDefinitions, readDefinitions, type Definitions } from './definitions.ts';
import { revokeFunctions } from './logins/revoke-functions.ts';

/** A migration file, which must be in the database's journal, in this order. */
interface MigrationFile extends PendingMigration {
  readonly name: string;
}

export interface MigrationReport {
  /** Names of the migrations that this call applied, in order. */
  readonly applied: readonly string[];
  /** Total number of migrations. */
  readonly total: number;
  /** True when this call redefined functions, triggers and views. */
  readonly redefined: boolean;
}

/** A folder such as `db`: migrations in `migrations`; functions, triggers and views in `sql`. */
interface SchemaFiles {
  readonly migrations: readonly MigrationFile[];
  readonly definitions: Definitions;
}

/**
 * Migrates the schema to the newest version. If several processes call it at once, one migrates and the others wait.
 *
 * Safe while workers of this release and of the one before run: they wait, and go on with the new schema (`applySchema`). With a superuser's
 * login it also revokes functions from PUBLIC (`revokeFunctions`), as the private server does.
 *
 * Data that SQL cannot convert is converted last (`fillWords`): what was interrupted there is continued by the next call.
 *
 * @param onWait called with the reason before the call waits for another process.
 * @param onProgress called with what is done of a conversion that may take long.
 * @throws Misconfigured when the server rejects the login, when a pooler answers, when the database holds migrations that these files lack, and
 * when a privilege is missing.
 */
export async function migrate(
  url: string,
  folder: string,
  onWait?: OnWait,
  onProgress?: (text: string) => void,
): Promise<MigrationReport> {
  const { migrations, definitions } = await readSchemaFiles(folder);
  return withDatabase(async () => {
    const client = await withLogin('DATABASE_URL', () => connect(url));
    try {
      // A pooler would keep the lock for its next client.
      await assertOwnSession(client, 'NIGHTSHIFT_DIRECT_URL, or NIGHTSHIFT_OWNER_URL if you use it');
      await waitForLock(drizzle(client), [advisoryLocks.migration], {
        lasts: 'session',
        reason: 'another process is migrating the database',
        onWait,
      });
      const before = await readJournal(client);
      rejectForeignHistory(before, migrations);
      const pending = migrations.slice(before.length);
      const outdated = before.length > 0 && (await isOutdated(client, definitions));
      const redefined = outdated || pending.length > 0;
      if (redefined)
        await retryCatalogConflicts(() => applySchema(client, { migrations: pending, definitions }, onWait));
      rejectForeignHistory(await readJournal(client), migrations, migrations.length);
      if (await hasStaleWords(client)) await fillWords(drizzle(client), onProgress);
      if (await isSuperuser(client)) await revokeFunctions(client);
      const applied = pending.map(({ name }) => name);
      return { applied, total: migrations.length, redefined };
    } catch (error) {
      throw explainMissingRights(error);
    } finally {
      await client.end();
    }
  });
}

async function connect(url: string): Promise<pg.Client> {
  const client = createClient({ connectionString: url, application_name: 'nightshift migrate' });
  await client.connect();
  return client;
}

/**
 * Repeats a transaction that conflicted with another one about a role. Roles belong to the server, but the lock to one database
 * of it: if another database is migrated at the same time, one of the two fails on a role that the other is changing.
 */
async function retryCatalogConflicts(work: () => Promise<void>, attempt = 1): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (attempt === migrationConflict.triesMax || !isCatalogConflict(error)) throw error;
    await retryCatalogConflicts(work, attempt + 1);
  }
}

/** Two sessions wrote one row of a system catalog, which has no row locks; Postgres has no error code for a conflicting update. */
function isCatalogConflict(error: unknown): boolean {
  const cause = causeOf(error);
  if (!(cause instanceof pg.DatabaseError)) return false;
  return (
    /^tuple concurrently (updated|deleted)$/.test(cause.message) ||
    (cause.code === '23505' && cause.schema === 'pg_catalog')
  );
}

async function isSuperuser(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>("SELECT current_setting('is_superuser') = 'on' AS is");
  return rows[0]?.is === true;
}

/** True if a snapshot was loaded by an earlier version, and its search words were not stored since. False before the migration that adds them. */
async function hasStaleWords(client: pg.Client | pg.Pool): Promise<boolean> {
  const table = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('nightshift.advertiser_words') IS NOT NULL AS exists",
  );
  if (table.rows[0]?.exists !== true) return false;
  const stale = await client.query<{ exists: boolean }>(
    'SELECT EXISTS (SELECT FROM nightshift.snapshots WHERE words_version < $1) AS exists',
    [searchWordsVersion],
  );
  return stale.rows[0]?.exists === true;
}

/** Counts missing migrations; outdated definitions and data to convert count as one. 0 means up to date. */
export async function countPendingMigrations(pool: pg.Pool, folder: string): Promise<number> {
  const { migrations, definitions } = await readSchemaFiles(folder);
  return withDatabase(async () => {
    const applied = await withLogin('DATABASE_URL', () => readJournal(pool));
    rejectForeignHistory(applied, migrations);
    const pending = migrations.length - applied.length;
    if (pending !== 0) return pending;
    return (await isOutdated(pool, definitions)) || (await hasStaleWords(pool)) ? 1 : 0;
  });
}

async function readSchemaFiles(folder: string): Promise<SchemaFiles> {
  const [migrations, definitions] = await Promise.all([
    readMigrationFiles(join(folder, 'migrations')),
    readDefinitions(join(folder, 'sql')),
  ]);
  return { migrations, definitions };
}

async function readMigrationFiles(folder: string): Promise<readonly MigrationFile[]> {
  const journal = parseJournal(await readFile(join(folder, 'meta', '_journal.json'), 'utf8'));
  return Promise.all(
    journal.map(async ({ tag, when }) => {
      const content = await readFile(join(folder, `${tag}.sql`), 'utf8');
      const hash = createHash('sha256').update(content).digest('hex');
      return { name: tag, createdAtMs: when, hash, statements: content.split('--> statement-breakpoint') };
    }),
  );
}

function parseJournal(text: string): readonly { tag: string; when: number }[] {
  const journal = JSON.parse(text) as { entries: { tag: string; when: number }[] };
  const outOfOrder = journal.entries.find((entry, i) => entry.when <= (journal.entries[i - 1]?.when ?? 0));
  if (outOfOrder !== undefined) {
    throw new Misconfigured(
      `Migration ${outOfOrder.tag} is dated before the one ahead of it and would be skipped.`,
    );
  }
  return journal.entries;
}

async function readJournal(client: pg.Client | pg.Pool): Promise<readonly string[]> {
  // While another process migrates for the first time, the schema exists and this role may not use it yet.
  const table = await client.query<{ readable: boolean | null }>(
    `SELECT CASE WHEN has_schema_privilege(to_regnamespace('nightshift'), 'USAGE')
      THEN has_table_privilege(to_regclass('${journalTable}'), 'SELECT') END AS readable`,
  );
  if (table.rows[0]?.readable !== true) return [];
  const rows = await client.query<{ hash: string }>(
    `SELECT hash FROM ${journalTable} ORDER BY created_at, id`,
  );
  return rows.rows.map((row) => row.hash);
}

function rejectForeignHistory(
  applied: readonly string[],
  files: readonly MigrationFile[],
  expected?: number,
): void {
  const foreign = applied.findIndex((hash, i) => hash !== files[i]?.hash);
  if (foreign === -1 && (expected === undefined || applied.length === expected)) return;
  throw new Misconfigured(
    `The database's schema was made by another version of Nightshift (migration ${Math.max(foreign, 0) + 1} of ` +
      `${applied.length} differs from ${files[Math.max(foreign, 0)]?.name ?? 'anything known here'}). ` +
      'Run the version that made it, or a newer one.',
  );
}

/** @throws Misconfigured when a later version replaced these definitions. */
async function isOutdated(client: pg.Client | pg.Pool, definitions: Definitions): Promise<boolean> {
  const state = await compareDefinitions(client, definitions);
  if (state !== 'newer') return state === 'outdated';
  throw new Misconfigured(
    "A newer version of Nightshift defined the database's functions and views. Run that version, or a newer one.",
  );
}

function explainMissingRights(error: unknown): unknown {
  const cause = causeOf(error);
  if (!(cause instanceof Error && 'code' in cause && typeof cause.code === 'string')) return error;
  if (!/^(42501|25006)$/.test(cause.code)) return error;
  return new Misconfigured(
    `The login of DATABASE_URL lacks a right that the migrations need: ${cause.message}. Migrate as the database's owner ` +
      'with CREATEROLE, or let an administrator create the roles nightshift_app, nightshift_reader and nightshift_account first and grant them to it.',
    { cause: error },
  );
}

/** Error of the driver, which Drizzle wraps. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
