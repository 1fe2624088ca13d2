-- Ends sessions that hold others up, and rings listeners.

-- Wakes listeners on a channel, where that costs nothing. The queue of notifications belongs to the whole server: whoever listens and then
-- stays in a transaction keeps it from being emptied, and once it is full every transaction that notifies fails with its COMMIT. So nobody is
-- woken while it is half full, and what was to be done is found by polling. From half full to full are gigabytes, which no other session
-- writes between this look and a COMMIT.
CREATE OR REPLACE FUNCTION nightshift.notify(p_channel text) RETURNS void LANGUAGE sql VOLATILE AS
  $$ SELECT pg_catalog.pg_notify(p_channel, '') WHERE pg_catalog.pg_notification_queue_usage() < 0.5 $$;

-- Ends what a login of accounts runs: its statement, or its whole session. Postgres lets only members of that login's role do so, so the
-- owner of the schema is one of each that it makes (db/logins/account-logins.ts), and of the private server's nightshift_account_reader. False where
-- there is no such session, or where the owner has no right to it.
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

-- Ends sessions of accounts that stay: in a transaction without a statement for p_idle_ms, in one statement for p_statement_ms, or in one
-- transaction for both together. Their own limits are settings that a session may change. While the queue of notifications is half full,
-- every session of theirs that is in a transaction. Answers how many it ended. What the owner may not see of a session is null, and the
-- session stays.
CREATE OR REPLACE FUNCTION nightshift.end_lingering_sessions(p_idle_ms bigint, p_statement_ms bigint) RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  -- Chosen first: a planner looks at conditions in an order of its own, and one of these would end sessions.
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

-- Ends sessions of accounts that hold advisory locks, which only the application has a use for. Answers how many it ended.
CREATE OR REPLACE FUNCTION nightshift.end_lock_holders() RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH holders AS MATERIALIZED (
    SELECT DISTINCT l.pid FROM pg_locks l JOIN LATERAL pg_stat_get_activity(l.pid) a ON true JOIN pg_roles r ON r.oid = a.usesysid
    WHERE l.locktype = 'advisory' AND pg_has_role(r.oid, 'nightshift_account', 'MEMBER')
  )
  SELECT (count(*) FILTER (WHERE nightshift.end_account_backend(h.pid, true)))::integer FROM holders h
$$;

GRANT EXECUTE ON FUNCTION nightshift.notify,
  nightshift.end_account_backend,
  nightshift.end_lingering_sessions,
  nightshift.end_lock_holders
  TO nightshift_app;
