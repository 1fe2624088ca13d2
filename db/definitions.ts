import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

/** Topics of functions, triggers and views, each a file of `db/sql`; a topic follows those that it needs. */
export const definitionTopics = [
  'ledger',
  'rows',
  'ads',
  'changes',
  'lookups',
  'rate-limits',
  'source-calls',
  'work',
  'probing',
  'erasure',
  'purged-chunks',
  'purge',
  'append-only',
  'batch-timeline',
  'events',
  'destinations',
  'result-indexes',
  'sessions',
  'report-batches',
  'report-ads',
  'report-credits',
  'report-schedules',
  'report-inboxes',
  'report-destinations',
  'account-views',
] as const;

/** Everything that `db/sql` defines. */
export interface Definitions {
  readonly sql: string;
  /** SHA-256 of the definitions. */
  readonly hash: string;
}

/** The definitions of a database, compared with files: `newer` when a later version replaced those of the files. */
export type DefinitionsState = 'current' | 'outdated' | 'newer';

/** Reads the definitions of a folder such as `db/sql`. */
export async function readDefinitions(folder: string): Promise<Definitions> {
  const files = await Promise.all(
    definitionTopics.map((topic) => readFile(join(folder, `${topic}.sql`), 'utf8')),
  );
  const sql = files.join('\n');
  return { sql, hash: createHash('sha256').update(sql).digest('hex') };
}

/** Compares the definitions of a migrated database with those of the files. */
export async function compareDefinitions(
  client: pg.Client | pg.Pool,
  { hash }: Definitions,
): Promise<DefinitionsState> {
  const { rows } = await client.query<{ hash: string }>(
    'SELECT hash FROM nightshift.definitions ORDER BY id DESC',
  );
  const age = rows.findIndex((row) => row.hash === hash);
  if (age === 0) return 'current';
  return age > 0 ? 'newer' : 'outdated';
}

/**
 * Redefines every function, trigger and view, in the transaction of the caller. `CREATE OR REPLACE` keeps what other schemas build on them; a
 * change that it rejects, such as a removed column, needs a migration that drops the old form first.
 */
export async function defineAll(client: pg.Client, { sql, hash }: Definitions): Promise<void> {
  await client.query(sql);
  await client.query(
    'REVOKE ALL ON ALL FUNCTIONS IN SCHEMA nightshift, reports, account_reports FROM PUBLIC',
  );
  await client.query(
    'INSERT INTO nightshift.definitions (hash) VALUES ($1) ON CONFLICT (hash) DO UPDATE SET applied_at = now()',
    [hash],
  );
}
