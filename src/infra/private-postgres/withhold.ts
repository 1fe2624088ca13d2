import type pg from 'pg';

/**
 * Functions of Postgres by which anybody who may log in reaches what belongs to others, as patterns of LIKE: they hold locks that the
 * application waits for, end statements of the same role, wake listeners, and store things that nobody sees. Everybody may call them as
 * Postgres comes. None shows a row.
 */
export const reachingFunctions: readonly string[] = [
  'pg%\\_advisory\\_%',
  'pg\\_terminate\\_backend',
  'pg\\_cancel\\_backend',
  'pg\\_notify',
  'pg\\_logical\\_emit\\_message',
  'lo\\_%',
  'lowrite',
];

/** Leaves them to the application and to the operator's own logins. For a superuser's connection to our database. */
export async function withholdFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('REVOKE EXECUTE ON FUNCTION %1$s FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION %1$s TO nightshift_owner, nightshift_app, nightshift_reader', oid::regprocedure) AS statement
      FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f' AND proname LIKE ANY ($1)`,
    [reachingFunctions],
  );
  await client.query(`BEGIN; ${rows.map(({ statement }) => statement).join(';')}; COMMIT`);
}
