import { sql } from 'drizzle-orm';
import type { QueryView } from '../../src/core/sql/account-queries.ts';
import type { Sql } from '../connection/client.ts';

/** Lists the views for accounts, and the functions that are queried like views, by name, from the catalog. */
export async function listQueryViews(db: Sql): Promise<readonly QueryView[]> {
  const { rows } = await db.execute<QueryView & Record<string, unknown>>(
    sql`SELECT c.relname AS name, NULL AS parameters, obj_description(c.oid, 'pg_class') AS comment, (
          SELECT jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
            'comment', col_description(a.attrelid, a.attnum)) ORDER BY a.attnum)
          FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        ) AS columns
      FROM pg_class c WHERE c.relnamespace = to_regnamespace('account_reports') AND c.relkind = 'v'
      UNION ALL
      SELECT p.proname, pg_get_function_arguments(p.oid), obj_description(p.oid, 'pg_proc'), (
          SELECT jsonb_agg(jsonb_build_object('name', t.name, 'type', format_type(t.type, NULL), 'comment', NULL) ORDER BY t.place)
          FROM unnest(p.proallargtypes, p.proargmodes, p.proargnames) WITH ORDINALITY AS t(type, mode, name, place) WHERE t.mode = 't'
        )
      FROM pg_proc p WHERE p.pronamespace = to_regnamespace('account_reports') AND p.proretset
      ORDER BY name`,
  );
  return rows;
}
