-- Calls to sources: limits, circuit breaker and results.

-- True for a history of results that opens the circuit (`source_states.recent`).
CREATE OR REPLACE FUNCTION nightshift.is_failing(p_recent text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT p_recent ~ 'd{10}$' OR p_recent ~ 'u{3}$' OR (length(p_recent) = 20 AND length(replace(p_recent, 'g', '')) > 10)
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

-- Admits up to p_count calls to a source, and gives the reason for the rest. After a pause the circuit is half-open: one probe call is admitted
-- (is_probe, for p_deadline_ms), and the others wait for its result. With a limit of concurrent or daily calls the row is locked, so that calls
-- of all processes are counted.
CREATE OR REPLACE FUNCTION nightshift.admit_calls(p_source text, p_bucket text, p_count integer, p_in_flight_max integer, p_day_max integer,
  p_deadline_ms bigint, OUT admitted integer, OUT refusal text, OUT reason text, OUT kind text, OUT wait_ms bigint, OUT is_probe boolean)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_state source_states;
  v_now timestamptz;
  v_today date;
  v_in_flight integer;
BEGIN
  admitted := p_count;
  is_probe := false;
  IF p_in_flight_max IS NULL AND p_day_max IS NULL THEN
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
    wait_ms := CASE WHEN v_state.paused_until > v_now THEN ms_until(v_state.paused_until, v_now) ELSE 1000 END;
    RETURN;
  ELSIF v_state.paused_until IS NOT NULL THEN
    admitted := 1;
    refusal := 'paused';
    reason := v_state.pause_reason;
    kind := 'failing';
    wait_ms := 1000;
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
      reason := format('the daily budget of %s calls to %s is spent', p_day_max, p_source);
      wait_ms := ms_until((v_today + 1)::timestamp AT TIME ZONE 'UTC', v_now);
    END IF;
  END IF;
  IF p_in_flight_max IS NOT NULL THEN
    v_in_flight := in_flight(p_bucket, p_deadline_ms);
    IF v_in_flight + admitted > p_in_flight_max THEN
      admitted := greatest(p_in_flight_max - v_in_flight, 0);
      refusal := 'full';
    END IF;
  END IF;
  IF p_day_max IS NOT NULL THEN
    UPDATE source_states s SET day_calls = s.day_calls + admitted WHERE s.bucket = p_bucket;
  END IF;
  IF v_state.paused_until IS NOT NULL AND admitted > 0 THEN
    is_probe := true;
    UPDATE source_states s SET probe_until = v_now + p_deadline_ms * interval '1 millisecond' WHERE s.bucket = p_bucket;
  END IF;
END $$;

-- Restarts the deadline of a recorded call that had to wait for another reservation. False when the limit of concurrent calls is reached
-- meanwhile.
CREATE OR REPLACE FUNCTION nightshift.renew_call(p_call bigint, p_bucket text, p_in_flight_max integer, p_deadline_ms bigint, p_is_probe boolean)
RETURNS boolean
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
BEGIN
  PERFORM 1 FROM source_states s WHERE s.bucket = p_bucket FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM source_calls c WHERE c.bucket = p_bucket AND c.answered_at IS NULL AND c.id <> p_call
      AND c.sent_at > clock_timestamp() - p_deadline_ms * interval '1 millisecond') >= p_in_flight_max THEN
    RETURN false;
  END IF;
  UPDATE source_calls c SET sent_at = clock_timestamp() WHERE c.id = p_call;
  IF p_is_probe THEN
    UPDATE source_states s SET probe_until = clock_timestamp() + p_deadline_ms * interval '1 millisecond' WHERE s.bucket = p_bucket;
  END IF;
  RETURN true;
END $$;

-- Records successful calls, and closes the circuit after a pause.
CREATE OR REPLACE FUNCTION nightshift.close_circuit(p_bucket text, p_successes integer) RETURNS void
LANGUAGE sql SET search_path = nightshift, pg_temp AS $$
  -- A response to a call from before the pause does not end the pause.
  UPDATE source_states s SET failing_since = NULL, refusals = 0, refusal = NULL,
    recent = right(s.recent || repeat('g', least(p_successes, 20)), 20)
  WHERE s.bucket = p_bucket AND coalesce(s.paused_until > now(), true);
  UPDATE source_states s SET recent = '' WHERE s.bucket = p_bucket AND s.recent !~ '[du]';
  UPDATE source_states s SET recent = '', failing_since = NULL, pauses = 0, paused_until = NULL, pause_reason = NULL,
    pause_kind = NULL, probe_until = NULL, refusals = 0, refusal = NULL
  WHERE s.bucket = p_bucket AND s.paused_until <= now();
$$;

-- Records ended calls by bucket: releases unsent calls of the daily budget, frees the probe, and closes the circuit after a success.
CREATE OR REPLACE FUNCTION nightshift.record_results(p_buckets text[], p_successes integer[], p_freed boolean[], p_unsent bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_end record;
BEGIN
  -- Ordered by bucket, which prevents deadlocks.
  FOR v_end IN SELECT e.bucket, e.successes, e.freed,
      count(c.id) FILTER (WHERE (c.sent_at AT TIME ZONE 'UTC')::date = s.day)::integer AS unsent,
      e.successes > 0 AND (s.recent <> '' OR s.paused_until IS NOT NULL OR s.refusals > 0) AS closes
    FROM unnest(p_buckets, p_successes, p_freed) AS e(bucket, successes, freed)
    JOIN source_states s ON s.bucket = e.bucket
    LEFT JOIN source_calls c ON c.id = ANY (p_unsent) AND c.bucket = e.bucket
    GROUP BY e.bucket, e.successes, e.freed, s.recent, s.paused_until, s.refusals ORDER BY e.bucket
  LOOP
    IF v_end.freed OR v_end.unsent > 0 THEN
      UPDATE source_states s SET day_calls = greatest(s.day_calls - v_end.unsent, 0),
        probe_until = CASE WHEN v_end.freed THEN NULL ELSE s.probe_until END WHERE s.bucket = v_end.bucket;
    END IF;
    IF v_end.closes THEN PERFORM close_circuit(v_end.bucket, v_end.successes); END IF;
  END LOOP;
END $$;

-- Records a failed call: no response (`down`) or an unreadable one (`unreadable`). Opens the circuit after 10 consecutive `down`, after 3
-- consecutive `unreadable`, or when more than half of the last 20 calls failed. Each pause is twice as long as the previous one, up to 15
-- minutes. A source that is down is paused for one day in all; after that its lookups fail. An unreadable source charges for each call, and
-- stays paused for an operator. Returns the length of the pause; null without one.
CREATE OR REPLACE FUNCTION nightshift.open_circuit(p_source text, p_bucket text, p_failure text, p_reason text, p_wait_ms bigint,
  OUT wait_ms bigint)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_state source_states;
  v_wait_ms bigint;
BEGIN
  INSERT INTO source_states (bucket, source) VALUES (p_bucket, p_source) ON CONFLICT DO NOTHING;
  -- A failure more than an hour after the last one starts a new history.
  UPDATE source_states s SET recent = '', failing_since = now(), pauses = 0
  WHERE s.bucket = p_bucket AND coalesce(s.failed_at < now() - interval '1 hour', true);
  UPDATE source_states s SET probe_until = NULL, failed_at = now(), failing_since = coalesce(s.failing_since, now()),
    recent = right(s.recent || left(p_failure, 1), 20)
  WHERE s.bucket = p_bucket RETURNING * INTO v_state;
  -- A failed probe opens the circuit again.
  IF NOT (is_failing(v_state.recent) OR coalesce(v_state.pause_kind = 'failing', false)) THEN RETURN; END IF;
  IF v_state.failing_since < now() - interval '1 day' AND v_state.recent !~ 'u' THEN
    UPDATE source_states s SET paused_until = NULL, pause_reason = NULL, pause_kind = NULL
    WHERE s.bucket = p_bucket AND s.pause_kind = 'failing';
    RETURN;
  END IF;
  IF v_state.paused_until > now() THEN
    wait_ms := ms_until(v_state.paused_until, now());
    RETURN;
  END IF;
  v_wait_ms := least(p_wait_ms * 2 ^ least(v_state.pauses, 10), greatest(p_wait_ms, 900000));
  UPDATE source_states s SET pauses = least(s.pauses + 1, 30000), pause_reason = p_reason, pause_kind = 'failing',
    paused_until = now() + v_wait_ms * interval '1 millisecond' WHERE s.bucket = p_bucket;
  wait_ms := v_wait_ms;
END $$;

-- Records a request that the source rejected. Opens the circuit after p_same_max consecutive rejections with the same signature: the next
-- request would be rejected, too. Each pause is twice as long as the previous one, up to 15 minutes. Returns the length of the pause; null
-- without one.
CREATE OR REPLACE FUNCTION nightshift.open_circuit_after_rejections(p_source text, p_bucket text, p_signature text, p_same_max integer, p_reason text, p_wait_ms bigint,
  OUT wait_ms bigint)
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
  wait_ms := least(p_wait_ms * 2 ^ least(v_state.pauses, 10), greatest(p_wait_ms, 900000));
  UPDATE source_states s SET pauses = least(s.pauses + 1, 30000), pause_reason = p_reason, pause_kind = 'declined', probe_until = NULL,
    paused_until = now() + wait_ms * interval '1 millisecond' WHERE s.bucket = p_bucket;
END $$;

GRANT EXECUTE ON FUNCTION nightshift.is_failing,
  nightshift.ms_until,
  nightshift.in_flight,
  nightshift.admit_calls,
  nightshift.renew_call,
  nightshift.close_circuit,
  nightshift.record_results,
  nightshift.open_circuit,
  nightshift.open_circuit_after_rejections
  TO nightshift_app;
