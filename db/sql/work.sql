-- Start and commit of work: single requests, and the open lookups of a chunk.

-- Opens a single request in one round trip: holds the price of a result, and inserts the lookup and its chunk. With an insufficient balance it
-- stores nothing, and lookup_id is null.
--
-- The commit is asynchronous. Later commits, such as the record of a call or the outcome, are synchronous and make it durable. A crash loses
-- only a lookup without any call.
CREATE OR REPLACE FUNCTION nightshift.open_request(p_account bigint, p_request text, p_operation text, p_key text, p_domain text, p_name text,
  p_email text, p_lease_ms bigint, OUT chunk_id bigint, OUT token uuid, OUT lookup_id bigint, OUT price_micro bigint)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_lookup bigint := nextval('lookup_id_blocks');
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT p.amount_micro INTO price_micro FROM prices p
    WHERE p.operation = p_operation AND p.effective_from <= now() ORDER BY p.effective_from DESC LIMIT 1;
  IF (credit_reserve(p_account, ARRAY[v_lookup], ARRAY[1]::smallint[], ARRAY[price_micro]))[1] = 'insufficient' THEN
    RETURN;
  END IF;
  lookup_id := v_lookup;
  INSERT INTO lookups (id, account_id, request_id, operation, subject_key, company_domain, company_name, email)
  VALUES (v_lookup, p_account, p_request, p_operation, p_key, p_domain, p_name, p_email);
  INSERT INTO chunks AS c (account_id, operation, first_lookup_id, last_lookup_id, lookups, state, starts, token, lease_until,
    price_micro)
  VALUES (p_account, p_operation, v_lookup, v_lookup, 1, 'running', 1, gen_random_uuid(),
    now() + p_lease_ms * interval '1 millisecond', open_request.price_micro)
  RETURNING c.id, c.token INTO chunk_id, token;
END $$;

-- The first step of a commit: locks the chunk for the holder of its token, and returns the lookups without an outcome, and those of them that
-- have a row already. Null: the lease is lost and the chunk is reassigned.
--
-- The reconciler and other workers wait here until the transaction ends, and then find the chunk changed. The second statement has its own
-- snapshot, which includes commits that the first waited for.
DROP FUNCTION IF EXISTS nightshift.lock_open(bigint, uuid, bigint[]);
CREATE OR REPLACE FUNCTION nightshift.lock_open_lookups(p_chunk bigint, p_token uuid, p_lookups bigint[], OUT open bigint[], OUT begun bigint[])
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_ended bigint[];
BEGIN
  PERFORM 1 FROM chunks WHERE id = p_chunk AND token = p_token AND state = 'running' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT coalesce(array_agg(id) FILTER (WHERE outcome IS NULL), '{}'), array_agg(id) FILTER (WHERE outcome IS NOT NULL)
    INTO begun, v_ended FROM lookups WHERE id = ANY (p_lookups);
  open := CASE WHEN v_ended IS NULL THEN p_lookups ELSE ARRAY(SELECT unnest(p_lookups) EXCEPT SELECT unnest(v_ended)) END;
END $$;

GRANT EXECUTE ON FUNCTION nightshift.open_request,
  nightshift.lock_open_lookups
  TO nightshift_app;
