-- Ends what a login of accounts runs: its statement, or its whole session. Postgres lets only members of that login's role do so, so the
-- owner of the schema is one of each that it makes (db/logins/account-logins.ts), and of the private server's nightshift_account_reader. False where
-- there is no such session, or where the owner has no right to it.
CREATE FUNCTION nightshift.end_account_backend(p_pid integer, p_terminate boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_stat_get_activity(p_pid) a JOIN pg_roles r ON r.oid = a.usesysid JOIN pg_database d ON d.oid = a.datid
    WHERE d.datname = current_database() AND NOT r.rolsuper AND pg_has_role(r.oid, 'nightshift_account', 'MEMBER')
      AND NOT pg_has_role(r.oid, 'nightshift_app', 'MEMBER') AND NOT pg_has_role(r.oid, current_user, 'MEMBER'))
  THEN RETURN false; END IF;
  RETURN CASE WHEN p_terminate THEN pg_terminate_backend(p_pid) ELSE pg_cancel_backend(p_pid) END;
EXCEPTION WHEN insufficient_privilege THEN RETURN false;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION nightshift.end_account_backend(integer, boolean) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION nightshift.end_account_backend(integer, boolean) TO nightshift_app;
--> statement-breakpoint

-- Logins that were made before. Where there is no right to that, their sessions end at their own limits.
DO $$
DECLARE
  v_role text;
BEGIN
  FOR v_role IN SELECT l.role_name FROM nightshift.account_logins l JOIN pg_catalog.pg_roles r ON r.rolname = l.role_name LOOP
    BEGIN
      EXECUTE format('GRANT %I TO %I', v_role, current_user);
    EXCEPTION WHEN insufficient_privilege OR invalid_grant_operation THEN NULL;
    END;
  END LOOP;
END $$;
