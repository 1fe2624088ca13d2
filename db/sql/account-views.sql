-- The views of account_reports: the views of reports, restricted to one account.

-- The account of the session: that of its login, else that of its backend; no row without either. It uses session_user because a session
-- can change its role, and only a superuser can change its login. A backend is identified by process id and start time; only its own role
-- can read the start time, so a later backend with the same id does not match. The sessions of standbys have a table of their own.
CREATE OR REPLACE VIEW nightshift.reading_account AS
  SELECT a.id AS account_id, a.name AS account FROM nightshift.accounts a
  WHERE a.id = coalesce(
    (SELECT l.account_id FROM nightshift.account_logins l WHERE l.role_name = session_user),
    (SELECT b.account_id FROM nightshift.reading_backends b
      JOIN pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()) g ON g.pid = b.pid AND g.backend_start = b.began_at),
    (SELECT b.account_id FROM nightshift.reading_replicas b
      JOIN pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()) g ON g.pid = b.pid AND g.backend_start = b.began_at)
  );

-- Conditions of a query are evaluated only after the rows of the account are selected, whatever their type. A security barrier alone lets
-- leakproof conditions pass, such as = on text and numbers: EXPLAIN ANALYZE then counts rows of other accounts. So every table is read in a
-- subquery that ends with OFFSET 0. Postgres pushes no condition into it (PostgreSQL source: subquery_is_pushdown_safe), and still drops
-- columns that a query does not use. `nightshift verify` checks every view for it.
--
-- A condition on the batch is common, and an account can have millions of rows. So a view with a batch selects the batches of the account
-- first, behind an optimisation fence, and reads the rest per batch through the indexes that begin with the batch. Single requests, which
-- have no batch, are added by UNION ALL. The planner estimates rows behind a fence from statistics of all accounts, and EXPLAIN shows the
-- estimate. With a security-barrier view between fence and table the estimate is constant. So these views read from nightshift.barred_…:
-- the views of reports behind such a barrier.
CREATE OR REPLACE VIEW nightshift.reading_batches WITH (security_barrier) AS
  SELECT b.public_id FROM nightshift.batches b WHERE b.account_id = (SELECT o.account_id FROM nightshift.reading_account o)
    AND b.deleted_at IS NULL OFFSET 0;

CREATE OR REPLACE VIEW nightshift.reading_requests WITH (security_barrier) AS
  SELECT l.id FROM nightshift.lookups l
  WHERE l.account_id = (SELECT o.account_id FROM nightshift.reading_account o) AND l.request_id IS NOT NULL OFFSET 0;

-- In the same way, the details of ads are read per ad of the account, and removed ads per advertiser: a snapshot can have millions of others.
CREATE OR REPLACE VIEW nightshift.reading_ads WITH (security_barrier) AS
  SELECT DISTINCT v.ad_id
  FROM (
    SELECT r.answer_id, max(r.ads) AS ads FROM nightshift.lookup_answers r
    WHERE r.account_id = (SELECT o.account_id FROM nightshift.reading_account o) GROUP BY r.answer_id
  ) r
  JOIN nightshift.answers a ON a.id = r.answer_id
  CROSS JOIN LATERAL unnest(a.versions[:r.ads]) AS u(version_id)
  JOIN nightshift.ad_versions v ON v.id = u.version_id OFFSET 0;

CREATE OR REPLACE VIEW nightshift.reading_advertisers WITH (security_barrier) AS
  SELECT DISTINCT s.subject AS advertiser_id
  FROM nightshift.lookup_answers r JOIN nightshift.answer_advertisers s ON s.answer_id = r.answer_id
  WHERE r.account_id = (SELECT o.account_id FROM nightshift.reading_account o) OFFSET 0;

-- Recreates every view and function of reports for accounts, with the same names, columns and comments. A view with a column account is
-- filtered by it; for other views this function names the owner of the rows. Public ids cannot be guessed, so only conditions on them are
-- moved before the selection. Charges of sources are visible to the default account alone, which belongs to the operator.
CREATE OR REPLACE FUNCTION nightshift.make_account_views() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
  v_id constant text := '(SELECT o.account_id FROM nightshift.reading_account o)';
  v_name constant text := '(SELECT o.account FROM nightshift.reading_account o)';
  v_of_lookups constant text := format('v.lookup_id IN (SELECT l.id FROM nightshift.lookups l WHERE l.account_id = %s)', v_id);
  -- Details that belong to no account are those of the snapshot.
  v_of_ads constant text := format('(v.account IS NULL OR v.account = %s)', v_name);
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
      coalesce(w.whose, CASE WHEN a.attname IS NOT NULL THEN 'v.account = ' || v_name END) AS whose, coalesce(w.operators, '{}') AS operators,
      f.fence, f.key
    FROM pg_class c
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account' AND NOT a.attisdropped
    LEFT JOIN (VALUES
      ('ads', true, v_of_lookups, NULL::text[]),
      ('lookups', true, v_of_lookups, NULL),
      ('email_results', true, v_of_lookups, NULL),
      ('lookup_sources', true, v_of_lookups, NULL),
      -- Every row belongs to a batch.
      ('rows', true, NULL, NULL),
      ('source_calls', false, format(
        'v.lookup_id IN (
          SELECT l.id FROM nightshift.lookups l WHERE l.account_id = %1$s
          UNION ALL
          SELECT c.lookup_id FROM nightshift.purged_chunks p JOIN nightshift.source_calls c
            ON c.lookup_id >= lower(p.lookups) AND c.lookup_id < upper(p.lookups) AND p.lookups @> c.lookup_id
          WHERE p.account_id = %1$s
        )', v_id), '{source_charge}'),
      ('source_charges', false, 'v.account = ' || v_name, '{units,expected,charged}'),
      ('source_prices', false, v_name || ' = ''default''', NULL),
      ('prices', false, 'true', NULL),
      ('advertisers', true, v_of_lookups, NULL),
      ('ad_details', false, v_of_ads, NULL),
      ('ad_regions', false, v_of_ads, NULL),
      ('removed_ads', false, 'true', NULL),
      ('ad_variants', false, format(
        'v.version_id IN (
          SELECT s.version_id FROM nightshift.lookup_ads s JOIN nightshift.lookups l ON l.id = s.lookup_id WHERE l.account_id = %1$s
          UNION ALL
          SELECT t.version_id FROM nightshift.tracked_ad_rows t JOIN nightshift.schedules s ON s.id = t.schedule_id WHERE s.account_id = %1$s
          UNION ALL
          SELECT unnest(ARRAY[c.version_id, c.version_before]) FROM nightshift.ad_changes c WHERE c.account_id = %1$s
        )', v_id), NULL)
    ) w(name, by_batch, whose, operators) ON w.name = c.relname
    LEFT JOIN (VALUES
      ('ad_details', 'reading_ads', 'ad_id'),
      ('ad_regions', 'reading_ads', 'ad_id'),
      ('removed_ads', 'reading_advertisers', 'advertiser_id')
    ) f(name, fence, key) ON f.name = c.relname
    WHERE c.relnamespace = 'reports'::regnamespace AND c.relkind = 'v' ORDER BY c.relname
  LOOP
    IF v_view.whose IS NULL AND NOT v_view.by_batch THEN
      RAISE EXCEPTION 'The owner of the rows of reports.% is unknown. Add a column account, or add the view to make_account_views().', v_view.name;
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
    ELSIF v_view.fence IS NOT NULL THEN
      EXECUTE format('CREATE VIEW nightshift.%I WITH (security_barrier) AS SELECT * FROM reports.%I', 'barred_' || v_view.name, v_view.name);
      v_source := format('SELECT %s FROM nightshift.%I m
          CROSS JOIN LATERAL (SELECT * FROM nightshift.%I v WHERE v.%I = m.%4$I AND %s OFFSET 0) v',
        v_columns, v_view.fence, 'barred_' || v_view.name, v_view.key, v_view.whose);
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

-- Opens a cursor `answer` for a query, with the rights of the caller. Because the text is a parameter, pg_stat_activity does not show it to
-- other sessions of the same login.
CREATE OR REPLACE FUNCTION account_reports.open_query(query text) RETURNS refcursor LANGUAGE plpgsql AS $$
DECLARE
  answer refcursor := 'answer';
BEGIN
  OPEN answer NO SCROLL FOR EXECUTE query;
  RETURN answer;
END $$;

COMMENT ON FUNCTION account_reports.open_query(text) IS 'Opens a cursor "answer" for a query. Used by POST /v1/sql.';

GRANT EXECUTE ON FUNCTION account_reports.open_query
  TO nightshift_account;

SELECT nightshift.make_account_views();
