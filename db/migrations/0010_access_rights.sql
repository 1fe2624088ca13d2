-- Keys, their history, and what repeated requests are answered with.
GRANT SELECT ON nightshift.api_keys, nightshift.audit_log, nightshift.idempotency_keys TO nightshift_app;
--> statement-breakpoint
GRANT INSERT ON nightshift.api_keys, nightshift.audit_log TO nightshift_app;
--> statement-breakpoint
GRANT UPDATE (revoked_at, last_used_at) ON nightshift.api_keys TO nightshift_app;
--> statement-breakpoint
GRANT INSERT, UPDATE, DELETE ON nightshift.idempotency_keys TO nightshift_app;
--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA nightshift TO nightshift_app;
--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON nightshift.audit_log
  FOR EACH ROW EXECUTE FUNCTION nightshift.refuse_change();
--> statement-breakpoint
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON nightshift.audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION nightshift.refuse_change();
--> statement-breakpoint
ALTER TABLE nightshift.audit_log ENABLE ALWAYS TRIGGER append_only;
--> statement-breakpoint
ALTER TABLE nightshift.audit_log ENABLE ALWAYS TRIGGER append_only_truncate;
--> statement-breakpoint

-- An account and its balance of nothing. Only the ledger's owner writes balances, so this is a function of its.
CREATE FUNCTION nightshift.create_account(p_name text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_id bigint;
BEGIN
  INSERT INTO accounts (name) VALUES (p_name) ON CONFLICT (name) DO NOTHING RETURNING id INTO v_id;
  IF v_id IS NOT NULL THEN
    INSERT INTO credit_balances (account_id) VALUES (v_id);
  END IF;
  RETURN v_id;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION nightshift.create_account(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION nightshift.create_account(text) TO nightshift_app;
--> statement-breakpoint

-- How often each key, account and address asked lately, where there is no Redis. Worth nothing after a crash, so it is not logged,
-- and counting waits for no disk. The columns are those of the library that keeps it.
CREATE UNLOGGED TABLE nightshift.rate_limits (
  key text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
) WITH (fillfactor = 50);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.rate_limits TO nightshift_app;
--> statement-breakpoint

-- Single searches by company; those of batches are found through their batch. No column that a commit writes: its updates stay in
-- their pages.
CREATE INDEX lookups_of_requests ON nightshift.lookups (account_id, subject_key, id) WHERE request_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX batches_by_account ON nightshift.batches (account_id, id);
