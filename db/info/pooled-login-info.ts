import type { Asked } from './server-info.ts';

/** A login whose sessions a pooler hands from one transaction to the next, so that they cannot switch their role. */
export interface PooledLogin {
  readonly login: string;
  /** True if it has the rights of `nightshift_app` without a switch. */
  readonly isApp: boolean;
  /** True if it can do more than the application may: it owns the schema, or no grants apply to it. */
  readonly isMighty: boolean;
  /** Limit of idle transactions in milliseconds; 0 for none. */
  readonly transactionIdleMsMax: number;
}

/** Reads the login of a connection through a pooler. */
export async function readPooledLogin(asked: Asked): Promise<PooledLogin> {
  const { rows } = await asked.query<PooledLogin>(
    `SELECT current_user::text AS login,
        EXISTS (SELECT FROM pg_roles a WHERE a.rolname = 'nightshift_app' AND pg_has_role(current_user, a.oid, 'USAGE')) AS "isApp",
        r.rolsuper OR r.rolbypassrls OR EXISTS (SELECT FROM pg_namespace n WHERE n.nspname = 'nightshift' AND pg_has_role(current_user, n.nspowner, 'USAGE'))
          AS "isMighty",
        (SELECT setting::integer FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout') AS "transactionIdleMsMax"
      FROM pg_roles r WHERE r.rolname = current_user`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres does not know the role that it let in.');
  return row;
}

/** Reads the identity of the installation in this database; null before the migrations. */
export async function readInstallation(asked: Asked): Promise<string | null> {
  const table = await asked.query<{ exists: boolean }>(
    "SELECT to_regclass('nightshift.installation') IS NOT NULL AS exists",
  );
  if (table.rows[0]?.exists !== true) return null;
  const { rows } = await asked.query<{ id: string }>('SELECT id FROM nightshift.installation');
  return rows[0]?.id ?? null;
}
