import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { Conflict } from '../../src/core/errors.ts';
import { withConnection } from '../connection/postgres-client.ts';
import { queueSchema } from './objects.ts';

/**
 * Proofs of `verify` are for the transactions of one server: without them, its next run reads everything.
 */
const leftOut = ['nightshift.verify_checkpoints'];

/** Tables that are copied at once. */
const tablesAtOnce = 3;

/** Number of rows of a table, and a checksum of all of them in any order. */
export interface CopiedTable {
  readonly rows: number;
  readonly sum: string;
}

/** Two servers, by the URLs of their superusers on the database. */
export interface Copying {
  readonly fromUrl: string;
  readonly toUrl: string;
  /** Snapshot of the old server that all tables are read in. */
  readonly snapshot: string;
  /** Receives the sizes of the tables that are copied, and of all. */
  readonly onBytes: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

interface ListedTable {
  readonly name: string;
  /** Columns that can be written. */
  readonly columns: string;
  readonly bytes: number;
}

/**
 * Copies all tables in one snapshot, and compares both copies of each row by row.
 *
 * @throws Conflict when a copy differs.
 */
export async function copyTables(copying: Copying): Promise<Readonly<Record<string, CopiedTable>>> {
  const tables = await withServer(copying.fromUrl, listTables);
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const copied: Record<string, CopiedTable> = {};
  const waiting = [...tables];
  let done = 0;
  const failure = new AbortController();
  const signal = AbortSignal.any([copying.signal, failure.signal]);

  async function copyNext(from: pg.Client, to: pg.Client): Promise<void> {
    for (let table = waiting.shift(); table !== undefined; table = waiting.shift()) {
      signal.throwIfAborted();
      copied[table.name] = await copyTable(table, { from, to, signal });
      copying.onBytes((done += table.bytes), total);
    }
  }

  const lanes = Array.from({ length: tablesAtOnce }, () => withBoth(copying, copyNext));
  try {
    await Promise.all(lanes);
  } catch (error) {
    failure.abort(error);
    await Promise.allSettled(lanes);
    throw error;
  }
  return copied;
}

/** Returns the digest of every table. */
export function digestTables(url: string): Promise<Readonly<Record<string, CopiedTable>>> {
  return withServer(url, async (client) => {
    const digests: Record<string, CopiedTable> = {};
    for (const { name } of await listTables(client)) digests[name] = await digest(client, name);
    return digests;
  });
}

/** Sets every sequence to the value of the old one. */
export async function copySequences(from: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await from.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences WHERE schemaname <> $1`,
    [queueSchema],
  );
  for (const { name } of rows) {
    const found = await from.query<{ last: string; called: boolean }>(
      `SELECT last_value::text AS last, is_called AS called FROM ${name}`,
    );
    await to.query('SELECT setval($1::regclass, $2::bigint, $3)', [
      name,
      found.rows[0]?.last,
      found.rows[0]?.called,
    ]);
  }
}

/** Runs `work` while triggers and foreign keys of the new database do nothing: what it copies was checked by those of the old one. */
export async function withoutTriggers<T>(to: pg.Client, work: () => Promise<T>): Promise<T> {
  const { rows } = await to.query<{ name: string; trigger: string }>(
    `SELECT t.tgrelid::regclass::text AS name, quote_ident(t.tgname) AS trigger FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE t.tgenabled = 'A' AND NOT t.tgisinternal AND n.nspname = 'nightshift'`,
  );
  for (const { name, trigger } of rows) await to.query(`ALTER TABLE ${name} DISABLE TRIGGER ${trigger}`);
  const result = await work();
  for (const { name, trigger } of rows)
    await to.query(`ALTER TABLE ${name} ENABLE ALWAYS TRIGGER ${trigger}`);
  return result;
}

/** Empties all tables: the migrations have filled some. */
export async function emptyTables(to: pg.Client): Promise<void> {
  const { rows } = await to.query<{ names: string | null }>(
    `SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') AS names FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema', $1)`,
    [queueSchema],
  );
  const names = rows[0]?.names ?? null;
  if (names !== null) await to.query(`TRUNCATE ${names}`);
}

/** Largest first, so that the last ones are small. */
async function listTables(client: pg.Client): Promise<readonly ListedTable[]> {
  const { rows } = await client.query<{ name: string; columns: string; bytes: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name, pg_table_size(c.oid)::text AS bytes,
        (SELECT coalesce(string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum), '') FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', $1) AND n.nspname !~ '^pg_(toast|temp)'
        AND format('%I.%I', n.nspname, c.relname) <> ALL ($2::text[])
      ORDER BY pg_table_size(c.oid) DESC`,
    [queueSchema, leftOut],
  );
  return rows.map(({ name, columns, bytes }) => ({ name, columns, bytes: Number(bytes) }));
}

interface CopiedBetween {
  readonly from: pg.Client;
  readonly to: pg.Client;
  readonly signal: AbortSignal;
}

/** As text: its format is the same in all versions. */
async function copyTable(
  { name, columns }: ListedTable,
  { from, to, signal }: CopiedBetween,
): Promise<CopiedTable> {
  const source = from.query(copyTo(`COPY ${name} (${columns}) TO STDOUT`));
  await pipeline(source, to.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN`)), { signal });
  const [old, copied] = await Promise.all([digest(from, name), digest(to, name)]);
  if (old.rows === copied.rows && old.sum === copied.sum) return copied;
  throw new Conflict(
    `The copy of ${name} differs: ${old.rows} rows with the checksum ${old.sum}, and ${copied.rows} with ${copied.sum}. The present data is ` +
      'unchanged. Please report this.',
  );
}

/** Sums the hashes of all rows, in all columns, also those that are calculated. */
async function digest(client: pg.Client, name: string): Promise<CopiedTable> {
  const { rows } = await client.query<{ rows: string; sum: string }>(
    `SELECT count(*)::text AS rows, coalesce(sum(hashtextextended(copied_row::text, 0)), 0)::text AS sum FROM ${name} copied_row`,
  );
  return { rows: Number(rows[0]?.rows), sum: rows[0]?.sum ?? '' };
}

/** Opens a session on both servers: the old one reads in the snapshot, the new one checks nothing. */
function withBoth(
  { fromUrl, toUrl, snapshot }: Copying,
  work: (from: pg.Client, to: pg.Client) => Promise<void>,
): Promise<void> {
  return withServer(fromUrl, async (from) => {
    await from.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await from.query(`SET TRANSACTION SNAPSHOT ${from.escapeLiteral(snapshot)}`);
    await withServer(toUrl, async (to) => {
      await to.query('SET session_replication_role = replica');
      await work(from, to);
    });
    await from.query('COMMIT');
  });
}

/** Text of rows must not depend on settings of a role or a server. */
const textSettings =
  "SET datestyle = 'ISO, YMD'; SET intervalstyle = 'iso_8601'; SET timezone = 'UTC'; SET extra_float_digits = 1; SET bytea_output = 'hex'; SET search_path = ''";

/** Opens a session whose rows have the same text on every server. */
export function withServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withConnection({ connectionString: url, application_name: 'nightshift upgrade' }, async (client) => {
    await client.query(textSettings);
    return work(client);
  });
}
