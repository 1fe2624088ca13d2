import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { DatabaseUnavailable, EnrichError } from '../../src/core/errors.ts';
import { preparedSettings, prepareStatements } from './prepared-statements.ts';

/** Executor of SQL: a pool, or one transaction of it. */
export type Sql = Pick<NodePgDatabase, 'execute' | 'select' | 'insert' | 'update' | 'delete'>;

/** A pool with Drizzle over it. `close` ends the pool. */
export interface Database {
  readonly sql: NodePgDatabase;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Connection string of a login that is the role or may switch to it. */
  readonly url: string;
  /** Role of every session, so that grants apply whatever the login; null keeps the login's own. */
  readonly role: 'nightshift_app' | 'nightshift_reader' | null;
  /** Search path for unqualified names; default: Postgres' own. Nightshift's SQL names its schema, BullMQ's does not. */
  readonly searchPath?: string;
  /** Maximum number of connections. */
  readonly connectionsMax: number;
  /**
   * Postgres ends a session that stays idle in a transaction for this long, because a frozen process would keep rows locked.
   * Milliseconds; default: never.
   */
  readonly transactionIdleMsMax?: number;
  /**
   * For a few short statements that repeat, those of requests: each connection keeps them prepared (`prepareStatements`), and sends one before
   * the last is answered (`shortTransaction`). Default: neither.
   */
  readonly isForRequests?: boolean;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** Receives errors of idle connections; the pool opens new ones by itself. */
  readonly onIdleError: (error: Error) => void;
}

/** Opens a pool of connections. Nothing is sent before the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...connectionOf(options),
    max: options.connectionsMax,
    application_name: options.name,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    pipeline: options.isForRequests ?? false,
  });
  // Without listeners a Postgres restart would end the process (node-postgres #2762): on the pool for idle connections, on each
  // client for those that are checked out but idle.
  pool.on('error', options.onIdleError);
  pool.on('connect', (client) => {
    client.on('error', options.onIdleError);
    if (options.isForRequests === true) prepareStatements(client);
  });
  return { sql: openDrizzle(pool), pool, close: () => pool.end() };
}

/**
 * Drizzle over a pool. Its own `transaction` never returns a connection whose BEGIN failed: a few of those, at a restart of
 * Postgres, and the pool is exhausted for good.
 */
function openDrizzle(pool: pg.Pool): NodePgDatabase {
  const transaction: NodePgDatabase['transaction'] = (work, config) =>
    withClient(pool, (client) => drizzle(client).transaction(work, config));
  return Object.assign(drizzle(pool), { transaction });
}

/** Reads from one snapshot. The caller may pause between two statements: such a transaction blocks no other. */
export function readAtOnce<T>(db: NodePgDatabase, read: (transaction: Sql) => Promise<T>): Promise<T> {
  return db.transaction(
    async (transaction) => {
      await transaction.execute(sql`SET LOCAL idle_in_transaction_session_timeout = 0`);
      return read(transaction);
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** Runs `work` on its own connection; a connection that broke meanwhile is not reused. */
export async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  try {
    return await work(client);
  } catch (error) {
    isBroken = isDatabaseAway(error);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/**
 * Connection options, and settings from the first statement of a session on, as command-line switches. The driver would let
 * switches in the URL replace ours, so they are joined here; ours come last and win.
 */
function connectionOf({
  url,
  role,
  searchPath,
  transactionIdleMsMax,
  isForRequests = false,
}: DatabaseOptions): {
  connectionString: string;
  options: string;
} {
  const parsed = new URL(url);
  const given = parsed.searchParams.get('options');
  parsed.searchParams.delete('options');
  const switches = [
    ...(given === null ? [] : [given]),
    ...(role === null ? [] : [`-c role=${role}`]),
    ...(searchPath === undefined ? [] : [`-c search_path=${searchPath}`]),
    ...(transactionIdleMsMax === undefined
      ? []
      : [`-c idle_in_transaction_session_timeout=${Math.ceil(transactionIdleMsMax)}`]),
    ...(isForRequests ? preparedSettings : []),
  ];
  return { connectionString: parsed.href, options: switches.join(' ') };
}

/** SQLSTATE classes and codes of a server that is unavailable, full or shutting down: a later retry helps. */
const passingStates = /^(08|25P03|53|57P0[1235]|40001|40P01|55P03)/;
const passingCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOENT',
]);

/** True when an error of the driver means that the server is unavailable, not that the SQL is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof EnrichError) return false;
  if ('code' in error && typeof error.code === 'string') {
    return passingCodes.has(error.code) || passingStates.test(error.code);
  }
  if (error.cause !== undefined) return isDatabaseAway(error.cause);
  return /Connection terminated|timeout exceeded when trying to connect|^timeout expired$|Client has encountered a connection error/.test(
    error.message,
  );
}

/** Runs `work`; errors of an unavailable server become `DatabaseUnavailable`, everything else passes through unchanged. */
export async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    throw new DatabaseUnavailable(
      'Postgres cannot be reached, or the connection was lost; nothing uncommitted took effect. ' +
        'Check that the server runs and that DATABASE_URL is right, then repeat the command.',
      { cause: error },
    );
  }
}
