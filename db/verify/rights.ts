import { sql } from 'drizzle-orm';
import type { Clause } from './clause.ts';

const writes = sql`unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS w(privilege)`;
/** Kinds of relations that can be read: tables, partitioned or not, views, foreign tables. Sequences are checked separately. */
const readable = sql`('r', 'p', 'v', 'm', 'f')`;

/** The application moves credits only through the ledger's functions: it may not write the tables, nor become a role that may. */
export const ledgerIsSealed: Clause = {
  checked: sql`SELECT 2::bigint AS n`,
  broken: sql`SELECT format('nightshift_app may %s %s', w.privilege, t.name) AS finding
    FROM unnest(ARRAY['ledger_blocks', 'credit_balances']) AS t(name) CROSS JOIN ${writes}
    WHERE has_table_privilege('nightshift_app', 'nightshift.' || t.name, w.privilege)
      OR (w.privilege IN ('INSERT', 'UPDATE')
        AND has_any_column_privilege('nightshift_app', 'nightshift.' || t.name, w.privilege))
    UNION ALL
    SELECT format('nightshift_app may act as %s, who owns %s', pg_get_userbyid(c.relowner), c.relname)
    FROM pg_class c
    WHERE c.relnamespace = to_regnamespace('nightshift') AND c.relname IN ('ledger_blocks', 'credit_balances')
      AND pg_has_role('nightshift_app', c.relowner, 'MEMBER')
    UNION ALL
    SELECT format('nightshift_app may call %s, the inside of the ledger', p.oid::regprocedure)
    FROM pg_proc p
    WHERE p.pronamespace = to_regnamespace('nightshift') AND p.proname IN ('ledger_lock', 'ledger_append', 'ledger_move', 'ledger_close')
      AND has_function_privilege('nightshift_app', p.oid, 'EXECUTE')`,
};

/** Views that select what an account may read. */
const fences = sql`unnest(ARRAY['reading_ads', 'reading_advertisers', 'reading_batches', 'reading_requests']) AS f(name)`;

/**
 * Views of accounts that read a table outside of a fence, which is a subquery that ends with OFFSET 0 and that no condition of
 * a query enters. The views that select the account's batches, requests and ads are fences too. Definitions are taken apart from the
 * innermost parentheses outwards: a fence is removed with its content, other parentheses leave their content.
 */
const unfenced = sql`(
  WITH RECURSIVE peeled(oid, definition) AS (
    SELECT c.oid, '(' || rtrim(pg_get_viewdef(c.oid), '; ') || ')' FROM pg_class c
    WHERE c.relkind = 'v' AND (c.relnamespace = to_regnamespace('account_reports')
      OR c.oid IN (SELECT to_regclass('nightshift.' || f.name) FROM ${fences}))
    UNION ALL
    SELECT oid, regexp_replace(regexp_replace(definition, '\\([^()]*\\sOFFSET 0\\s*\\)', ' ', 'g'), '\\(([^()]*)\\)', ' \\1 ', 'g') FROM peeled
    WHERE definition LIKE '%(%'
  )
  SELECT oid FROM peeled
  WHERE definition NOT LIKE '%(%' AND definition ~ '(FROM|JOIN)\\s+(nightshift|reports|public)\\.(?!reading_(account|ads|advertisers|batches|requests)\\M)'
)`;

/**
 * Accounts' own logins can read the views made for them and nothing else. Every view of `reports` has one, and each of those
 * selects the rows before it evaluates the conditions of a query.
 */
export const accountsReadTheirViewsOnly: Clause = {
  checked: sql`SELECT count(*) AS n FROM pg_class c
    WHERE c.relnamespace IN (to_regnamespace('reports'), to_regnamespace('account_reports')) AND c.relkind IN ${readable}`,
  broken: sql`SELECT format('accounts have no view of reports.%s', c.relname) AS finding
    FROM pg_class c
    WHERE c.relnamespace = to_regnamespace('reports') AND c.relkind IN ${readable} AND NOT EXISTS (
      SELECT 1 FROM pg_class o WHERE o.relnamespace = to_regnamespace('account_reports') AND o.relname = c.relname
        AND has_table_privilege('nightshift_account', o.oid, 'SELECT') AND has_schema_privilege('nightshift_account', o.relnamespace, 'USAGE'))
    UNION ALL
    SELECT format('account_reports.%s has no security barrier', c.relname)
    FROM pg_class c
    WHERE c.relnamespace = to_regnamespace('account_reports') AND c.relkind IN ${readable}
      AND c.reloptions @> ARRAY['security_barrier=true'] IS NOT TRUE
    UNION ALL
    SELECT format('account_reports.%s looks at conditions of a query before it chooses the rows of the account', c.relname)
    FROM pg_class c JOIN ${unfenced} u ON u.oid = c.oid
    UNION ALL
    SELECT format('nightshift_account may enter the schema %s', n.nspname)
    FROM pg_namespace n
    WHERE n.nspname IN ('nightshift', 'reports', 'bullmq') AND has_schema_privilege('nightshift_account', n.oid, 'USAGE')
    UNION ALL
    SELECT format('nightshift_account may %s %s', w.privilege, c.oid::regclass)
    FROM pg_class c CROSS JOIN ${writes}
    WHERE c.relnamespace IN (to_regnamespace('reports'), to_regnamespace('nightshift'), to_regnamespace('account_reports'))
      AND c.relkind IN ${readable} AND has_table_privilege('nightshift_account', c.oid, w.privilege)
    UNION ALL
    SELECT format('%s may act as %s, and reads more than one account', m.rolname, o.rolname)
    FROM pg_roles m CROSS JOIN pg_roles o
    WHERE (m.rolname = 'nightshift_account' OR m.rolname IN (SELECT role_name FROM nightshift.account_logins))
      AND o.rolname NOT IN (m.rolname, 'nightshift_account') AND pg_has_role(m.oid, o.oid, 'MEMBER')
    UNION ALL
    SELECT format('nightshift_app may %s nightshift.account_logins, which says who reads what', w.privilege)
    FROM ${writes} WHERE has_table_privilege('nightshift_app', 'nightshift.account_logins', w.privilege)`,
};

/** The operator's reader can read every view of `reports`, write none, and read none of the underlying tables. */
export const readerReadsReportsOnly: Clause = {
  checked: sql`SELECT count(*) AS n FROM pg_class c
    WHERE c.relnamespace IN (to_regnamespace('reports'), to_regnamespace('nightshift')) AND c.relkind IN ${readable}`,
  broken: sql`SELECT format('nightshift_reader may not read reports.%s', c.relname) AS finding
    FROM pg_class c
    WHERE c.relnamespace = to_regnamespace('reports') AND c.relkind IN ${readable}
      AND NOT (has_table_privilege('nightshift_reader', c.oid, 'SELECT')
        AND has_schema_privilege('nightshift_reader', c.relnamespace, 'USAGE'))
    UNION ALL
    SELECT format('nightshift_reader may %s %s', w.privilege, c.oid::regclass)
    FROM pg_class c CROSS JOIN ${writes}
    WHERE c.relnamespace IN (to_regnamespace('reports'), to_regnamespace('nightshift')) AND c.relkind IN ${readable}
      AND has_table_privilege('nightshift_reader', c.oid, w.privilege)
    UNION ALL
    SELECT format('nightshift_reader may read %s', c.oid::regclass)
    FROM pg_class c
    WHERE c.relnamespace = to_regnamespace('nightshift') AND c.relkind IN ${readable}
      AND has_any_column_privilege('nightshift_reader', c.oid, 'SELECT')
    UNION ALL
    SELECT format('nightshift_reader may act as %s, who reads tables', a.role)
    FROM unnest(ARRAY['nightshift_app']) AS a(role) WHERE pg_has_role('nightshift_reader', a.role, 'MEMBER')`,
};
