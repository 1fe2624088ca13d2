import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { Conflict } from '../src/core/errors.ts';
import { schemaLock } from '../src/core/work/postgres-retries.ts';
import { defineAll, type Definitions } from './definitions.ts';
import { errorCode } from './connection/error-code.ts';
import type { OnWait } from './locks/wait-for-lock.ts';

/** A migration that a database lacks. */
export interface PendingMigration {
  readonly createdAtMs: number;
  readonly hash: string;
  readonly statements: readonly string[];
}

/** Changes of a schema. */
export interface SchemaChanges {
  readonly migrations: readonly PendingMigration[];
  /** Null: they are up to date. */
  readonly definitions: Definitions | null;
}

/** Journal of the migrations, as Drizzle's migrator keeps it. */
export const journalTable = 'nightshift.migrations';

/**
 * Changes a schema in one transaction, which other processes see as a whole: between a migration that drops a function and the definition of
 * its new form, a worker of the release before would find none.
 *
 * @throws Conflict when tables stay in use.
 */
export async function applySchema(client: pg.Client, changes: SchemaChanges, onWait?: OnWait): Promise<void> {
  await createJournal(client);
  await beginWithTables(client, onWait);
  try {
    for (const { statements, hash, createdAtMs } of changes.migrations) {
      for (const statement of statements) await client.query(statement);
      await client.query(`INSERT INTO ${journalTable} (hash, created_at) VALUES ($1, $2)`, [
        hash,
        createdAtMs,
      ]);
    }
    // A table whose rows a migration has changed could not be altered otherwise.
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    if (changes.definitions !== null) await defineAll(client, changes.definitions);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function createJournal(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    journalTable,
  ]);
  if (rows[0]?.exists === true) return;
  await client.query(
    `CREATE SCHEMA IF NOT EXISTS nightshift;
    CREATE TABLE IF NOT EXISTS ${journalTable} (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)`,
  );
}

/**
 * Begins a transaction that holds all tables and views. Taken one after the other by the changes themselves, they would be locked in another order
 * than workers lock them, and the server would end a statement of one or the other. So all are taken at once, in less time than the server waits
 * before it looks for deadlocks (`deadlock_timeout`, 1 s); otherwise all are given back, for workers to go on, and taken again later.
 */
async function beginWithTables(client: pg.Client, onWait?: OnWait): Promise<void> {
  const deadlineMs = performance.now() + schemaLock.giveUpMs;
  for (let attempt = 1; ; attempt += 1) {
    await client.query('BEGIN');
    try {
      await lockTables(client);
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (!isInUse(error)) throw error;
      if (performance.now() > deadlineMs) throw inUse(error);
    }
    if (attempt === schemaLock.quietTries) onWait?.('tables are in use');
    await delay(schemaLock.delayMs);
  }
}

/** The journal and the hashes of definitions stay readable: other processes compare them with their own. */
async function lockTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ names: string | null }>(
    `SELECT string_agg(format('%I.%I', n.nspname, c.relname), ', ' ORDER BY c.relkind, c.oid) AS names
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'v') AND n.nspname IN ('nightshift', 'reports', 'account_reports')
        AND c.oid <> ALL (ARRAY[to_regclass('${journalTable}'), to_regclass('nightshift.definitions')]::oid[])`,
  );
  const names = rows[0]?.names ?? null;
  if (names === null) return;
  await client.query(`SET LOCAL statement_timeout = ${schemaLock.lockMs}`);
  await client.query(`LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`);
  await client.query('SET LOCAL statement_timeout TO DEFAULT');
}

/** SQLSTATE of a statement that took too long, of a lock that was not free, and of a deadlock. */
const inUseCodes = ['57014', '55P03', '40P01'];

function isInUse(error: unknown): boolean {
  return inUseCodes.includes(String(errorCode(error)));
}

function inUse(cause: unknown): Conflict {
  return new Conflict(
    'The schema could not be changed: its tables have been in use for five minutes. Wait until exports, queries and `nightshift verify` have ended, or stop the workers, and repeat the command.',
    { cause },
  );
}
