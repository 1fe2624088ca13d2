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

-- Admits calls to a source before they begin: how many may, and why not the others. After a pause one call probes the source (is_probe;
-- p_deadline_ms is its time), and the others wait p_probe_wait_ms at a time, as for a source that fails: only the probe can tell whether it
-- still rejects us. With a limit of calls in flight or a day the row is locked, so that the calls of all processes are counted.
CREATE OR REPLACE FUNCTION nightshift.admit_calls(p_source text, p_bucket text, p_count integer, p_in_flight_max integer, p_day_max integer,
  p_deadline_ms bigint, p_probe_wait_ms bigint, OUT admitted integer, OUT refusal text, OUT reason text, OUT kind text, OUT wait_ms bigint, OUT is_probe boolean)
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

-- Records how calls ended. An answer also ends a row of rejections.
CREATE OR REPLACE FUNCTION nightshift.record_results(p_buckets text[], p_successes integer[], p_freed boolean[], p_unsent bigint[], p_window integer)
RETURNS void
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
    IF v_end.closes THEN PERFORM close_circuit(v_end.bucket, v_end.successes, p_window); END IF;
  END LOOP;
END $$;

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
  nightshift.admit_calls,
  nightshift.renew_call,
  nightshift.close_circuit,
  nightshift.record_results,
  nightshift.open_circuit,
  nightshift.open_circuit_after_rejections
  TO nightshift_app;
