-- Rewrites of tables with few rows that change with each call or job. While any transaction of the server stays open, Postgres keeps every
-- version of a row that is newer, and whoever looks for the row reads them all: after an hour, each reservation of a call would read 200,000.

-- A rewritten table is empty for the snapshots of older transactions. So every statement on these takes a snapshot that is newer than its
-- lock, and no table of the record may stand here.
-- Versions that autovacuum removes within a minute stay below bytes_min.
CREATE OR REPLACE FUNCTION nightshift.rewrite_grown_tables() RETURNS void
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_table regclass;
BEGIN
  FOR v_table IN
    SELECT to_regclass(h.name) FROM (VALUES ('nightshift.source_buckets', 131072), ('bullmq.job', 8388608)) AS h(name, bytes_min)
    WHERE pg_relation_size(to_regclass(h.name)) > h.bytes_min AND has_table_privilege(to_regclass(h.name), 'TRUNCATE')
  LOOP
    IF has_grown(v_table) THEN PERFORM rewrite_table(v_table); END IF;
  END LOOP;
END $$;

-- True if a table has eight times the size of its rows.
CREATE OR REPLACE FUNCTION nightshift.has_grown(p_table regclass) RETURNS boolean
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_bytes bigint;
BEGIN
  EXECUTE format('SELECT coalesce(sum(pg_column_size(t)), 0) FROM %s t', p_table) INTO v_bytes;
  RETURN 8 * v_bytes < pg_relation_size(p_table);
END $$;

-- Rewrites a table with those that reference it, which Postgres empties together only. Other statements wait behind the lock for 250 ms at
-- most: a table in use stays as it is until the next round.
CREATE OR REPLACE FUNCTION nightshift.rewrite_table(p_table regclass) RETURNS void
LANGUAGE plpgsql SET search_path = nightshift, pg_temp SET lock_timeout = '250ms' AS $$
DECLARE
  v_tables regclass[] := ARRAY(
    WITH RECURSIVE tables AS (
      SELECT p_table::oid AS id
      UNION SELECT c.conrelid FROM pg_constraint c JOIN tables t ON c.confrelid = t.id WHERE c.contype = 'f'
    )
    SELECT id::regclass FROM tables);
  v_names text := array_to_string(v_tables, ', ');
  v_table regclass;
BEGIN
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', v_names);
  FOREACH v_table IN ARRAY v_tables LOOP
    EXECUTE format('CREATE TEMPORARY TABLE %I ON COMMIT DROP AS TABLE %s', 'kept_' || v_table::oid, v_table);
  END LOOP;
  EXECUTE format('TRUNCATE %s', v_names);
  FOREACH v_table IN ARRAY v_tables LOOP
    EXECUTE format('INSERT INTO %s TABLE pg_temp.%I', v_table, 'kept_' || v_table::oid);
  END LOOP;
EXCEPTION WHEN lock_not_available THEN
  -- It is in use.
END $$;

GRANT EXECUTE ON FUNCTION nightshift.rewrite_grown_tables, nightshift.has_grown, nightshift.rewrite_table TO nightshift_app;
GRANT TRUNCATE ON nightshift.source_buckets TO nightshift_app;
