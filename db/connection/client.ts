import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { DatabaseUnavailable } from '../../src/core/errors.ts';
import { parsePostgresUrl } from '../../src/core/postgres-url.ts';
import { isNoServer } from './choose-server.ts';
import { isDatabaseAway } from './database-away.ts';
import { assertOwnSession } from './pooled-session.ts';
import { PostgresClient, sessionOptions, type ConnectionOptions } from './postgres-client.ts';
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
  /** Connection string of a login that is the role or may switch to it. It may name several servers (`parsePostgresUrl`). */
  readonly url: string;
  /**
   * The address is that of a pooler in transaction mode, which gives each transaction any session. Then sessions have no settings: they act in
   * the login's own role, and `role`, `searchPath`, `transactionIdleMsMax` and `isForRequests` do not apply. Default false.
   */
  readonly isPooled?: boolean;
  /** The address must be that of the server itself: connections that a pooler answers fail with `Misconfigured`. Default false. */
  readonly isDirect?: boolean;
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
  const isForRequests = options.isForRequests === true && options.isPooled !== true;
  const pool = new pg.Pool({
    ...connectionOf(options),
    Client: PostgresClient,
    max: options.connectionsMax,
    application_name: options.name,
    // A connection tries one server after the other, and each has its own limit.
    connectionTimeoutMillis: 10_000 * parsePostgresUrl(options.url).servers.length,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    pipeline: isForRequests,
    ...(options.isDirect === true ? { verify: verifySession } : {}),
  });
  // Without listeners a Postgres restart would end the process (node-postgres #2762): on the pool for idle connections, on each
  // client for those that are checked out but idle.
  pool.on('error', options.onIdleError);
  pool.on('connect', (client) => {
    client.on('error', options.onIdleError);
    if (isForRequests) prepareStatements(client);
  });
  return { sql: openDrizzle(pool), pool, close: () => pool.end() };
}

/** `verify` of the pool, which calls it with each new connection. */
function verifySession(client: pg.PoolClient, done: (error?: Error) => void): void {
  assertOwnSession(client).then(
    () => done(),
    (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
  );
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

/** Connection options, with the settings of the session if the server gives it one. */
function connectionOf({
  url,
  role,
  isPooled = false,
  searchPath,
  transactionIdleMsMax,
  isForRequests = false,
}: DatabaseOptions): Pick<ConnectionOptions, 'connectionString' | 'options'> {
  if (isPooled) return { connectionString: url };
  return sessionOptions(url, {
    ...(role === null ? {} : { role }),
    ...(searchPath === undefined ? {} : { search_path: searchPath }),
    ...(transactionIdleMsMax === undefined
      ? {}
      : { idle_in_transaction_session_timeout: Math.ceil(transactionIdleMsMax) }),
    ...(isForRequests ? preparedSettings : {}),
  });
}

/** Runs `work`; errors of an unavailable server become `DatabaseUnavailable`, everything else passes through unchanged. */
export async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    const none = [error, error instanceof Error ? error.cause : undefined].find(isNoServer);
    if (none !== undefined)
      throw new DatabaseUnavailable(`${none.message} Repeat the command when one does.`, { cause: error });
    const shortage = shortageOf(error);
    if (shortage !== null) throw new DatabaseUnavailable(shortage, { cause: error });
    throw new DatabaseUnavailable(
      'Postgres cannot be reached, or the connection was lost; nothing uncommitted took effect. ' +
        'Check that the server runs and that DATABASE_URL is right, then repeat the command.',
      { cause: error },
    );
  }
}

/** Shortages of the server, with their remedies, by SQLSTATE (PostgreSQL, "Error Codes", class 53). */
const shortages: Readonly<Record<string, string>> = {
  '53100':
    'Postgres has no space left on its disk; nothing of this took effect. Free some space on the machine of Postgres, then repeat the ' +
    'command. Workers go on by themselves.',
  '53200':
    'Postgres is out of memory; nothing of this took effect. Free some memory on the machine of Postgres, then repeat the command. Workers ' +
    'go on by themselves.',
};

/** Says what an unavailable server is short of; null for another reason. */
function shortageOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return shortages[code] ?? shortageOf(error.cause);
}
