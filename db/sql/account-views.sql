-- The views of account_reports: those of reports, with the rows of one account.

-- The account that the session reads: the one of its login, else the one its backend is bound to; no row where there is neither.
-- session_user, because a session may become another role, and nobody but a superuser another login. A backend is known by its
-- process id and its start, which nobody but its own role is told: another one with the same id is not bound.
CREATE OR REPLACE VIEW nightshift.reading_account AS
  SELECT a.id AS account_id, a.name AS account FROM nightshift.accounts a
  WHERE a.id = coalesce(
    (SELECT l.account_id FROM nightshift.account_logins l WHERE l.role_name = session_user),
    (SELECT b.account_id FROM nightshift.reading_backends b
      JOIN pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()) g ON g.pid = b.pid AND g.backend_start = b.began_at)
  );

-- The views of accounts, so that no condition of a query is looked at before the account's own rows were chosen, whatever the type of its
-- column. A security barrier alone lets conditions through that Postgres knows to be leakproof, such as = on text and on numbers: EXPLAIN
-- ANALYZE then counted rows of other accounts. Here every table is read within a subquery that ends with OFFSET 0, which no condition enters
-- (PostgreSQL source: subquery_is_pushdown_safe), and of whose columns those that nobody asks for are still left out. `nightshift verify`
-- holds every view to that.
--
-- A condition on the batch is common, and an account may have millions of rows. So where there is a batch, the account's batches are chosen
-- first, within a fence, and the rest is read for each of them by the indexes that begin with the batch: a condition on the batch chooses
-- among the account's own. What was asked over HTTP without a batch comes beside it. A planner guesses from statistics of all accounts how
-- many rows a condition on a fence leaves, and EXPLAIN shows the guess; where a view with a security barrier lies between it and the table, it
-- guesses the same for everything. So those views read from nightshift.barred_…, which are the views of reports with such a barrier.
CREATE OR REPLACE VIEW nightshift.reading_batches WITH (security_barrier) AS
  SELECT b.public_id FROM nightshift.batches b WHERE b.account_id = (SELECT o.account_id FROM nightshift.reading_account o) OFFSET 0;

CREATE OR REPLACE VIEW nightshift.reading_requests WITH (security_barrier) AS
  SELECT l.id FROM nightshift.lookups l
  WHERE l.account_id = (SELECT o.account_id FROM nightshift.reading_account o) AND l.request_id IS NOT NULL OFFSET 0;

-- Makes every view and function of reports anew for accounts, with the same names, columns and comments. A migration that changes reports
-- calls it. A view with a column account has the rows of that account; of any other it is said here whose its rows are. Ids are guessed by
-- nobody, so only conditions on those are moved ahead of the choice, where they are quick; all other text is veiled. What the sources
-- charge is the operator's business, and shown to its own account alone, which is the default one.
CREATE OR REPLACE FUNCTION nightshift.make_account_views() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
  v_id constant text := '(SELECT o.account_id FROM nightshift.reading_account o)';
  v_name constant text := '(SELECT o.account FROM nightshift.reading_account o)';
  v_of_lookups constant text := format('v.lookup_id IN (SELECT l.id FROM nightshift.lookups l WHERE l.account_id = %s)', v_id);
  v_view record;
  v_function record;
  v_columns text;
  v_source text;
BEGIN
  FOR v_view IN SELECT relname FROM pg_class WHERE relnamespace = 'account_reports'::regnamespace AND relkind = 'v' LOOP
    EXECUTE format('DROP VIEW account_reports.%I', v_view.relname);
    EXECUTE format('DROP VIEW IF EXISTS nightshift.%I', 'barred_' || v_view.relname);
  END LOOP;
  FOR v_view IN
    SELECT c.oid, c.relname AS name, coalesce(w.by_batch, false) AS by_batch,
      coalesce(w.whose, CASE WHEN a.attname IS NOT NULL THEN 'v.account = ' || v_name END) AS whose, coalesce(w.operators, '{}') AS operators
    FROM pg_class c
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account' AND NOT a.attisdropped
    LEFT JOIN (VALUES
      ('ads', true, v_of_lookups, NULL::text[]),
      ('lookups', true, v_of_lookups, NULL),
      ('email_results', true, v_of_lookups, NULL),
      ('lookup_sources', true, v_of_lookups, NULL),
      -- Rows are of batches alone.
      ('rows', true, NULL, NULL),
      ('source_calls', false, v_of_lookups, '{source_charge}'),
      ('source_charges', false, 'v.account = ' || v_name, '{units,expected,charged}'),
      ('source_prices', false, v_name || ' = ''default''', NULL),
      ('prices', false, 'true', NULL),
      ('ad_variants', false, format(
        'v.version_id IN (
          SELECT s.version_id FROM nightshift.lookup_ads s JOIN nightshift.lookups l ON l.id = s.lookup_id WHERE l.account_id = %1$s
          UNION ALL
          SELECT t.version_id FROM nightshift.tracked_ads t JOIN nightshift.schedules s ON s.id = t.schedule_id WHERE s.account_id = %1$s
          UNION ALL
          SELECT unnest(ARRAY[c.version_id, c.version_before]) FROM nightshift.ad_changes c WHERE c.account_id = %1$s
        )', v_id), NULL)
    ) w(name, by_batch, whose, operators) ON w.name = c.relname
    WHERE c.relnamespace = 'reports'::regnamespace AND c.relkind = 'v' ORDER BY c.relname
  LOOP
    IF v_view.whose IS NULL AND NOT v_view.by_batch THEN
      RAISE EXCEPTION 'whose the rows of reports.% are is not known: give it a column account, or say it here', v_view.name;
    END IF;
    SELECT string_agg(CASE
        WHEN attname = ANY (v_view.operators) THEN format('CASE WHEN %s = ''default'' THEN v.%I END AS %2$I', v_name, attname)
        WHEN v_view.by_batch AND attname = 'batch' THEN '%s AS batch'
        ELSE format('v.%I', attname)
      END, ', ' ORDER BY attnum)
      INTO v_columns FROM pg_attribute WHERE attrelid = v_view.oid AND attnum > 0 AND NOT attisdropped;
    IF v_view.by_batch THEN
      EXECUTE format('CREATE VIEW nightshift.%I WITH (security_barrier) AS SELECT * FROM reports.%I', 'barred_' || v_view.name, v_view.name);
      v_source := format('SELECT %s FROM nightshift.reading_batches m
          CROSS JOIN LATERAL (SELECT * FROM nightshift.%I v WHERE v.batch = m.public_id OFFSET 0) v',
        format(v_columns, 'm.public_id'), 'barred_' || v_view.name);
      IF v_view.whose IS NOT NULL THEN
        v_source := format('%s UNION ALL SELECT %s FROM nightshift.reading_requests m
            CROSS JOIN LATERAL (SELECT * FROM nightshift.%I v WHERE v.lookup_id = m.id OFFSET 0) v',
          v_source, format(v_columns, 'NULL::text'), 'barred_' || v_view.name);
      END IF;
    ELSE
      v_source := format('SELECT %s FROM reports.%I v WHERE %s OFFSET 0', v_columns, v_view.name, v_view.whose);
    END IF;
    EXECUTE format('CREATE VIEW account_reports.%I WITH (security_barrier) AS %s', v_view.name, v_source);
    EXECUTE format('GRANT SELECT ON account_reports.%I TO nightshift_account', v_view.name);
    EXECUTE (SELECT coalesce(string_agg(format('COMMENT ON %s IS %L',
        CASE objsubid WHEN 0 THEN format('VIEW account_reports.%I', v_view.name)
          ELSE format('COLUMN account_reports.%I.%I', v_view.name, (SELECT attname FROM pg_attribute WHERE attrelid = objoid AND attnum = objsubid)) END,
        replace(description, 'reports.', '')), '; '), 'SELECT')
      FROM pg_description WHERE objoid = v_view.oid AND classoid = 'pg_class'::regclass);
  END LOOP;
  FOR v_function IN SELECT oid FROM pg_proc WHERE pronamespace = 'reports'::regnamespace LOOP
    EXECUTE replace(pg_get_functiondef(v_function.oid), 'reports.', 'account_reports.');
    EXECUTE (SELECT format('REVOKE ALL ON FUNCTION %1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION %1$s TO nightshift_account; COMMENT ON FUNCTION %1$s IS %2$L',
        format('account_reports.%I(%s)', proname, pg_get_function_identity_arguments(oid)), replace(obj_description(oid, 'pg_proc'), 'reports.', ''))
      FROM pg_proc WHERE oid = v_function.oid);
  END LOOP;
END $fn$;

-- Begins somebody's query in the caller's own rights; its answer is fetched from the cursor `answer`. Given as a parameter, its text is in
-- no list of what the server is doing, where other sessions of the same login would read it.
CREATE OR REPLACE FUNCTION account_reports.open_query(query text) RETURNS refcursor LANGUAGE plpgsql AS $$
DECLARE
  answer refcursor := 'answer';
BEGIN
  OPEN answer NO SCROLL FOR EXECUTE query;
  RETURN answer;
END $$;

COMMENT ON FUNCTION account_reports.open_query(text) IS 'For the query box: begins a query, whose answer is fetched from the cursor "answer".';

GRANT EXECUTE ON FUNCTION account_reports.open_query
  TO nightshift_account;

SELECT nightshift.make_account_views();
