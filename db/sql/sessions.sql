-- Notifications, the end of sessions that block others, and rewrites of tables that grow while a transaction stays open.

-- Notifies listeners on a channel, unless the notification queue is half full. The server has one queue: a listener that stays in a
-- transaction keeps it from being emptied, and a full queue makes every notifying transaction fail at COMMIT. Without a notification, polling
-- finds the work. The other half of the queue has gigabytes, which no session fills between this check and its COMMIT.
CREATE OR REPLACE FUNCTION nightshift.notify(p_channel text) RETURNS void LANGUAGE sql VOLATILE AS
  $$ SELECT pg_catalog.pg_notify(p_channel, '') WHERE pg_catalog.pg_notification_queue_usage() < 0.5 $$;

-- Cancels the statement of an account login, or terminates its session. Postgres allows this to members of the login's role only, so the owner
-- of the schema is a member of each role that it creates (db/logins/account-logins.ts), and of nightshift_account_reader on the private server.
-- Returns false without such a session, or without the right.
CREATE OR REPLACE FUNCTION nightshift.end_account_backend(p_pid integer, p_terminate boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_stat_get_activity(p_pid) a JOIN pg_roles r ON r.oid = a.usesysid JOIN pg_database d ON d.oid = a.datid
    WHERE d.datname = current_database() AND NOT r.rolsuper AND pg_has_role(r.oid, 'nightshift_account', 'MEMBER')
      AND NOT pg_has_role(r.oid, 'nightshift_app', 'MEMBER') AND NOT pg_has_role(r.oid, current_user, 'MEMBER'))
  THEN RETURN false; END IF;
  RETURN CASE WHEN p_terminate THEN pg_terminate_backend(p_pid) ELSE pg_cancel_backend(p_pid) END;
EXCEPTION WHEN insufficient_privilege THEN RETURN false;
END $$;

-- Terminates account sessions that are idle in a transaction for p_idle_ms, in one statement for p_statement_ms, or in one transaction for the
-- sum of both. Timeouts of the session itself are not enough, because a session can change them. While the notification queue is half full,
-- terminates every account session in a transaction. Returns the number of sessions. A session whose state the owner cannot see stays.
CREATE OR REPLACE FUNCTION nightshift.end_lingering_sessions(p_idle_ms bigint, p_statement_ms bigint) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  -- MATERIALIZED, because the planner may reorder conditions, and terminating a session is a side effect.
  WITH due AS MATERIALIZED (
    SELECT a.pid FROM pg_stat_get_activity(NULL) a JOIN pg_roles r ON r.oid = a.usesysid,
      LATERAL (SELECT clock_timestamp() - p_idle_ms * interval '1 millisecond' AS idle_since,
        clock_timestamp() - p_statement_ms * interval '1 millisecond' AS asked_since,
        clock_timestamp() - (p_idle_ms + p_statement_ms) * interval '1 millisecond' AS open_since) t
    WHERE pg_has_role(r.oid, 'nightshift_account', 'MEMBER')
      AND ((a.state LIKE 'idle in transaction%' AND a.state_change < t.idle_since)
        OR (a.state IN ('active', 'fastpath function call') AND a.query_start < t.asked_since)
        OR a.xact_start < t.open_since
        OR (a.xact_start IS NOT NULL AND pg_notification_queue_usage() >= 0.5))
  )
  SELECT (count(*) FILTER (WHERE nightshift.end_account_backend(d.pid, true)))::integer FROM due d
$$;

-- Terminates account sessions that hold advisory locks, which only the application uses. Returns the number of sessions.
CREATE OR REPLACE FUNCTION nightshift.end_lock_holders() RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH holders AS MATERIALIZED (
    SELECT DISTINCT l.pid FROM pg_locks l JOIN LATERAL pg_stat_get_activity(l.pid) a ON true JOIN pg_roles r ON r.oid = a.usesysid
    WHERE l.locktype = 'advisory' AND pg_has_role(r.oid, 'nightshift_account', 'MEMBER')
  )
  SELECT (count(*) FILTER (WHERE nightshift.end_account_backend(h.pid, true)))::integer FROM holders h
$$;

-- Returns the moment before which every transaction that writes results is over. A lookup has the time at which its transaction began, so none
-- that is committed later has an earlier time: a snapshot that is taken after the call has all lookups that ended before the moment. Transactions
-- of all logins that may write hold it back. Null if the owner cannot see one of their sessions.
CREATE OR REPLACE FUNCTION nightshift.settled_before() RETURNS timestamptz
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  -- A session shows the start of its transaction shortly after it has taken it, which is what the second is for.
  SELECT CASE WHEN count(*) FILTER (WHERE a.query = '<insufficient privilege>' OR a.state = 'disabled') = 0
    THEN least(clock_timestamp() - interval '1 second', min(a.xact_start)) END
  FROM pg_stat_get_activity(NULL) a JOIN pg_database d ON d.oid = a.datid JOIN pg_roles r ON r.oid = a.usesysid
  WHERE d.datname = current_database() AND a.pid <> pg_backend_pid()
    AND (pg_has_role(r.oid, 'nightshift_app', 'MEMBER') OR has_table_privilege(r.oid, 'nightshift.lookups', 'INSERT'))
$$;

GRANT EXECUTE ON FUNCTION nightshift.notify,
  nightshift.settled_before,
  nightshift.end_account_backend,
  nightshift.end_lingering_sessions,
  nightshift.end_lock_holders
  TO nightshift_app;

-- Rewrites tables with few rows that change with each call or job, when they have grown. While any transaction of the server stays open,
-- Postgres keeps every version of a row that is newer, and each access to the row reads them all: after an hour, each reservation of a call
-- would read 200,000.
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
