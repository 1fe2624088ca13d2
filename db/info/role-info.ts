import { sql } from 'drizzle-orm';
import type { Sql } from '../connection/client.ts';
import type { Asked } from './server-info.ts';
import { accountsReadTheirViewsOnly, ledgerIsSealed, readerReadsReportsOnly } from '../verify/rights.ts';

/** A role that Nightshift uses. */
export interface RoleInfo {
  readonly name: string;
  readonly exists: boolean;
  /** True for a role to which grants and the sealed ledger do not apply. */
  readonly isUnbound: boolean;
}

/** Nightshift's roles: whether they exist, and whether their grants apply to them. */
export async function readRoles(asked: Asked): Promise<readonly RoleInfo[]> {
  const { rows } = await asked.query<RoleInfo>(
    `SELECT n.name, r.oid IS NOT NULL AS exists, coalesce(r.rolsuper OR r.rolbypassrls OR r.rolcreaterole, false) AS "isUnbound"
      FROM unnest(ARRAY['nightshift_app', 'nightshift_reader', 'nightshift_account']) AS n(name) LEFT JOIN pg_roles r ON r.rolname = n.name`,
  );
  return rows;
}

/** Reads the login of this connection; `maySeeMore` is true when it could do more than read after leaving its role (`RESET ROLE`). */
export async function readLogin(
  asked: Asked,
): Promise<{ readonly login: string; readonly maySeeMore: boolean }> {
  const { rows } = await asked.query<{ login: string; maySeeMore: boolean }>(
    `SELECT session_user::text AS login, rolsuper OR pg_has_role(session_user, 'nightshift_app', 'MEMBER') AS "maySeeMore"
      FROM pg_roles WHERE rolname = session_user`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres does not know the role that it let in.');
  return row;
}

/**
 * Privileges beyond the purpose of the roles, in plain words, one line each; empty without any. Requires all roles and the
 * current schema.
 */
export async function readExcessRights(db: Sql): Promise<readonly string[]> {
  const result = await db.execute<{ finding: string }>(
    sql`SELECT finding FROM (${readerReadsReportsOnly.broken} UNION ALL ${accountsReadTheirViewsOnly.broken} UNION ALL
      ${ledgerIsSealed.broken} UNION ALL
      SELECT format('nightshift_reader may create things in schema %I', nspname) FROM pg_namespace
      WHERE has_schema_privilege('nightshift_reader', oid, 'CREATE') AND nspname !~ '^pg_(temp|toast)'
      UNION ALL SELECT 'nightshift_reader may create schemas'
      WHERE has_database_privilege('nightshift_reader', current_database(), 'CREATE')) AS b ORDER BY finding`,
  );
  return result.rows.map((row) => row.finding);
}

/** True when any account has its own database login. */
export async function hasAccountLogins(asked: Asked): Promise<boolean> {
  const { rows } = await asked.query<{ any: boolean }>(
    'SELECT EXISTS (SELECT FROM nightshift.account_logins) AS any',
  );
  return rows[0]?.any === true;
}

/** Lists Postgres' own functions, by patterns of their names, that logins of accounts may call. */
export async function readReachingFunctions(
  asked: Asked,
  patterns: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await asked.query<{ name: string }>(
    `SELECT DISTINCT p.proname AS name FROM pg_proc p
      WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND p.proname LIKE ANY ($1)
        AND has_function_privilege('nightshift_account', p.oid, 'EXECUTE') ORDER BY name`,
    [patterns],
  );
  return rows.map(({ name }) => name);
}
