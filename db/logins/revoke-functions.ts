import type pg from 'pg';

/**
 * Functions of Postgres with which any login can affect others, as patterns of LIKE: they take locks that the application waits
 * for, show lock holders, end statements of the same role, notify listeners, store hidden data, and keep a processor busy
 * without end (XML). By default, everyone may call them. None of them shows a row.
 */
export const reachingFunctions: readonly string[] = [
  'pg%\\_advisory\\_%',
  'pg\\_lock\\_status',
  'pg\\_terminate\\_backend',
  'pg\\_cancel\\_backend',
  'pg\\_notify',
  'pg\\_logical\\_emit\\_message',
  'lo\\_%',
  'lowrite',
  'xpath%',
  '%xml%',
];

/** Roles that keep the functions, if they exist; those of Postgres are for monitoring and for ending sessions. */
const keepers = [
  'nightshift_owner',
  'nightshift_app',
  'nightshift_reader',
  'pg_monitor',
  'pg_signal_backend',
];

/**
 * Restricts the functions to the application and to the operator's own logins, in this database. Other users of the database
 * need their own GRANT. Requires a superuser's connection; for others, Postgres only warns.
 */
export async function revokeFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `WITH keepers AS (SELECT string_agg(format('%I', rolname), ', ') AS names FROM pg_roles r
        WHERE rolname = ANY ($2) OR r.oid = (SELECT nspowner FROM pg_namespace WHERE nspname = 'nightshift'))
      SELECT format('REVOKE EXECUTE ON FUNCTION %1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION %1$s TO %2$s', p.oid::regprocedure, names) AS statement
      FROM pg_proc p, keepers WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND p.proname LIKE ANY ($1)
        AND has_function_privilege('public', p.oid, 'EXECUTE')`,
    [reachingFunctions, keepers],
  );
  if (rows.length === 0) return;
  await client.query(`BEGIN; ${rows.map(({ statement }) => statement).join(';')}; COMMIT`);
}
