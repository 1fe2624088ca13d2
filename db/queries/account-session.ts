import { sql } from 'drizzle-orm';
import pg from 'pg';
import { Misconfigured } from '../../src/core/errors.ts';
import { changePostgresUrl } from '../../src/core/postgres-url.ts';
import type { AccountBackend } from './backend-ends.ts';
import type { Sql } from '../connection/client.ts';
import { isPoolerRejection } from '../connection/login-errors.ts';
import { isOwnProcess } from '../connection/pooled-session.ts';
import type { Replica } from '../replica/replica.ts';
import { createClient, silentClientSettings, switchesOf } from '../connection/postgres-client.ts';

/** Maximum milliseconds that a session of an account's own login may stay idle in a transaction, and in one statement. */
export const accountSessionLimits = { idleMs: 60_000, statementMs: 5 * 60_000 } as const;

/** Options of an account's statement. */
export interface SessionOptions {
  /** The login that can read any account and is bound to one per statement; null without one. */
  readonly url: string | null;
  /** Connections of the application, which bind the login. */
  readonly db: Sql;
  readonly timeoutMs: number;
  /** Called with the id of each server process before it runs a statement. Null or absent: the server has its own limits, or none. */
  readonly limitMemory?: ((pid: number) => Promise<unknown>) | null;
}

/** Options of an account's statement on a replica. */
export interface ReplicaSessionOptions extends SessionOptions {
  readonly replica: Replica;
}

/** Request for a session for one statement. */
export interface SessionRequest {
  readonly accountId: number;
  readonly signal: AbortSignal;
  /** Called with the server process as soon as it is known; its end is awaited afterwards. */
  readonly onBackend?: (backend: AccountBackend) => void;
}

/** Message for the operator when no statement of an account can run. */
const lacking = `Queries of accounts need a login of their own, which this database does not have yet. As an administrator:
\`CREATE ROLE nightshift_account_reader LOGIN PASSWORD '…' IN ROLE nightshift_account\`, and put its address into NIGHTSHIFT_ACCOUNT_READER_URL.`;

/** Message for the operator when the session of a query is not one session. */
const pooled =
  'A pooler answers at NIGHTSHIFT_ACCOUNT_READER_URL. It would run the query of one account in a session that is bound to another. Put the ' +
  'address of the server itself there.';

/**
 * Runs `work` on a connection that can read the rows of one account, and no rows afterwards. Each call has its own server
 * process, so that one statement leaves nothing for the next. It ends when `signal` aborts.
 *
 * @throws Misconfigured when the login is missing, or has more privileges than it should, and when a pooler answers.
 */
export async function withAccountSession<T>(
  options: SessionOptions,
  { accountId, signal, onBackend }: SessionRequest,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withLogin(options, signal, async (client, backend) => {
    onBackend?.(backend);
    await options.limitMemory?.(backend.pid);
    await bind(options.db, backend, accountId);
    try {
      return await work(client);
    } finally {
      await unbind(options.db, backend);
    }
  });
}

/**
 * As `withAccountSession`, on a replica: its session is bound on the primary, and works when the replica has replayed that.
 *
 * @returns null when the replica is not ready in time, and nothing has run.
 */
export async function withReplicaSession<T>(
  options: ReplicaSessionOptions,
  { accountId, signal, onBackend }: SessionRequest,
  work: (client: pg.Client) => Promise<T>,
): Promise<{ readonly result: T } | null> {
  const { db, replica } = options;
  return withLogin(options, signal, async (client, backend) => {
    await bindReplica(db, backend, accountId);
    try {
      if (!(await replica.isReady(client))) return null;
      onBackend?.(backend);
      return { result: await work(client) };
    } finally {
      await unbindReplica(db, backend);
    }
  });
}

/** Checks that the login exists and can do no more than it should. @throws as `withAccountSession` does */
export function checkAccountLogin(options: SessionOptions): Promise<void> {
  return withLogin(options, new AbortController().signal, async () => undefined);
}

/** A server process, and its start time. */
interface Backend extends AccountBackend {
  readonly began: string;
}

async function withLogin<T>(
  { url, timeoutMs }: SessionOptions,
  signal: AbortSignal,
  work: (client: pg.Client, backend: Backend) => Promise<T>,
): Promise<T> {
  if (url === null) throw new Misconfigured(lacking);
  const client = openClient(url, timeoutMs);
  const cut = () => void client.connection.stream.destroy();
  try {
    await connect(client);
    signal.throwIfAborted();
    signal.addEventListener('abort', cut);
    return await work(client, await readBackend(client));
  } finally {
    signal.removeEventListener('abort', cut);
    // The connection may be closed already.
    await client.end().catch(() => undefined);
  }
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (isPoolerRejection(error)) throw new Misconfigured(pooled, { cause: error });
    // The login was rejected, or this database.
    if (!/^(28|3D|42501)/.test(error.code ?? '')) throw error;
    throw new Misconfigured(
      `The login of NIGHTSHIFT_ACCOUNT_READER_URL is rejected: ${error.message}. Check its name and password.`,
      { cause: error },
    );
  }
}

/** Convenience only: privileges and the binding decide what the login can read. */
function openClient(url: string, timeoutMs: number): pg.Client {
  const settings = {
    search_path: 'account_reports',
    // `readStatementWords` parses constants this way.
    standard_conforming_strings: 'on',
    default_transaction_read_only: 'on',
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: timeoutMs,
    lock_timeout: timeoutMs,
    // A parallel worker would have limits of its own.
    max_parallel_workers_per_gather: 0,
    // A statement ends within this time after the connection is lost or closed.
    client_connection_check_interval: 500,
    timezone: 'UTC',
    datestyle: 'ISO',
    intervalstyle: 'iso_8601',
  };
  return createClient({
    connectionString: changePostgresUrl(url, ({ searchParams }) => searchParams.delete('options')),
    options: switchesOf({ ...silentClientSettings(url), ...settings }),
    application_name: 'nightshift query',
  });
}

/**
 * Reads the server process of a session, which is then bound. A pooler could pass the next transaction to a process that is bound to another
 * account. A login that belongs to more roles, or may use Nightshift's schemas, could escape its binding.
 */
async function readBackend(client: pg.Client): Promise<Backend> {
  const { rows } = await client.query<Backend & { isMember: boolean; maySeeMore: boolean }>(
    `SELECT g.pid, g.backend_start::text AS began, session_user::text AS login, pg_postmaster_start_time()::text AS server,
        pg_has_role(session_user, r.oid, 'MEMBER') AS "isMember",
        EXISTS (SELECT FROM pg_roles o WHERE o.rolname NOT IN (session_user, 'nightshift_account') AND pg_has_role(session_user, o.oid, 'MEMBER'))
          OR EXISTS (SELECT FROM pg_roles o WHERE o.rolname = session_user AND (o.rolcreaterole OR o.rolcreatedb OR o.rolreplication OR o.rolbypassrls))
          OR EXISTS (SELECT FROM pg_namespace n WHERE n.nspname IN ('nightshift', 'reports', 'bullmq') AND has_schema_privilege(session_user, n.oid, 'USAGE'))
          AS "maySeeMore"
      FROM pg_stat_get_activity(pg_backend_pid()) g JOIN pg_roles r ON r.rolname = 'nightshift_account'`,
  );
  const [row] = rows;
  if (row === undefined) throw new Misconfigured(lacking);
  const { pid, began, login, server, isMember, maySeeMore } = row;
  if (!isOwnProcess(client, pid)) throw new Misconfigured(pooled);
  if (!isMember) {
    throw new Misconfigured(
      `The login ${login} of NIGHTSHIFT_ACCOUNT_READER_URL reads no account: \`GRANT nightshift_account TO "${login}"\`.`,
    );
  }
  if (maySeeMore) {
    throw new Misconfigured(
      `The login ${login} of NIGHTSHIFT_ACCOUNT_READER_URL has more privileges than reading one account, so it is not used. ${lacking}`,
    );
  }
  return { pid, began, login, server };
}

/**
 * Also removes bindings of processes that died before they could remove theirs. The COMMIT is not waited for: no session survives a crash.
 */
async function bind(db: Sql, { pid, began }: Backend, accountId: number): Promise<void> {
  await db.execute(
    sql`WITH unwaited AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
        expired AS (DELETE FROM nightshift.reading_backends WHERE bound_at < now() - interval '1 hour' AND pid <> ${pid})
      INSERT INTO nightshift.reading_backends (pid, began_at, account_id)
      SELECT ${pid}::integer, ${began}::timestamptz, ${accountId}::bigint FROM unwaited
      ON CONFLICT (pid) DO UPDATE SET began_at = excluded.began_at, account_id = excluded.account_id, bound_at = now()`,
  );
}

async function unbind(db: Sql, { pid, began }: Backend): Promise<void> {
  await db.execute(
    sql`WITH unwaited AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
      DELETE FROM nightshift.reading_backends b USING unwaited WHERE b.pid = ${pid} AND b.began_at = ${began}::timestamptz`,
  );
}

/** Binds a session on a standby. The COMMIT is waited for: only the flushed log is sent there. */
async function bindReplica(db: Sql, { pid, began }: Backend, accountId: number): Promise<void> {
  await db.execute(
    sql`WITH expired AS (DELETE FROM nightshift.reading_replicas WHERE bound_at < now() - interval '1 hour')
      INSERT INTO nightshift.reading_replicas (pid, began_at, account_id) VALUES (${pid}, ${began}::timestamptz, ${accountId})`,
  );
}

async function unbindReplica(db: Sql, { pid, began }: Backend): Promise<void> {
  await db.execute(
    sql`DELETE FROM nightshift.reading_replicas WHERE pid = ${pid} AND began_at = ${began}::timestamptz`,
  );
}
