-- The first step of a commit in one round trip: locks the chunk for whoever holds its token, and says which of these lookups are
-- still without an outcome. Null: the chunk belongs to somebody else by now.
--
-- Until the transaction ends, the reconciler and other workers wait here and then find the chunk changed. The second statement is of
-- its own snapshot, so it sees what was committed while the first waited.
CREATE FUNCTION nightshift.lock_open(p_chunk bigint, p_token uuid, p_lookups bigint[])
RETURNS bigint[]
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
BEGIN
  PERFORM 1 FROM chunks WHERE id = p_chunk AND token = p_token AND state = 'running' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  RETURN ARRAY(SELECT id FROM lookups WHERE outcome IS NULL AND id = ANY (p_lookups));
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION nightshift.lock_open(bigint, uuid, bigint[]) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION nightshift.lock_open(bigint, uuid, bigint[]) TO nightshift_app;
