import type pg from 'pg';

/** Executor of the queries: a pool, or one connection. */
export type Asked = Pick<pg.Pool, 'query'>;

/** A Postgres server and the database on it, as they describe themselves. */
export interface ServerInfo {
  /** As Postgres counts: 180004 is 18.4. */
  readonly versionNumber: number;
  readonly version: string;
  readonly database: string;
  readonly login: string;
  /** True for a standby, or a read-only database. */
  readonly isReadOnly: boolean;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  /** `on`, `off`, `local`, `remote_write` or `remote_apply`. */
  readonly synchronousCommit: string;
  readonly autovacuum: boolean;
  /** Transactions since the oldest row that was never frozen; the server stops before 2^31. */
  readonly transactionAge: number;
  /** Age at which autovacuum forces a freeze. */
  readonly freezeAge: number;
  /** Seconds; the longest transaction that this login can see. 0 without one. */
  readonly oldestTransactionS: number;
  readonly connectionsMax: number;
  /** Connections kept for administrators. */
  readonly connectionsReserved: number;
  readonly connectionsUsed: number;
}

/** Encoding and collation of a database. */
export interface LocaleInfo {
  readonly database: string;
  readonly encoding: string;
  readonly collation: string;
  /** `libc`, `icu` or `builtin`. */
  readonly provider: string;
  /** Version of the sorting rules with which the indexes were built, and of those in use; null if the provider has none. */
  readonly version: string | null;
  readonly versionInUse: string | null;
}

/** Reads the server's settings, ages and connections. */
export async function readServerInfo(asked: Asked): Promise<ServerInfo> {
  const { rows } = await asked.query<Record<keyof ServerInfo, unknown>>(`SELECT
    current_setting('server_version_num')::integer AS "versionNumber",
    current_setting('server_version') AS version,
    current_database() AS database,
    session_user::text AS login,
    pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS "isReadOnly",
    current_setting('fsync') = 'on' AS fsync,
    current_setting('full_page_writes') = 'on' AS "fullPageWrites",
    current_setting('synchronous_commit') AS "synchronousCommit",
    current_setting('autovacuum') = 'on' AND current_setting('track_counts') = 'on' AS autovacuum,
    (SELECT max(age(datfrozenxid)) FROM pg_database) AS "transactionAge",
    current_setting('autovacuum_freeze_max_age')::integer AS "freezeAge",
    (SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)::float8
      FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS "oldestTransactionS",
    current_setting('max_connections')::integer AS "connectionsMax",
    current_setting('superuser_reserved_connections')::integer
      + coalesce(current_setting('reserved_connections', true), '0')::integer AS "connectionsReserved",
    (SELECT sum(numbackends)::integer FROM pg_stat_database WHERE datid <> 0) AS "connectionsUsed"`);
  return parseRow(rows);
}

/** Reads the locale; from Postgres 15 on. */
export async function readLocaleInfo(asked: Asked): Promise<LocaleInfo> {
  const { rows } = await asked.query<Record<keyof LocaleInfo, unknown>>(`SELECT
      d.datname::text AS database, pg_encoding_to_char(d.encoding)::text AS encoding,
      coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', d.datcollate) AS collation,
      CASE d.datlocprovider WHEN 'c' THEN 'libc' WHEN 'i' THEN 'icu' ELSE 'builtin' END AS provider,
      d.datcollversion AS version, pg_database_collation_actual_version(d.oid) AS "versionInUse"
    FROM pg_database d WHERE d.datname = current_database()`);
  return parseRow(rows);
}

/** The server's clock between two readings of ours, in milliseconds since 1970. */
export async function readClock(asked: Asked) {
  const askedAtMs = Date.now();
  const { rows } = await asked.query<{ ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  );
  return { askedAtMs, theirsMs: rows[0]?.ms ?? NaN, answeredAtMs: Date.now() };
}

/** Returns the single row of a statement whose columns have the names of the fields; the statement determines their types. */
function parseRow<T>(rows: readonly Record<keyof T, unknown>[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres answered no row about itself.');
  return row as T;
}
