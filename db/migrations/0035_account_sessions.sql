-- Wakes listeners on a channel, where that costs nothing. The queue of notifications belongs to the whole server: whoever listens and then
-- stays in a transaction keeps it from being emptied, and once it is full every transaction that notifies fails with its COMMIT. So nobody is
-- woken while it is half full, and what was to be done is found by polling. From half full to full are gigabytes, which no other session
-- writes between this look and a COMMIT.
CREATE FUNCTION nightshift.notify(p_channel text) RETURNS void LANGUAGE sql VOLATILE AS
  $$ SELECT pg_catalog.pg_notify(p_channel, '') WHERE pg_catalog.pg_notification_queue_usage() < 0.5 $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION nightshift.notify(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION nightshift.notify(text) TO nightshift_app;
--> statement-breakpoint

-- Ends sessions of accounts that stay: in a transaction without a statement for p_idle_ms, in one statement for p_statement_ms, or in one
-- transaction for both together. Their own limits are settings that a session may change. While the queue of notifications is half full,
-- every session of theirs that is in a transaction. Answers how many it ended. What the owner may not see of a session is null, and the
-- session stays.
CREATE FUNCTION nightshift.end_lingering_sessions(p_idle_ms bigint, p_statement_ms bigint) RETURNS integer
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
--> statement-breakpoint
REVOKE ALL ON FUNCTION nightshift.end_lingering_sessions(bigint, bigint) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION nightshift.end_lingering_sessions(bigint, bigint) TO nightshift_app;
--> statement-breakpoint

-- Ends sessions of accounts that hold advisory locks, which only the application has a use for. Answers how many it ended.
CREATE FUNCTION nightshift.end_lock_holders() RETURNS integer
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH holders AS MATERIALIZED (
    SELECT DISTINCT l.pid FROM pg_locks l JOIN LATERAL pg_stat_get_activity(l.pid) a ON true JOIN pg_roles r ON r.oid = a.usesysid
    WHERE l.locktype = 'advisory' AND pg_has_role(r.oid, 'nightshift_account', 'MEMBER')
  )
  SELECT (count(*) FILTER (WHERE nightshift.end_account_backend(h.pid, true)))::integer FROM holders h
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION nightshift.end_lock_holders() FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION nightshift.end_lock_holders() TO nightshift_app;
