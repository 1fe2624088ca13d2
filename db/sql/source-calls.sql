-- Calls to sources: limits, circuit breaker and results.

-- The numbers of the circuit breaker are arguments: `circuitBreaker` in src/core/work/retry-policies.ts has them and their reasons.

-- True when the last calls of a source open its circuit breaker: p_down_max in a row without an answer, p_unreadable_max in a row that cannot be
-- parsed, or more than p_share of the last p_window of either kind.
CREATE OR REPLACE FUNCTION nightshift.is_failing(p_recent text, p_down_max integer, p_unreadable_max integer, p_window integer,
  p_share double precision) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT right(p_recent, p_down_max) = repeat('d', p_down_max) OR right(p_recent, p_unreadable_max) = repeat('u', p_unreadable_max)
    OR (length(p_recent) = p_window AND length(replace(p_recent, 'g', '')) > p_window * p_share)
$$;

-- Delay of a circuit breaker that opened p_pauses times in a row before. Ten steps exceed every bound.
CREATE OR REPLACE FUNCTION nightshift.open_ms(p_wait_ms bigint, p_coefficient double precision, p_pauses integer, p_wait_ms_max bigint)
RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT least(p_wait_ms * p_coefficient ^ least(p_pauses, 10), greatest(p_wait_ms, p_wait_ms_max))::bigint
$$;

-- Whole milliseconds from p_now until p_at, at least 1.
CREATE OR REPLACE FUNCTION nightshift.ms_until(p_at timestamptz, p_now timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT greatest(ceil(extract(epoch FROM p_at - p_now) * 1000), 1)::bigint $$;

-- Number of calls in flight: begun, not ended, and within the deadline of a call.
CREATE OR REPLACE FUNCTION nightshift.in_flight(p_bucket text, p_deadline_ms bigint) RETURNS integer
LANGUAGE sql SET search_path = nightshift, pg_temp AS $$
  SELECT count(*)::integer FROM source_calls
  WHERE bucket = p_bucket AND answered_at IS NULL AND sent_at > clock_timestamp() - p_deadline_ms * interval '1 millisecond'
$$;

-- Number of calls of an account to a source in flight.
CREATE OR REPLACE FUNCTION nightshift.account_in_flight(p_account bigint, p_source text, p_deadline_ms bigint) RETURNS integer
LANGUAGE sql SET search_path = nightshift, pg_temp AS $$
  SELECT count(*)::integer FROM source_calls
  WHERE account_id = p_account AND source = p_source AND answered_at IS NULL
    AND sent_at > clock_timestamp() - p_deadline_ms * interval '1 millisecond'
$$;

-- True when the limits of calls in flight, of the source and of the account, leave room for one more. Null is no limit. A single search that finds
-- no room announces itself for half a second, and calls of batches leave the next room to it: they ask again ten times a second, and it would be one
-- of many. The limit of an account is that of now: p_account_in_flight_max is of the start of a chunk, and says only that there was one.
CREATE OR REPLACE FUNCTION nightshift.has_room(p_source text, p_bucket text, p_deadline_ms bigint, p_in_flight_max integer, p_account bigint,
  p_account_in_flight_max integer, p_is_search boolean) RETURNS boolean
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_until timestamptz := clock_timestamp() + interval '500 milliseconds';
  v_has_room boolean := true;
  v_account account_source_limits;
BEGIN
  IF in_flight(p_bucket, p_deadline_ms) + (NOT p_is_search AND EXISTS (SELECT FROM source_states
      WHERE bucket = p_bucket AND search_until > clock_timestamp()))::integer >= p_in_flight_max THEN
    v_has_room := false;
    IF p_is_search THEN
      INSERT INTO source_states AS s (bucket, source, search_until) VALUES (p_bucket, p_source, v_until)
        ON CONFLICT (bucket) DO UPDATE SET search_until = excluded.search_until;
    END IF;
  END IF;
  IF p_account_in_flight_max IS NOT NULL THEN
    SELECT * INTO v_account FROM account_source_limits WHERE account_id = p_account AND source = p_source;
  END IF;
  IF account_in_flight(p_account, p_source, p_deadline_ms)
      + (NOT p_is_search AND v_account.search_until > clock_timestamp() IS TRUE)::integer >= v_account.concurrency THEN
    v_has_room := false;
    IF p_is_search THEN
      UPDATE account_source_limits SET search_until = v_until WHERE account_id = p_account AND source = p_source;
    END IF;
  END IF;
  RETURN v_has_room;
END $$;

-- Price of a unit at a source, at a moment. Null without one.
CREATE OR REPLACE FUNCTION nightshift.unit_price(p_source text, p_at timestamptz, OUT amount numeric, OUT currency text)
LANGUAGE sql STABLE SET search_path = nightshift, pg_temp AS $$
  SELECT s.amount, s.currency FROM source_prices s WHERE s.source = p_source AND s.effective_from <= p_at
  ORDER BY s.effective_from DESC LIMIT 1
$$;

-- Cost of the ended calls of a credential on a day, UTC: as the source reported it, else by its price. Those that a restore brought back
-- count without an answer as well: it does not come any more.
CREATE OR REPLACE FUNCTION nightshift.spent_on_day(p_bucket text, p_day date) RETURNS numeric
LANGUAGE sql STABLE SET search_path = nightshift, pg_temp AS $$
  SELECT coalesce(sum(coalesce(c.source_charge, c.units * (unit_price(c.source, c.sent_at)).amount)), 0)
  FROM (
    SELECT s.source, s.sent_at, s.units, s.source_charge FROM source_calls s WHERE s.bucket = p_bucket AND s.answered_at IS NOT NULL
    UNION ALL
    SELECT r.source, r.sent_at, r.units, r.source_charge FROM restored_calls r WHERE r.bucket = p_bucket
  ) c
  WHERE c.sent_at >= p_day::timestamp AT TIME ZONE 'UTC' AND (c.units > 0 OR c.source_charge > 0)
$$;

-- Batch of a lookup, if it has a bound of cost; null otherwise. An open lookup of a batch may be in its block only.
CREATE OR REPLACE FUNCTION nightshift.bounded_batch(p_lookup bigint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = nightshift, pg_temp AS $$
  SELECT l.batch_id FROM lookups l JOIN batch_spending s ON s.batch_id = l.batch_id WHERE l.id = p_lookup
  UNION ALL
  SELECT b.batch_id FROM batch_spending s
  JOIN lookup_blocks b ON b.batch_id = s.batch_id AND b.operation = 'ads_search' AND b.first_id BETWEEN p_lookup - 999 AND p_lookup
  WHERE p_lookup = ANY (b.ids)
  LIMIT 1
$$;

-- Cost of the ended calls of a batch.
CREATE OR REPLACE FUNCTION nightshift.spent_by_batch(p_batch bigint) RETURNS numeric
LANGUAGE sql STABLE SET search_path = nightshift, pg_temp AS $$
  SELECT coalesce(sum(coalesce(c.source_charge, c.units * (unit_price(c.source, c.sent_at)).amount)), 0)
  FROM (
    SELECT l.id FROM lookups l WHERE l.batch_id = p_batch
    UNION SELECT unnest(b.ids) FROM lookup_blocks b WHERE b.batch_id = p_batch AND b.operation = 'ads_search'
  ) l JOIN source_calls c ON c.lookup_id = l.id
  WHERE c.answered_at IS NOT NULL AND (c.units > 0 OR c.source_charge > 0)
$$;

-- Number of the first calls that fit under a bound. p_before is what is spent, p_flight what calls in flight may cost, p_units the units of the
-- calls in their order, 0 for those that the bound does not concern. refusal is that of the next call, null where all fit: `full` where calls
-- in flight may leave enough for it, and `paused` where they cannot.
CREATE OR REPLACE FUNCTION nightshift.fit_calls(p_units numeric[], p_price numeric, p_max numeric, p_before numeric, p_flight numeric,
  OUT fits integer, OUT refusal text)
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_sum numeric := p_before + p_flight;
  v_units numeric;
BEGIN
  fits := 0;
  FOREACH v_units IN ARRAY p_units LOOP
    v_sum := v_sum + v_units * p_price;
    IF v_units > 0 AND v_sum > p_max THEN
      refusal := CASE WHEN p_before + v_units * p_price > p_max THEN 'paused' ELSE 'full' END;
      RETURN;
    END IF;
    fits := fits + 1;
  END LOOP;
END $$;

-- Cost by p_price of the calls without an end: of those in flight, and of those that were cut off, which may have been charged. Of a
-- credential on a day, or of a batch.
CREATE OR REPLACE FUNCTION nightshift.open_cost(p_bucket text, p_day date, p_batch bigint, p_deadline_ms bigint, p_price numeric,
  OUT flight numeric, OUT cut_off numeric)
LANGUAGE sql SET search_path = nightshift, pg_temp AS $$
  SELECT coalesce(sum(cost) FILTER (WHERE runs), 0), coalesce(sum(cost) FILTER (WHERE NOT runs), 0) FROM (
    SELECT c.units * coalesce(p_price, (unit_price(c.source, c.sent_at)).amount) AS cost,
      c.sent_at > clock_timestamp() - p_deadline_ms * interval '1 millisecond' AS runs
    FROM source_calls c
    WHERE c.answered_at IS NULL AND (p_bucket IS NULL OR c.bucket = p_bucket)
      AND (p_day IS NULL OR c.sent_at >= p_day::timestamp AT TIME ZONE 'UTC')
      AND (p_batch IS NULL OR bounded_batch(c.lookup_id) = p_batch)
  ) x
$$;

-- Number of the first calls that the bounds of cost allow, of the day and of the batches, and the refusal of the next one. The caller has locked
-- the state of the source. A bound in another currency than the price cannot be held, so no call that costs something begins.
CREATE OR REPLACE FUNCTION nightshift.fit_spending(p_state nightshift.source_states, p_lookups bigint[], p_units numeric[], p_spend_max numeric,
  p_currency text, p_deadline_ms bigint, p_now timestamptz,
  OUT fits integer, OUT refusal text, OUT reason text, OUT kind text, OUT cause text, OUT bound text, OUT wait_ms bigint)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_price record;
  v_today date := (p_now AT TIME ZONE 'UTC')::date;
  v_open record;
  v_bound record;
  v_fit record;
BEGIN
  fits := cardinality(p_units);
  IF (SELECT coalesce(max(u), 0) FROM unnest(p_units) u) = 0 THEN RETURN; END IF;
  SELECT * INTO v_price FROM unit_price(p_state.source, p_now);
  IF p_spend_max IS NOT NULL AND p_state.spent_day IS DISTINCT FROM v_today THEN
    p_state.day_spent := spent_on_day(p_state.bucket, v_today);
    UPDATE source_states s SET spent_day = v_today, day_spent = p_state.day_spent WHERE s.bucket = p_state.bucket;
  END IF;
  -- The day first, then the batches by their ids, which prevents deadlocks.
  FOR v_bound IN
    SELECT NULL::bigint AS batch_id, p_spend_max AS amount, p_currency AS currency, p_state.day_spent AS spent
    WHERE p_spend_max IS NOT NULL
  LOOP
    SELECT * INTO v_open FROM open_cost(p_state.bucket, v_today, NULL, p_deadline_ms, v_price.amount);
    SELECT * INTO v_fit FROM fit_calls(p_units, coalesce(v_price.amount, 0), v_bound.amount, v_bound.spent + v_open.cut_off, v_open.flight);
    IF v_price.currency IS DISTINCT FROM v_bound.currency THEN
      fits := (SELECT min(t.ord) - 1 FROM unnest(p_units) WITH ORDINALITY AS t(u, ord) WHERE t.u > 0);
      SELECT * INTO refusal, reason, kind, wait_ms FROM unspendable(p_state.source, v_price.currency, v_bound.currency,
        'the setting for the cost of a day');
    ELSIF v_fit.fits < fits THEN
      fits := v_fit.fits;
      refusal := v_fit.refusal;
      reason := format('the daily budget of %s %s at %s is spent (%s used)', trim_scale(v_bound.amount), v_bound.currency,
        p_state.source, trim_scale(v_bound.spent + v_open.cut_off));
      kind := 'budget';
      cause := 'day_spend';
      bound := format('%s %s', trim_scale(v_bound.amount), v_bound.currency);
      wait_ms := ms_until((v_today + 1)::timestamp AT TIME ZONE 'UTC', p_now);
    END IF;
  END LOOP;
  FOR v_bound IN
    SELECT s.* FROM batch_spending s
    WHERE s.batch_id IN (SELECT bounded_batch(l) FROM unnest(p_lookups) l) ORDER BY s.batch_id FOR NO KEY UPDATE
  LOOP
    -- The units of the calls of this batch; the others cost it nothing.
    SELECT array_agg(CASE WHEN bounded_batch(t.lookup) = v_bound.batch_id THEN t.u ELSE 0 END ORDER BY t.ord) AS units INTO v_fit
    FROM unnest(p_units, p_lookups) WITH ORDINALITY AS t(u, lookup, ord);
    IF (SELECT max(u) FROM unnest(v_fit.units) u) = 0 THEN CONTINUE; END IF;
    IF v_price.currency IS DISTINCT FROM v_bound.currency THEN
      SELECT min(t.ord) - 1 AS fits INTO v_fit FROM unnest(v_fit.units) WITH ORDINALITY AS t(u, ord) WHERE t.u > 0;
      IF v_fit.fits < fits THEN
        fits := v_fit.fits;
        SELECT * INTO refusal, reason, kind, wait_ms FROM unspendable(p_state.source, v_price.currency, v_bound.currency, '--max-spend');
        cause := NULL;
        bound := NULL;
      END IF;
      CONTINUE;
    END IF;
    SELECT * INTO v_open FROM open_cost(NULL, NULL, v_bound.batch_id, p_deadline_ms, NULL);
    SELECT * INTO v_fit FROM fit_calls(v_fit.units, v_price.amount, v_bound.amount, v_bound.spent + v_open.cut_off, v_open.flight);
    IF v_fit.fits < fits THEN
      fits := v_fit.fits;
      refusal := v_fit.refusal;
      reason := format('the budget of %s %s for the calls of this batch is spent (%s used); a larger --max-spend continues it',
        trim_scale(v_bound.amount), v_bound.currency, trim_scale(v_bound.spent + v_open.cut_off));
      kind := 'budget';
      cause := 'batch_spend';
      bound := format('%s %s', trim_scale(v_bound.amount), v_bound.currency);
      wait_ms := 3600000;
    END IF;
  END LOOP;
END $$;

-- Refusal of calls whose cost cannot be compared with a bound.
CREATE OR REPLACE FUNCTION nightshift.unspendable(p_source text, p_price_currency text, p_currency text, p_what text,
  OUT refusal text, OUT reason text, OUT kind text, OUT wait_ms bigint)
LANGUAGE sql IMMUTABLE AS $$
  SELECT 'paused', format('%s bounds calls in %s, and %s has %s: set one with `nightshift prices source %s AMOUNT --currency %s`, or change the bound',
    p_what, p_currency, p_source, coalesce('its price in ' || p_price_currency, 'no price'), p_source, p_currency), 'declined', 60000::bigint
$$;

-- Admits calls to a source before they begin: how many may, and why not the others. After a pause one call probes the source (is_probe;
-- p_deadline_ms is its time), and the others wait p_probe_wait_ms at a time, as for a source that fails: only the probe can tell whether it
-- still rejects us. With a limit of calls in flight, of calls a day or of their cost the row is locked, so that the calls of all processes are
-- counted. p_units are the maximum units of each call, p_lookups their lookups: a batch can have a bound of its cost, too. The cost of a call
-- counts with its maximum until it ends. for_next: the refusal concerns the next call only, and the others ask again. Calls under limits of an account
-- are all of it (p_account); its row is locked after that of the source, and has the limits of now: those of the arguments are of a chunk's start.
CREATE OR REPLACE FUNCTION nightshift.admit_calls(p_source text, p_bucket text, p_count integer, p_in_flight_max integer, p_day_max integer,
  p_deadline_ms bigint, p_probe_wait_ms bigint, p_lookups bigint[], p_units numeric[], p_spend_max numeric, p_currency text,
  p_account bigint DEFAULT NULL, p_account_in_flight_max integer DEFAULT NULL, p_account_day_max integer DEFAULT NULL, p_is_search boolean DEFAULT true,
  OUT admitted integer, OUT refusal text, OUT reason text, OUT kind text, OUT cause text, OUT bound text, OUT wait_ms bigint, OUT is_probe boolean, OUT for_next boolean)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_state source_states;
  v_now timestamptz;
  v_today date;
  v_in_flight integer;
  v_bounded boolean;
  v_fit record;
  v_account account_source_limits;
BEGIN
  admitted := p_count;
  is_probe := false;
  for_next := false;
  v_bounded := EXISTS (SELECT FROM batch_spending) AND EXISTS (SELECT FROM unnest(p_lookups) l WHERE bounded_batch(l) IS NOT NULL);
  IF p_in_flight_max IS NULL AND p_day_max IS NULL AND p_spend_max IS NULL AND p_account_in_flight_max IS NULL AND p_account_day_max IS NULL
    AND NOT v_bounded THEN
    SELECT * INTO v_state FROM source_states s WHERE s.bucket = p_bucket AND (s.paused_until IS NOT NULL);
    IF NOT FOUND THEN RETURN; END IF;
  ELSE
    INSERT INTO source_states (bucket, source) VALUES (p_bucket, p_source) ON CONFLICT DO NOTHING;
  END IF;
  SELECT * INTO v_state FROM source_states s WHERE s.bucket = p_bucket FOR NO KEY UPDATE;
  -- Read after the lock: a caller that waits past midnight counts on the new day.
  v_now := clock_timestamp();
  v_today := (v_now AT TIME ZONE 'UTC')::date;

  IF v_state.paused_until > v_now OR v_state.probe_until > v_now THEN
    admitted := 0;
    refusal := 'paused';
    reason := v_state.pause_reason;
    kind := CASE WHEN v_state.paused_until > v_now THEN v_state.pause_kind ELSE 'failing' END;
    wait_ms := CASE WHEN v_state.paused_until > v_now THEN ms_until(v_state.paused_until, v_now) ELSE p_probe_wait_ms END;
    RETURN;
  ELSIF v_state.paused_until IS NOT NULL THEN
    admitted := 1;
    refusal := 'paused';
    reason := v_state.pause_reason;
    kind := 'failing';
    wait_ms := p_probe_wait_ms;
  END IF;

  IF p_day_max IS NOT NULL THEN
    IF v_state.day IS DISTINCT FROM v_today THEN
      UPDATE source_states s SET day = v_today, day_calls = 0 WHERE s.bucket = p_bucket;
      v_state.day_calls := 0;
    END IF;
    IF v_state.day_calls + admitted > p_day_max THEN
      admitted := greatest(p_day_max - v_state.day_calls, 0);
      refusal := 'paused';
      kind := 'budget';
      cause := 'day_calls';
      bound := format('%s calls', p_day_max);
      reason := format('the daily budget of %s calls to %s is spent', p_day_max, p_source);
      wait_ms := ms_until((v_today + 1)::timestamp AT TIME ZONE 'UTC', v_now);
    END IF;
  END IF;
  IF p_in_flight_max IS NOT NULL THEN
    v_in_flight := in_flight(p_bucket, p_deadline_ms) + (NOT p_is_search AND v_state.search_until > v_now IS TRUE)::integer;
    IF v_in_flight + admitted > p_in_flight_max THEN
      admitted := greatest(p_in_flight_max - v_in_flight, 0);
      refusal := 'full';
    END IF;
  END IF;
  IF p_account_in_flight_max IS NOT NULL OR p_account_day_max IS NOT NULL THEN
    SELECT * INTO v_account FROM account_source_limits a WHERE a.account_id = p_account AND a.source = p_source FOR NO KEY UPDATE;
    IF v_account.calls_per_day IS NOT NULL THEN
      IF v_account.day IS DISTINCT FROM v_today THEN v_account.day_calls := 0; END IF;
      IF v_account.day_calls + admitted > v_account.calls_per_day THEN
        admitted := greatest(v_account.calls_per_day - v_account.day_calls, 0);
        refusal := 'paused';
        kind := 'budget';
        cause := 'account_day_calls';
        bound := format('%s calls', v_account.calls_per_day);
        reason := format('the %s calls a day of this account to %s are used up', v_account.calls_per_day, p_source);
        wait_ms := ms_until((v_today + 1)::timestamp AT TIME ZONE 'UTC', v_now);
      END IF;
    END IF;
    v_in_flight := account_in_flight(p_account, p_source, p_deadline_ms) + (NOT p_is_search AND v_account.search_until > v_now IS TRUE)::integer;
    IF v_in_flight + admitted > v_account.concurrency THEN
      admitted := greatest(v_account.concurrency - v_in_flight, 0);
      refusal := 'full';
    END IF;
  END IF;
  IF (p_spend_max IS NOT NULL OR v_bounded) AND admitted > 0 THEN
    SELECT * INTO v_fit FROM fit_spending(v_state, p_lookups[:admitted], p_units[:admitted], p_spend_max, p_currency, p_deadline_ms, v_now);
    IF v_fit.fits < admitted THEN
      admitted := v_fit.fits;
      refusal := v_fit.refusal;
      reason := v_fit.reason;
      kind := v_fit.kind;
      cause := v_fit.cause;
      bound := v_fit.bound;
      wait_ms := v_fit.wait_ms;
      for_next := true;
    END IF;
  END IF;
  IF p_day_max IS NOT NULL THEN
    UPDATE source_states s SET day_calls = s.day_calls + admitted WHERE s.bucket = p_bucket;
  END IF;
  IF v_account.calls_per_day IS NOT NULL THEN
    UPDATE account_source_limits a SET day = v_today, day_calls = v_account.day_calls + admitted
    WHERE a.account_id = p_account AND a.source = p_source;
  END IF;
  IF v_state.paused_until IS NOT NULL AND admitted > 0 THEN
    is_probe := true;
    UPDATE source_states s SET probe_until = v_now + p_deadline_ms * interval '1 millisecond' WHERE s.bucket = p_bucket;
  END IF;
END $$;

DROP FUNCTION IF EXISTS nightshift.renew_call(bigint, text, integer, bigint, boolean);
DROP FUNCTION IF EXISTS nightshift.renew_call(bigint, text, integer, bigint, boolean, integer, integer, integer);
-- Restarts the deadline of a recorded call that had to wait for another reservation. False when a limit of concurrent calls, of the source or of the
-- account, is reached meanwhile, or while calls in flight may leave enough of the bound of cost. A call that waited past midnight counts on the
-- new day, too; null when the limits of calls and of cost of that day leave it no room. The limits of an account are those of now, as in admit_calls.
CREATE OR REPLACE FUNCTION nightshift.renew_call(p_call bigint, p_bucket text, p_in_flight_max integer, p_deadline_ms bigint, p_is_probe boolean,
  p_day_max integer DEFAULT NULL, p_spend_max numeric DEFAULT NULL, p_currency text DEFAULT NULL,
  p_account_in_flight_max integer DEFAULT NULL, p_account_day_max integer DEFAULT NULL)
RETURNS boolean
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_call source_calls;
  v_state source_states;
  v_account account_source_limits;
  v_now timestamptz;
  v_today date;
  v_fit record;
BEGIN
  SELECT * INTO v_state FROM source_states s WHERE s.bucket = p_bucket FOR NO KEY UPDATE;
  SELECT * INTO v_call FROM source_calls c WHERE c.id = p_call;
  IF p_account_in_flight_max IS NOT NULL OR p_account_day_max IS NOT NULL THEN
    SELECT * INTO v_account FROM account_source_limits a WHERE a.account_id = v_call.account_id AND a.source = v_call.source FOR NO KEY UPDATE;
  END IF;
  v_now := clock_timestamp();
  v_today := (v_now AT TIME ZONE 'UTC')::date;
  IF (SELECT count(*) FROM source_calls c WHERE c.bucket = p_bucket AND c.answered_at IS NULL AND c.id <> p_call
      AND c.sent_at > v_now - p_deadline_ms * interval '1 millisecond') >= p_in_flight_max
    OR (SELECT count(*) FROM source_calls c WHERE c.account_id = v_call.account_id AND c.source = v_call.source AND c.answered_at IS NULL
      AND c.id <> p_call AND c.sent_at > v_now - p_deadline_ms * interval '1 millisecond') >= v_account.concurrency THEN
    RETURN false;
  END IF;
  IF (v_call.sent_at AT TIME ZONE 'UTC')::date <> v_today THEN
    IF v_state.day IS DISTINCT FROM v_today THEN v_state.day_calls := 0; END IF;
    IF v_account.day IS DISTINCT FROM v_today THEN v_account.day_calls := 0; END IF;
    IF v_state.day_calls >= p_day_max OR v_account.day_calls >= v_account.calls_per_day THEN RETURN NULL; END IF;
    IF p_spend_max IS NOT NULL THEN
      -- The bound of its batch counts it already.
      SELECT * INTO v_fit FROM fit_spending(v_state, ARRAY[NULL::bigint], ARRAY[v_call.units], p_spend_max, p_currency, p_deadline_ms, v_now);
      IF v_fit.fits = 0 THEN RETURN CASE WHEN v_fit.refusal = 'full' THEN false END; END IF;
    END IF;
    UPDATE source_states s SET day = v_today, day_calls = v_state.day_calls + 1 WHERE s.bucket = p_bucket AND p_day_max IS NOT NULL;
    UPDATE account_source_limits a SET day = v_today, day_calls = v_account.day_calls + 1
    WHERE a.account_id = v_call.account_id AND a.source = v_call.source AND a.calls_per_day IS NOT NULL;
  END IF;
  UPDATE source_calls c SET sent_at = v_now WHERE c.id = p_call;
  IF p_is_probe THEN
    UPDATE source_states s SET probe_until = v_now + p_deadline_ms * interval '1 millisecond' WHERE s.bucket = p_bucket;
  END IF;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION nightshift.close_circuit(p_bucket text, p_successes integer, p_window integer) RETURNS void
LANGUAGE sql SET search_path = nightshift, pg_temp AS $$
  -- A response to a call from before the pause does not end the pause.
  UPDATE source_states s SET failing_since = NULL, refusals = 0, refusal = NULL,
    recent = right(s.recent || repeat('g', least(p_successes, p_window)), p_window)
  WHERE s.bucket = p_bucket AND coalesce(s.paused_until > now(), true);
  UPDATE source_states s SET recent = '' WHERE s.bucket = p_bucket AND s.recent !~ '[du]';
  UPDATE source_states s SET recent = '', failing_since = NULL, pauses = 0, paused_until = NULL, pause_reason = NULL,
    pause_kind = NULL, probe_until = NULL, refusals = 0, refusal = NULL
  WHERE s.bucket = p_bucket AND s.paused_until <= now();
$$;

-- Cost of a call that ends: as the source reported it, else by its price.
CREATE OR REPLACE FUNCTION nightshift.ended_cost(p_call nightshift.source_calls, p_units numeric, p_charged numeric) RETURNS numeric
LANGUAGE sql STABLE SET search_path = nightshift, pg_temp AS $$
  SELECT coalesce(p_charged, p_units * (unit_price(p_call.source, p_call.sent_at)).amount, 0)
$$;

-- Records how calls ended. An answer also ends a row of rejections.
-- p_calls, p_units and p_charged are the ended calls with what they cost, which counts for the bounds of cost.
CREATE OR REPLACE FUNCTION nightshift.record_results(p_buckets text[], p_successes integer[], p_freed boolean[], p_unsent bigint[], p_window integer,
  p_calls bigint[], p_units numeric[], p_charged numeric[])
RETURNS void
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_end record;
BEGIN
  -- Ordered by bucket, which prevents deadlocks.
  FOR v_end IN SELECT e.bucket, e.successes, e.freed, s.day,
      count(c.id) FILTER (WHERE (c.sent_at AT TIME ZONE 'UTC')::date = s.day)::integer AS unsent,
      e.successes > 0 AND (s.recent <> '' OR s.paused_until IS NOT NULL OR s.refusals > 0) AS closes,
      s.spent_day IS NOT NULL AND x.cost > 0 AS sums, x.cost
    FROM unnest(p_buckets, p_successes, p_freed) AS e(bucket, successes, freed)
    JOIN source_states s ON s.bucket = e.bucket
    LEFT JOIN source_calls c ON c.id = ANY (p_unsent) AND c.bucket = e.bucket
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(ended_cost(d, g.units, g.charged)), 0) AS cost
      FROM unnest(p_calls, p_units, p_charged) AS g(id, units, charged) JOIN source_calls d ON d.id = g.id
      WHERE d.bucket = e.bucket AND s.spent_day IS NOT NULL
    ) x
    GROUP BY e.bucket, e.successes, e.freed, s.day, s.recent, s.paused_until, s.refusals, s.spent_day, x.cost ORDER BY e.bucket
  LOOP
    IF v_end.freed OR v_end.unsent > 0 THEN
      -- The next day may have begun since it was read.
      UPDATE source_states s SET day_calls = CASE WHEN s.day = v_end.day THEN greatest(s.day_calls - v_end.unsent, 0) ELSE s.day_calls END,
        probe_until = CASE WHEN v_end.freed THEN NULL ELSE s.probe_until END WHERE s.bucket = v_end.bucket;
    END IF;
    IF v_end.closes THEN PERFORM close_circuit(v_end.bucket, v_end.successes, p_window); END IF;
    IF v_end.sums THEN
      UPDATE source_states s SET day_spent = s.day_spent + v_end.cost WHERE s.bucket = v_end.bucket;
    END IF;
  END LOOP;
  FOR v_end IN SELECT c.account_id, c.source, (c.sent_at AT TIME ZONE 'UTC')::date AS day, count(*)::integer AS unsent
    FROM source_calls c WHERE c.id = ANY (p_unsent) AND c.account_id IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  LOOP
    UPDATE account_source_limits a SET day_calls = greatest(a.day_calls - v_end.unsent, 0)
    WHERE a.account_id = v_end.account_id AND a.source = v_end.source AND a.day = v_end.day;
  END LOOP;
  -- A first bound that is set just now waits for this transaction, or is seen by it (`setMaxSpend`).
  PERFORM pg_advisory_xact_lock_shared(7303125);
  IF NOT EXISTS (SELECT FROM batch_spending) THEN RETURN; END IF;
  FOR v_end IN SELECT bounded_batch(c.lookup_id) AS batch_id, sum(ended_cost(c, e.units, e.charged)) AS cost
    FROM unnest(p_calls, p_units, p_charged) AS e(id, units, charged) JOIN source_calls c ON c.id = e.id
    WHERE e.units > 0 OR e.charged > 0 GROUP BY 1 ORDER BY 1
  LOOP
    UPDATE batch_spending s SET spent = s.spent + v_end.cost WHERE s.batch_id = v_end.batch_id;
  END LOOP;
END $$;

-- Counts the calls of a day, UTC, anew for the limits of sources and accounts, after the clock was set back into it: the counters were of a later
-- day, and calls have the moments that the clock showed. The caller has locked the rows.
CREATE OR REPLACE FUNCTION nightshift.count_day(p_day date) RETURNS void
LANGUAGE sql SET search_path = nightshift, pg_temp AS $$
  WITH sent AS (
    SELECT c.bucket, c.account_id, c.source, count(*) AS calls FROM (
      SELECT bucket, account_id, source, sent_at, answer FROM source_calls
      UNION ALL
      SELECT bucket, account_id, source, sent_at, answer FROM restored_calls
    ) c
    WHERE c.sent_at >= p_day::timestamp AT TIME ZONE 'UTC' AND c.answer IS DISTINCT FROM 'not_sent'
    GROUP BY c.bucket, c.account_id, c.source
  ), sources AS (
    UPDATE source_states s SET day = p_day, day_calls = (SELECT coalesce(sum(t.calls), 0) FROM sent t WHERE t.bucket = s.bucket)
    WHERE s.day IS NOT NULL
  )
  UPDATE account_source_limits a SET day = p_day,
    day_calls = (SELECT coalesce(sum(t.calls), 0) FROM sent t WHERE t.account_id = a.account_id AND t.source = a.source)
  WHERE a.day IS NOT NULL
$$;

-- Records a call without an answer (`down`) or with one that cannot be parsed (`unreadable`), and opens the circuit breaker where `is_failing` says
-- so, longer each time. After p_down_ms without any answer it stays closed, so that lookups end as failed. A source whose answers cannot be
-- parsed takes money for each of them and waits for an operator. Returns how long the breaker is open; null where it is closed.
CREATE OR REPLACE FUNCTION nightshift.open_circuit(p_source text, p_bucket text, p_failure text, p_reason text, p_wait_ms bigint,
  p_coefficient double precision, p_wait_ms_max bigint, p_down_max integer, p_unreadable_max integer, p_window integer,
  p_share double precision, p_quiet_ms bigint, p_down_ms bigint, OUT wait_ms bigint)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_state source_states;
  v_wait_ms bigint;
BEGIN
  INSERT INTO source_states (bucket, source) VALUES (p_bucket, p_source) ON CONFLICT DO NOTHING;
  -- A failure more than an hour after the last one starts a new history.
  UPDATE source_states s SET recent = '', failing_since = now(), pauses = 0
  WHERE s.bucket = p_bucket AND coalesce(s.failed_at < now() - p_quiet_ms * interval '1 millisecond', true);
  UPDATE source_states s SET probe_until = NULL, failed_at = now(), failing_since = coalesce(s.failing_since, now()),
    recent = right(s.recent || left(p_failure, 1), p_window)
  WHERE s.bucket = p_bucket RETURNING * INTO v_state;
  -- Its first call after such a pause has failed again: what it was paused for is not over.
  IF NOT (is_failing(v_state.recent, p_down_max, p_unreadable_max, p_window, p_share) OR coalesce(v_state.pause_kind = 'failing', false)) THEN RETURN; END IF;
  IF v_state.failing_since < now() - p_down_ms * interval '1 millisecond' AND v_state.recent !~ 'u' THEN
    UPDATE source_states s SET paused_until = NULL, pause_reason = NULL, pause_kind = NULL
    WHERE s.bucket = p_bucket AND s.pause_kind = 'failing';
    RETURN;
  END IF;
  IF v_state.paused_until > now() THEN
    wait_ms := ms_until(v_state.paused_until, now());
    RETURN;
  END IF;
  v_wait_ms := open_ms(p_wait_ms, p_coefficient, v_state.pauses, p_wait_ms_max);
  UPDATE source_states s SET pauses = least(s.pauses + 1, 30000), pause_reason = p_reason, pause_kind = 'failing',
    paused_until = now() + v_wait_ms * interval '1 millisecond' WHERE s.bucket = p_bucket;
  wait_ms := v_wait_ms;
END $$;

-- Records a rejection. After p_same_max equal ones in a row the circuit breaker opens, longer each time, because the next company would get
-- the same one. Returns how long the breaker is open; null where it is closed.
CREATE OR REPLACE FUNCTION nightshift.open_circuit_after_rejections(p_source text, p_bucket text, p_signature text, p_same_max integer, p_reason text, p_wait_ms bigint,
  p_coefficient double precision, p_wait_ms_max bigint, OUT wait_ms bigint)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_state source_states;
BEGIN
  INSERT INTO source_states (bucket, source) VALUES (p_bucket, p_source) ON CONFLICT DO NOTHING;
  UPDATE source_states s SET refusal = p_signature,
    refusals = CASE WHEN s.refusal = p_signature THEN least(s.refusals + 1, 30000) ELSE 1 END
  WHERE s.bucket = p_bucket RETURNING * INTO v_state;
  IF v_state.refusals < p_same_max THEN RETURN; END IF;
  IF v_state.paused_until > now() THEN
    wait_ms := ms_until(v_state.paused_until, now());
    RETURN;
  END IF;
  wait_ms := open_ms(p_wait_ms, p_coefficient, v_state.pauses, p_wait_ms_max);
  UPDATE source_states s SET pauses = least(s.pauses + 1, 30000), pause_reason = p_reason, pause_kind = 'declined', probe_until = NULL,
    paused_until = now() + wait_ms * interval '1 millisecond' WHERE s.bucket = p_bucket;
END $$;

GRANT EXECUTE ON FUNCTION nightshift.is_failing,
  nightshift.open_ms,
  nightshift.ms_until,
  nightshift.in_flight,
  nightshift.account_in_flight,
  nightshift.has_room,
  nightshift.unit_price,
  nightshift.spent_on_day,
  nightshift.bounded_batch,
  nightshift.spent_by_batch,
  nightshift.fit_calls,
  nightshift.open_cost,
  nightshift.fit_spending,
  nightshift.unspendable,
  nightshift.ended_cost,
  nightshift.admit_calls,
  nightshift.renew_call,
  nightshift.close_circuit,
  nightshift.record_results,
  nightshift.count_day,
  nightshift.open_circuit,
  nightshift.open_circuit_after_rejections
  TO nightshift_app;
