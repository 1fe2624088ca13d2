-- The group of those who read one account. It has no login, is in no other role, and may read the views below and nothing else.
-- Roles are shared by all databases of a server; the private server's launcher makes it before.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'nightshift_account') THEN
    BEGIN
      CREATE ROLE nightshift_account NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
END $$;
--> statement-breakpoint
GRANT SELECT ON nightshift.account_logins TO nightshift_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON nightshift.account_limits TO nightshift_app;
--> statement-breakpoint

-- Which account a session of the shared login reads, for as long as one statement takes. The application writes it on a connection of
-- its own; the session itself cannot. After a crash there is no such session any more, so it is not logged.
CREATE UNLOGGED TABLE nightshift.reading_backends (
  pid integer PRIMARY KEY,
  began_at timestamptz NOT NULL,
  account_id bigint NOT NULL,
  bound_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.reading_backends TO nightshift_app;
--> statement-breakpoint

-- The account that the session reads: the one of its login, else the one its backend is bound to; no row where there is neither.
-- session_user, because a session may become another role, and nobody but a superuser another login. A backend is known by its
-- process id and its start, which nobody but its own role is told: another one with the same id is not bound.
CREATE VIEW nightshift.reading_account AS
  SELECT a.id AS account_id, a.name AS account FROM nightshift.accounts a
  WHERE a.id = coalesce(
    (SELECT l.account_id FROM nightshift.account_logins l WHERE l.role_name = session_user),
    (SELECT b.account_id FROM nightshift.reading_backends b
      JOIN pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()) g ON g.pid = b.pid AND g.backend_start = b.began_at)
  );
--> statement-breakpoint

-- Answers what it is given. A condition on a column behind it is looked at after the account's own rows were chosen, never before: it is
-- said to be volatile, which a planner may not move. So EXPLAIN ANALYZE counts nothing of others either. It costs nothing: the planner puts
-- the column itself in its place.
CREATE FUNCTION nightshift.veil(text) RETURNS text LANGUAGE sql VOLATILE PARALLEL SAFE AS 'SELECT $1';
--> statement-breakpoint
REVOKE ALL ON FUNCTION nightshift.veil(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION nightshift.veil(text) TO nightshift_account;
--> statement-breakpoint

CREATE SCHEMA account_reports;
--> statement-breakpoint
COMMENT ON SCHEMA account_reports IS
  'The views of reports, each with the rows of one account: that of the login. Made by nightshift.make_account_views().';
--> statement-breakpoint
REVOKE ALL ON SCHEMA account_reports FROM PUBLIC;
--> statement-breakpoint
GRANT USAGE ON SCHEMA account_reports TO nightshift_account;
--> statement-breakpoint

-- Makes every view and function of reports anew for accounts, with the same names, columns and comments. A migration that changes reports
-- calls it. A view with a column account has the rows of that account; of any other it is said here whose its rows are. Ids are guessed by
-- nobody, so only conditions on those are moved ahead of the choice, where they are quick; all other text is veiled. What the sources
-- charge is the operator's business, and shown to its own account alone, which is the default one.
CREATE FUNCTION nightshift.make_account_views() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
  v_id constant text := '(SELECT o.account_id FROM nightshift.reading_account o)';
  v_name constant text := '(SELECT o.account FROM nightshift.reading_account o)';
  v_of_lookups constant text := format('v.lookup_id IN (SELECT l.id FROM nightshift.lookups l WHERE l.account_id = %s)', v_id);
  v_ids constant text[] := '{batch,request,schedule_id,scan,notice,webhook}';
  v_view record;
  v_function record;
  v_columns text;
BEGIN
  FOR v_view IN SELECT relname FROM pg_class WHERE relnamespace = 'account_reports'::regnamespace AND relkind = 'v' LOOP
    EXECUTE format('DROP VIEW account_reports.%I', v_view.relname);
  END LOOP;
  FOR v_view IN
    SELECT c.oid, c.relname AS name, coalesce(w.whose, CASE WHEN a.attname IS NOT NULL THEN 'v.account = ' || v_name END) AS whose,
      coalesce(w.operators, '{}') AS operators
    FROM pg_class c
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account' AND NOT a.attisdropped
    LEFT JOIN (VALUES
      ('ads', v_of_lookups, NULL::text[]),
      ('lookup_sources', v_of_lookups, NULL),
      ('source_calls', v_of_lookups, '{source_charge}'),
      ('source_charges', 'v.account = ' || v_name, '{units,expected,charged}'),
      ('source_prices', v_name || ' = ''default''', NULL),
      ('prices', 'true', NULL),
      ('rows', format('v.batch IN (SELECT b.public_id FROM nightshift.batches b WHERE b.account_id = %s)', v_id), NULL),
      ('ad_variants', format(
        'v.version_id IN (
          SELECT s.version_id FROM nightshift.lookup_ads s JOIN nightshift.lookups l ON l.id = s.lookup_id WHERE l.account_id = %1$s
          UNION ALL
          SELECT t.version_id FROM nightshift.tracked_ads t JOIN nightshift.schedules s ON s.id = t.schedule_id WHERE s.account_id = %1$s
          UNION ALL
          SELECT unnest(ARRAY[c.version_id, c.version_before]) FROM nightshift.ad_changes c WHERE c.account_id = %1$s
        )', v_id), NULL)
    ) w(name, whose, operators) ON w.name = c.relname
    WHERE c.relnamespace = 'reports'::regnamespace AND c.relkind = 'v' ORDER BY c.relname
  LOOP
    IF v_view.whose IS NULL THEN
      RAISE EXCEPTION 'whose the rows of reports.% are is not known: give it a column account, or say it here', v_view.name;
    END IF;
    SELECT string_agg(CASE
        WHEN attname = ANY (v_view.operators) THEN format('CASE WHEN %s = ''default'' THEN v.%I END AS %2$I', v_name, attname)
        WHEN atttypid <> 'text'::regtype OR attname = ANY (v_ids) THEN format('v.%I', attname)
        ELSE format('nightshift.veil(v.%I) AS %1$I', attname)
      END, ', ' ORDER BY attnum)
      INTO v_columns FROM pg_attribute WHERE attrelid = v_view.oid AND attnum > 0 AND NOT attisdropped;
    EXECUTE format('CREATE VIEW account_reports.%I WITH (security_barrier) AS SELECT %s FROM reports.%1$I v WHERE %3$s',
      v_view.name, v_columns, v_view.whose);
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
--> statement-breakpoint
REVOKE ALL ON FUNCTION nightshift.make_account_views() FROM PUBLIC;
--> statement-breakpoint
SELECT nightshift.make_account_views();
--> statement-breakpoint

-- Begins somebody's query in the caller's own rights; its answer is fetched from the cursor `answer`. Given as a parameter, its text is in
-- no list of what the server is doing, where other sessions of the same login would read it.
CREATE FUNCTION account_reports.open_query(query text) RETURNS refcursor LANGUAGE plpgsql AS $$
DECLARE
  answer refcursor := 'answer';
BEGIN
  OPEN answer NO SCROLL FOR EXECUTE query;
  RETURN answer;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION account_reports.open_query(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION account_reports.open_query(text) TO nightshift_account;
--> statement-breakpoint
COMMENT ON FUNCTION account_reports.open_query(text) IS 'For the query box: begins a query, whose answer is fetched from the cursor "answer".';
