-- Start and commit of work: single requests, and the open lookups of a chunk. The clock that work waits by.

-- Opens requests of one process that wait at the same moment: holds the price of a result for each, and inserts its lookup and its chunk. Returns
-- a row for each request, in the given order. With an insufficient balance a request stores nothing, and its lookup_id is null.
--
-- Accounts are locked in the order of their ids, so that two calls do not deadlock. Each call of the ledger holds one price: exactly the
-- requests beyond the balance are insufficient, in the given order. The lookups of an account have consecutive ids, so that the ledger stores
-- their holds as one block.
--
-- The commit is asynchronous. Later commits, such as the record of a call or the outcome, are synchronous and make it durable. A crash loses
-- only lookups without any call.
DROP FUNCTION IF EXISTS nightshift.open_request(bigint, text, text, text, text, text, text, bigint);
CREATE OR REPLACE FUNCTION nightshift.open_requests(p_accounts bigint[], p_requests text[], p_operations text[], p_keys text[],
  p_domains text[], p_names text[], p_emails text[], p_searches text[], p_lease_ms bigint[])
RETURNS TABLE (chunk_id bigint, token uuid, lookup_id bigint, price_micro bigint)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_first bigint := nextval('lookup_id_blocks');
  v_lookups bigint[];
  v_prices bigint[];
  v_held bigint[] := '{}';
  v_group record;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  IF cardinality(p_accounts) > 1000 THEN
    RAISE EXCEPTION 'A call opens % requests, and a block has 1000 ids.', cardinality(p_accounts);
  END IF;
  SELECT array_agg(v_first + a.nth ORDER BY a.ord), array_agg((
      SELECT p.amount_micro FROM prices p
      WHERE p.operation = a.operation AND p.effective_from <= now() ORDER BY p.effective_from DESC LIMIT 1
    ) ORDER BY a.ord)
    INTO v_lookups, v_prices
    FROM (
      SELECT operation, ord, row_number() OVER (ORDER BY account_id, operation, ord) - 1 AS nth
      FROM unnest(p_accounts, p_operations) WITH ORDINALITY AS u(account_id, operation, ord)
    ) a;
  FOR v_group IN
    SELECT a.account_id, array_agg(a.id ORDER BY a.ord) AS lookups, array_agg(1::smallint) AS attempts,
      array_agg(a.price ORDER BY a.ord) AS prices
    FROM unnest(p_accounts, p_operations, v_lookups, v_prices) WITH ORDINALITY AS a(account_id, operation, id, price, ord)
    GROUP BY a.account_id, a.operation ORDER BY a.account_id, a.operation
  LOOP
    v_held := v_held || ARRAY(
      SELECT h.id FROM unnest(v_group.lookups,
        credit_reserve(v_group.account_id, v_group.lookups, v_group.attempts, v_group.prices)) AS h(id, status)
      WHERE h.status <> 'insufficient');
  END LOOP;
  RETURN QUERY
    WITH requests AS MATERIALIZED (
      SELECT a.*, a.id = ANY (v_held) AS is_held
      FROM unnest(v_lookups, p_accounts, p_requests, p_operations, p_keys, p_domains, p_names, p_emails, p_searches, p_lease_ms, v_prices)
        WITH ORDINALITY AS a(id, account_id, request_id, operation, key, domain, name, email, search, lease_ms, price, ord)
    ), opened AS (
      INSERT INTO lookups (id, account_id, request_id, operation, subject_key, company_domain, company_name, email, search)
      SELECT r.id, r.account_id, r.request_id, r.operation, r.key, r.domain, r.name, r.email, r.search::jsonb FROM requests r WHERE r.is_held
    ), claimed AS (
      INSERT INTO chunks AS c (account_id, operation, first_lookup_id, last_lookup_id, lookups, state, starts, token, lease_until,
        price_micro)
      SELECT r.account_id, r.operation, r.id, r.id, 1, 'running', 1, gen_random_uuid(), now() + r.lease_ms * interval '1 millisecond',
        r.price
      FROM requests r WHERE r.is_held
      RETURNING c.id, c.token, c.first_lookup_id
    )
    SELECT c.id, c.token, c.first_lookup_id, r.price FROM requests r LEFT JOIN claimed c ON c.first_lookup_id = r.id ORDER BY r.ord;
END $$;

-- The first step of a commit: locks chunks for the holder of their tokens, and returns the lookups without an outcome, and those of them that
-- have a row already. Null: a lease is lost and its chunk is reassigned.
--
-- The reconciler and other workers wait here until the transaction ends, and then find the chunks changed. The second statement has its own
-- snapshot, which includes commits that the first waited for. Chunks are locked in the order of their ids, so that two commits do not deadlock.
DROP FUNCTION IF EXISTS nightshift.lock_open(bigint, uuid, bigint[]);
CREATE OR REPLACE FUNCTION nightshift.lock_open_lookups(p_chunks bigint[], p_tokens uuid[], p_lookups bigint[], OUT open bigint[],
  OUT begun bigint[])
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_held bigint;
  v_ended bigint[];
BEGIN
  PERFORM 1 FROM chunks WHERE id = ANY (p_chunks) AND token = ANY (p_tokens) AND state = 'running' ORDER BY id FOR NO KEY UPDATE;
  GET DIAGNOSTICS v_held = ROW_COUNT;
  IF v_held < cardinality(p_chunks) THEN
    RETURN;
  END IF;
  SELECT coalesce(array_agg(id) FILTER (WHERE outcome IS NULL), '{}'), array_agg(id) FILTER (WHERE outcome IS NOT NULL)
    INTO begun, v_ended FROM lookups WHERE id = ANY (p_lookups);
  open := CASE WHEN v_ended IS NULL THEN p_lookups ELSE ARRAY(SELECT unnest(p_lookups) EXCEPT SELECT unnest(v_ended)) END;
END $$;

-- The last step of a commit: ends the holds of lookups that were open, each with its charge. The chunks are locked, so any other status means that
-- the ledger and the lookups disagree.
--
-- Accounts are locked in the order of their ids, so that two commits do not deadlock. Lookups are in the order of their ids, so that the ledger
-- stores the ends of consecutive ones as one block.
CREATE OR REPLACE FUNCTION nightshift.settle_lookups(p_accounts bigint[], p_lookups bigint[], p_attempts integer[], p_charges bigint[])
RETURNS void
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_group record;
  v_statuses text[];
BEGIN
  FOR v_group IN
    SELECT a.account_id, array_agg(a.id ORDER BY a.id) AS lookups, array_agg(a.attempt::smallint ORDER BY a.id) AS attempts,
      array_agg(a.charge ORDER BY a.id) AS charges
    FROM unnest(p_accounts, p_lookups, p_attempts, p_charges) AS a(account_id, id, attempt, charge)
    GROUP BY a.account_id ORDER BY a.account_id
  LOOP
    v_statuses := credit_resolve(v_group.account_id, v_group.lookups, v_group.attempts, v_group.charges);
    IF NOT v_statuses <@ '{settled,released}' OR cardinality(v_statuses) < cardinality(v_group.lookups) THEN
      RAISE EXCEPTION 'The ledger answered % for lookups % of account %.', v_statuses, v_group.lookups, v_group.account_id;
    END IF;
  END LOOP;
END $$;

-- p_at, moved back by p_back if it is more than p_ahead from now: nearer moments may be from after the clock was set back. Read for each row, since
-- an update may wait for its lock, and then find a moment of that time.
DROP FUNCTION IF EXISTS nightshift.moved_back(timestamptz, timestamptz, interval);
CREATE OR REPLACE FUNCTION nightshift.moved_back(p_at timestamptz, p_back interval, p_ahead interval DEFAULT '0') RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$ SELECT CASE WHEN p_at > clock_timestamp() + p_ahead THEN p_at - p_back ELSE p_at END $$;

-- The end of a lease, no later than that of one which is taken now. A lease that was taken after the clock was set back keeps its end.
CREATE OR REPLACE FUNCTION nightshift.lease_within(p_until timestamptz, p_length interval) RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN p_until > clock_timestamp() + p_length THEN clock_timestamp() + p_length ELSE p_until END
$$;

-- Follows the clock of the server. What waits for a moment of the clock would wait the longer by what it was set back: slots, pauses, retries and
-- calls in flight move back with it, and leases end no later than if they were taken now. The record keeps its moments. Slots of the next seconds
-- may be new. Leases have the length of p_lease_ms, those of webhooks and mail servers up to a minute. Returns the milliseconds by which the clock
-- was set back since the last call, 0 mostly.
--
-- Rows are locked in the order of those who lock several: a batch before its sources and chunks, a source before its accounts and calls, each kind
-- by its key. A call that another transaction has locked ends, or is sent anew, and needs no other moment.
CREATE OR REPLACE FUNCTION nightshift.follow_clock(p_lease_ms bigint, p_every_ms bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_seen timestamptz := (SELECT seen_at FROM server_clock FOR UPDATE);
  v_now timestamptz := clock_timestamp();
  v_back interval := v_seen - v_now;
  v_lease interval := p_lease_ms * interval '1 millisecond';
  v_minute interval := '1 minute';
BEGIN
  IF v_back BETWEEN p_every_ms * interval '-1 millisecond' AND interval '1 second' THEN RETURN 0; END IF;
  INSERT INTO server_clock (seen_at) VALUES (v_now) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
  IF v_back IS NULL OR v_back < interval '0' THEN RETURN 0; END IF;
  INSERT INTO clock_setbacks (set_from, set_to) VALUES (v_seen, v_now);
  PERFORM FROM batches WHERE wait_until > v_now ORDER BY id FOR NO KEY UPDATE;
  UPDATE batches SET wait_until = moved_back(wait_until, v_back) WHERE wait_until > v_now;
  PERFORM FROM source_states ORDER BY bucket FOR NO KEY UPDATE;
  UPDATE source_states SET paused_until = moved_back(paused_until, v_back), probe_until = moved_back(probe_until, v_back, v_minute),
      throttled_until = moved_back(throttled_until, v_back), search_until = moved_back(search_until, v_back),
      failing_since = moved_back(failing_since, v_back), failed_at = moved_back(failed_at, v_back);
  PERFORM FROM account_source_limits ORDER BY account_id, source FOR NO KEY UPDATE;
  UPDATE account_source_limits SET search_until = moved_back(search_until, v_back) WHERE search_until > v_now;
  IF (v_seen AT TIME ZONE 'UTC')::date > (v_now AT TIME ZONE 'UTC')::date THEN PERFORM count_day((v_now AT TIME ZONE 'UTC')::date); END IF;
  UPDATE source_calls SET sent_at = moved_back(sent_at, v_back)
    WHERE id IN (SELECT c.id FROM source_calls c WHERE c.answered_at IS NULL AND c.sent_at > v_now FOR NO KEY UPDATE SKIP LOCKED);
  UPDATE source_buckets SET next_at = moved_back(next_at, v_back, '2 seconds'), learned_until = moved_back(learned_until, v_back);
  PERFORM FROM chunks WHERE state <> 'done' AND (lease_until > v_now + v_lease OR due_at > v_now OR queued_at > v_now)
    ORDER BY id FOR NO KEY UPDATE;
  UPDATE chunks SET lease_until = lease_within(lease_until, v_lease), due_at = moved_back(due_at, v_back), queued_at = moved_back(queued_at, v_back)
    WHERE state <> 'done' AND (lease_until > v_now + v_lease OR due_at > v_now OR queued_at > v_now);
  -- The moment of a scan that begins is a lease.
  UPDATE scans SET try_at = moved_back(try_at, v_back, v_lease) WHERE state = 'waiting' AND try_at > v_now;
  UPDATE webhook_deliveries SET next_at = moved_back(next_at, v_back), lease_until = lease_within(lease_until, v_minute)
    WHERE state = 'pending' AND (next_at > v_now OR lease_until > v_now);
  UPDATE landings SET next_at = moved_back(next_at, v_back), lease_until = lease_within(lease_until, v_lease)
    WHERE state = 'pending' AND (next_at > v_now OR lease_until > v_now);
  UPDATE inboxes SET next_at = moved_back(next_at, v_back), lease_until = lease_within(lease_until, v_lease)
    WHERE next_at > v_now OR lease_until > v_now;
  UPDATE inbox_files SET next_at = moved_back(next_at, v_back), unchanged_since = moved_back(unchanged_since, v_back)
    WHERE settled_at IS NULL AND (next_at > v_now OR unchanged_since > v_now);
  UPDATE idempotency_keys SET lease_until = lease_within(lease_until, v_lease) WHERE lease_until > v_now;
  -- The moment of a recheck that was taken is a lease, too ("recheck" in src/core/work/retry-policies.ts).
  UPDATE mailbox_rechecks SET due_at = moved_back(due_at, v_back, '5 minutes') WHERE due_at > v_now;
  UPDATE probe_sessions SET ends_at = lease_within(ends_at, v_minute) WHERE ends_at > v_now;
  UPDATE probe_blocks SET until = moved_back(until, v_back) WHERE until > v_now;
  UPDATE archive SET tried_at = moved_back(tried_at, v_back) WHERE tried_at > v_now;
  RETURN extract(epoch FROM v_back) * 1000;
END $$;

GRANT EXECUTE ON FUNCTION nightshift.moved_back,
  nightshift.lease_within,
  nightshift.follow_clock,
  nightshift.open_requests,
  nightshift.lock_open_lookups,
  nightshift.settle_lookups
  TO nightshift_app;
