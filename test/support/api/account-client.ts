import pg from 'pg';

/** Runs a script as a user. Returns everything that comes back, as one text: rows, column names, errors and notices. */
export type Ask = (text: string) => Promise<string>;

/** Statements with which an account could try to read data of another, each run separately. `others` is the other account. */
export const nastyStatements: readonly string[] = [
  'SELECT * FROM reports.lookups',
  'TABLE nightshift.lookups',
  'SELECT * FROM nightshift.accounts',
  'SELECT * FROM nightshift.api_keys',
  'SELECT * FROM nightshift.reading_account',
  'SELECT * FROM nightshift.reading_backends',
  'SELECT * FROM nightshift.account_logins',
  'SELECT * FROM bullmq.job',
  'UPDATE nightshift.reading_backends SET account_id = 1',
  'INSERT INTO nightshift.reading_backends SELECT pg_backend_pid(), now(), 1',
  'INSERT INTO nightshift.account_logins SELECT 1, session_user::text',
  'SELECT nightshift.make_account_views()',
  "SELECT nightshift.veil('x')",
  "SELECT nightshift.create_account('mine')",
  'WITH gone AS (DELETE FROM batches RETURNING *) SELECT * FROM gone',
  'UPDATE batches SET account = account',
  "SELECT set_config('role', 'nightshift_app', false), (SELECT count(*) FROM nightshift.all_lookups)",
  "SELECT set_config('role', 'nightshift_app', false)",
  "SELECT set_config('role', 'nightshift_reader', false)",
  "SELECT set_config('role', 'nightshift_owner', false)",
  "SELECT set_config('role', 'postgres', false)",
  "SELECT set_config('session_authorization', 'postgres', false)",
  "SELECT set_config('session_authorization', 'nightshift_app', false)",
  "SELECT set_config('role', 'nightshift_account', false), b.* FROM batches b",
  "SELECT set_config('row_security', 'off', false), b.* FROM batches b",
  "SELECT set_config('search_path', 'reports, nightshift', false), b.* FROM batches b",
  "SELECT set_config('transaction_read_only', 'off', false)",
  "SELECT query_to_xml('SELECT * FROM reports.lookups', true, true, '')",
  "SELECT query_to_xml('SELECT * FROM account_reports.lookups', true, true, '')",
  "SELECT query_to_xml('SET ROLE nightshift_app', true, true, '')",
  "SELECT query_to_xml_and_xmlschema('SELECT * FROM nightshift.batch_rows', true, true, '')",
  "SELECT table_to_xml('reports.ads', true, true, '')",
  "SELECT schema_to_xml('reports', true, true, '')",
  "SELECT schema_to_xml('account_reports', true, true, '')",
  "SELECT database_to_xml(true, true, '')",
  "SELECT cursor_to_xml('answer', 100, true, true, '')",
  "SELECT * FROM ts_stat('SELECT to_tsvector(file_name) FROM reports.batches')",
  'SELECT * FROM lookups WHERE company_domain::integer = 1',
  'SELECT * FROM lookups WHERE (company_domain || lookup_id)::integer = 1',
  'SELECT * FROM rows WHERE cells::text::integer = 1',
  "SELECT * FROM lookups WHERE 1 / (CASE WHEN company_domain LIKE 'others%' THEN 1 ELSE 0 END) = 1",
  'SELECT * FROM ads WHERE 1 / (length(headline) - length(headline)) = 1',
  'SELECT * FROM ad_variants WHERE content::date IS NULL',
  'SELECT * FROM email_results WHERE email::inet IS NULL',
  "SELECT * FROM credit_ledger WHERE pg_lsn(reason) > '0/0'",
  'SELECT (SELECT file_name FROM batches)',
  'SELECT * FROM lookups l JOIN batches b ON b.file_name::integer = l.lookup_id',
  'SELECT * FROM ads_as_of(current_date)',
  'SELECT * FROM reports.ads_as_of(current_date)',
  "SELECT * FROM ads_as_of('2020-01-01', 'infinity')",
  'SELECT * FROM pg_stat_activity',
  'SELECT * FROM pg_stat_get_activity(NULL)',
  'SELECT * FROM pg_prepared_statements',
  'SELECT * FROM pg_prepared_xacts',
  'SELECT * FROM pg_locks',
  'SELECT * FROM pg_stats',
  'SELECT * FROM pg_stats_ext',
  'SELECT * FROM pg_statistic',
  'SELECT * FROM pg_authid',
  'SELECT * FROM pg_shadow',
  'SELECT * FROM pg_user_mappings',
  'SELECT * FROM pg_hba_file_rules',
  'SELECT * FROM pg_largeobject',
  'SELECT * FROM pg_largeobject_metadata',
  "SELECT lo_import('/etc/hostname')",
  "SELECT lo_from_bytea(0, 'x')",
  "SELECT pg_read_file('postgresql.conf')",
  "SELECT pg_ls_dir('.')",
  'SELECT pg_ls_waldir()',
  'SELECT * FROM pg_get_wal_resource_managers()',
  "SELECT pg_logical_slot_get_changes('x', NULL, NULL)",
  "SELECT * FROM dblink('dbname=nightshift', 'SELECT * FROM nightshift.all_lookups') AS t(x text)",
  'SELECT * FROM pg_get_replication_slots()',
  "SELECT pg_get_viewdef('account_reports.lookups'::regclass)",
  'SELECT * FROM information_schema.columns',
  'SELECT * FROM information_schema.role_table_grants',
  'SELECT * FROM pg_roles',
  'SELECT * FROM pg_class',
  'SELECT * FROM pg_proc WHERE pronamespace IN (SELECT oid FROM pg_namespace)',
  "SELECT account_reports.open_query('SELECT * FROM reports.ads')",
  'COPY (SELECT * FROM reports.ads) TO STDOUT',
  "COPY reports.ads TO PROGRAM 'cat'",
  'DO $$ BEGIN PERFORM * FROM reports.ads; END $$',
  'EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM lookups',
  "EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM ads WHERE headline = 'Headline cr-5'",
];

/** Messages of a login that are not statements with rows. Sent unchanged, also several at a time. */
export const nastyScripts: readonly string[] = [
  'SET ROLE nightshift_app; SELECT * FROM nightshift.all_lookups',
  'SET ROLE nightshift_account; SELECT * FROM lookups',
  'SET SESSION AUTHORIZATION postgres; SELECT * FROM nightshift.all_lookups',
  'RESET SESSION AUTHORIZATION; SELECT * FROM lookups',
  'SET search_path = reports; SELECT * FROM lookups',
  'BEGIN READ WRITE; DELETE FROM account_reports.batches; COMMIT',
  `CREATE FUNCTION pg_temp.leak(text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS
    $$ BEGIN RAISE NOTICE 'leaked: %', $1; RETURN true; END $$;
    SELECT * FROM lookups WHERE pg_temp.leak(company_domain);
    SELECT * FROM ads WHERE pg_temp.leak(headline);
    SELECT * FROM batches WHERE pg_temp.leak(file_name);
    SELECT * FROM rows WHERE pg_temp.leak(cells::text);
    SELECT * FROM ad_variants WHERE pg_temp.leak(content)`,
  `CREATE FUNCTION pg_temp.leak(text, text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS
    $$ BEGIN RAISE NOTICE 'leaked: %', $1; RETURN true; END $$;
    CREATE OPERATOR pg_temp.=== (FUNCTION = pg_temp.leak, LEFTARG = text, RIGHTARG = text, RESTRICT = eqsel);
    SELECT * FROM lookups WHERE company_domain OPERATOR(pg_temp.===) 'x';
    EXPLAIN SELECT * FROM ads WHERE headline OPERATOR(pg_temp.===) 'x'`,
  'CREATE FUNCTION pg_temp.sure(text) RETURNS boolean LANGUAGE sql LEAKPROOF AS $$ SELECT true $$',
  'CREATE TEMPORARY VIEW mine AS SELECT * FROM reports.lookups; SELECT * FROM mine',
  'CREATE OR REPLACE VIEW account_reports.lookups AS SELECT * FROM reports.lookups',
  'ALTER VIEW account_reports.lookups RESET (security_barrier)',
  'CREATE VIEW account_reports.mine AS SELECT 1',
  'GRANT nightshift_app TO CURRENT_USER',
  'CREATE ROLE mine',
  'CREATE EXTENSION dblink',
  'PREPARE q AS SELECT * FROM reports.lookups; EXECUTE q',
  'DECLARE c CURSOR WITH HOLD FOR SELECT * FROM lookups; FETCH ALL FROM c',
  'LOCK TABLE nightshift.accounts',
  'COMMENT ON VIEW account_reports.lookups IS NULL',
  'ALTER ROLE nightshift_account SUPERUSER',
  'VACUUM nightshift.lookups',
  'ANALYZE nightshift.lookups; SELECT * FROM pg_stats',
];

/** Opens a client with its own login. */
export async function openLoginAsker(url: string): Promise<{ ask: Ask; close: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  let notices: string[] = [];
  client.on('notice', (notice) => notices.push(JSON.stringify(notice)));
  return {
    ask: async (text) => {
      notices = [];
      const answer = await client.query(text).then(
        (result) => [result].flat().map(({ fields, rows }) => ({ fields, rows })),
        (error: unknown) =>
          Object.getOwnPropertyNames(error).map((name) => String(Reflect.get(error as object, name))),
      );
      await client.query('ROLLBACK');
      await client.query('RESET ALL; RESET ROLE; DISCARD PLANS');
      return JSON.stringify([answer, notices]);
    },
    close: () => client.end(),
  };
}
