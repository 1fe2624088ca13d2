GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.raw_replies, nightshift.source_states, nightshift.source_smokes
  TO nightshift_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON nightshift.source_prices TO nightshift_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON nightshift.company_mapping_changes TO nightshift_app;
--> statement-breakpoint
INSERT INTO nightshift.installation DEFAULT VALUES;
--> statement-breakpoint
GRANT SELECT ON nightshift.installation TO nightshift_app;
--> statement-breakpoint

-- As before (0002), at the slower of two paces: ours, and what the source itself has asked for. Answers which one it was, and its clock.
DROP FUNCTION nightshift.take_slots(text, bigint, bigint, integer);
--> statement-breakpoint
CREATE FUNCTION nightshift.take_slots(p_bucket text, p_interval_us bigint, p_wait_us_max bigint, p_count integer,
  OUT taken integer, OUT wait_us bigint, OUT interval_us bigint, OUT now_us bigint)
LANGUAGE plpgsql AS $$
DECLARE
  v_next timestamptz;
  v_now timestamptz;
BEGIN
  INSERT INTO nightshift.source_buckets (bucket, next_at) VALUES (p_bucket, clock_timestamp()) ON CONFLICT DO NOTHING;
  SELECT b.next_at, greatest(p_interval_us, CASE WHEN b.learned_until > now() THEN b.learned_us ELSE 0 END)
    INTO v_next, interval_us FROM nightshift.source_buckets b WHERE b.bucket = p_bucket FOR NO KEY UPDATE;
  v_now := clock_timestamp();
  now_us := extract(epoch FROM v_now) * 1000000;
  wait_us := greatest(0, extract(epoch FROM v_next - v_now) * 1000000)::bigint;
  taken := CASE
    WHEN wait_us > p_wait_us_max THEN 0
    WHEN interval_us = 0 THEN p_count
    ELSE least(p_count, (p_wait_us_max - wait_us) / interval_us + 1) END;
  IF taken > 0 THEN
    UPDATE nightshift.source_buckets SET next_at = greatest(v_next, v_now) + taken * interval_us * interval '1 microsecond'
    WHERE bucket = p_bucket;
  END IF;
END $$;
--> statement-breakpoint

-- The source says itself how far apart its requests have to be. For a day: then it is asked anew.
CREATE FUNCTION nightshift.learn_interval(p_bucket text, p_interval_us bigint) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO nightshift.source_buckets AS b (bucket, next_at, learned_us, learned_until)
  VALUES (p_bucket, clock_timestamp(), p_interval_us, now() + interval '1 day')
  ON CONFLICT (bucket) DO UPDATE SET learned_us = excluded.learned_us, learned_until = excluded.learned_until
$$;
--> statement-breakpoint

-- How a source stands before calls to it begin: how many may, and why not the others. After a pause one call tries how it does
-- (is_trial; p_deadline_ms is the time that has), and the others wait for that, as for a source that fails: whether it refuses us
-- still, only that call can tell. With a limit of calls in flight or a day the row is locked, so that those of all processes are counted.
CREATE FUNCTION nightshift.admit_calls(p_source text, p_bucket text, p_count integer, p_in_flight_max integer, p_day_max integer,
  p_deadline_ms bigint, OUT admitted integer, OUT refusal text, OUT reason text, OUT kind text, OUT wait_ms bigint, OUT is_trial boolean)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_state source_states;
  v_now timestamptz;
  v_today date;
  v_in_flight integer;
BEGIN
  admitted := p_count;
  is_trial := false;
  IF p_in_flight_max IS NULL AND p_day_max IS NULL THEN
    SELECT * INTO v_state FROM source_states s WHERE s.bucket = p_bucket AND (s.paused_until IS NOT NULL);
    IF NOT FOUND THEN RETURN; END IF;
  ELSE
    INSERT INTO source_states (bucket, source) VALUES (p_bucket, p_source) ON CONFLICT DO NOTHING;
  END IF;
  SELECT * INTO v_state FROM source_states s WHERE s.bucket = p_bucket FOR NO KEY UPDATE;
  -- After the lock: who waited for it past midnight asks about the new day.
  v_now := clock_timestamp();
  v_today := (v_now AT TIME ZONE 'UTC')::date;

  IF v_state.paused_until > v_now OR v_state.trial_until > v_now THEN
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
      reason := format('the budget of %s calls a day to %s is spent', p_day_max, p_source);
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
    is_trial := true;
    UPDATE source_states s SET trial_until = v_now + p_deadline_ms * interval '1 millisecond' WHERE s.bucket = p_bucket;
  END IF;
END $$;
--> statement-breakpoint

-- Whole milliseconds until a moment, at least one: nobody is told to wait for no time at all.
CREATE FUNCTION nightshift.ms_until(p_at timestamptz, p_now timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT greatest(ceil(extract(epoch FROM p_at - p_now) * 1000), 1)::bigint $$;
--> statement-breakpoint

-- Calls that are under way: begun, not ended, and younger than the deadline that every call has.
CREATE FUNCTION nightshift.in_flight(p_bucket text, p_deadline_ms bigint) RETURNS integer
LANGUAGE sql SET search_path = nightshift, pg_temp AS $$
  SELECT count(*)::integer FROM source_calls
  WHERE bucket = p_bucket AND answered_at IS NULL AND sent_at > clock_timestamp() - p_deadline_ms * interval '1 millisecond'
$$;
--> statement-breakpoint

-- A call that stands on record goes out only now, because it had to wait for another turn: its deadline begins anew. False when others
-- have taken its place among those in flight meanwhile.
CREATE FUNCTION nightshift.renew_call(p_call bigint, p_bucket text, p_in_flight_max integer, p_deadline_ms bigint, p_is_trial boolean)
RETURNS boolean
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
BEGIN
  PERFORM 1 FROM source_states s WHERE s.bucket = p_bucket FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM source_calls c WHERE c.bucket = p_bucket AND c.answered_at IS NULL AND c.id <> p_call
      AND c.sent_at > clock_timestamp() - p_deadline_ms * interval '1 millisecond') >= p_in_flight_max THEN
    RETURN false;
  END IF;
  UPDATE source_calls c SET sent_at = clock_timestamp() WHERE c.id = p_call;
  IF p_is_trial THEN
    UPDATE source_states s SET trial_until = clock_timestamp() + p_deadline_ms * interval '1 millisecond' WHERE s.bucket = p_bucket;
  END IF;
  RETURN true;
END $$;
--> statement-breakpoint

-- What calls that have ended say of their sources: so many answers each (p_goods), whether the call that tried one after a pause has
-- told nothing of it (p_freed), and which calls were not sent after all and so count for no day (p_unsent). An answer ends a pause
-- whose time is over; while there is trouble among the last 20 calls it is put beside it.
CREATE FUNCTION nightshift.note_ends(p_buckets text[], p_goods integer[], p_freed boolean[], p_unsent bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_end record;
BEGIN
  -- In one order, so that no two wait for each other.
  FOR v_end IN SELECT e.bucket, e.goods, e.freed,
      count(c.id) FILTER (WHERE (c.sent_at AT TIME ZONE 'UTC')::date = s.day)::integer AS unsent,
      e.goods > 0 AND (s.recent <> '' OR s.paused_until IS NOT NULL) AS heals
    FROM unnest(p_buckets, p_goods, p_freed) AS e(bucket, goods, freed)
    JOIN source_states s ON s.bucket = e.bucket
    LEFT JOIN source_calls c ON c.id = ANY (p_unsent) AND c.bucket = e.bucket
    GROUP BY e.bucket, e.goods, e.freed, s.recent, s.paused_until ORDER BY e.bucket
  LOOP
    IF v_end.freed OR v_end.unsent > 0 THEN
      UPDATE source_states s SET day_calls = greatest(s.day_calls - v_end.unsent, 0),
        trial_until = CASE WHEN v_end.freed THEN NULL ELSE s.trial_until END WHERE s.bucket = v_end.bucket;
    END IF;
    IF v_end.heals THEN PERFORM heal_source(v_end.bucket, v_end.goods); END IF;
  END LOOP;
END $$;
--> statement-breakpoint

CREATE FUNCTION nightshift.heal_source(p_bucket text, p_goods integer) RETURNS void
LANGUAGE sql SET search_path = nightshift, pg_temp AS $$
  -- An answer to a call from before the pause does not end it.
  UPDATE source_states s SET failing_since = NULL,
    recent = right(s.recent || repeat('g', least(p_goods, 20)), 20)
  WHERE s.bucket = p_bucket AND coalesce(s.paused_until > now(), true);
  UPDATE source_states s SET recent = '' WHERE s.bucket = p_bucket AND s.recent !~ '[do]';
  UPDATE source_states s SET recent = '', failing_since = NULL, pauses = 0, paused_until = NULL, pause_reason = NULL,
    pause_kind = NULL, trial_until = NULL
  WHERE s.bucket = p_bucket AND s.paused_until <= now();
$$;
--> statement-breakpoint

-- A call brought no answer (`down`) or none that can be read (`odd`). After 10 in a row that are down, after 3 in a row that are odd,
-- and where of the last 20 more than half are one or the other, the source is left alone, twice as long every time, up to a quarter of
-- an hour. One that is down is left alone for no longer than a day in all: what then still gets no answer ends as failed. One whose
-- answers cannot be read takes money for each, and waits for an operator. Answers until when it is left alone.
CREATE FUNCTION nightshift.note_trouble(p_source text, p_bucket text, p_trouble text, p_reason text, p_wait_ms bigint,
  OUT wait_ms bigint)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_state source_states;
  v_wait_ms bigint;
BEGIN
  INSERT INTO source_states (bucket, source) VALUES (p_bucket, p_source) ON CONFLICT DO NOTHING;
  -- A failure long after the last one begins anew: what was between them is not known.
  UPDATE source_states s SET recent = '', failing_since = now(), pauses = 0
  WHERE s.bucket = p_bucket AND coalesce(s.failed_at < now() - interval '1 hour', true);
  UPDATE source_states s SET trial_until = NULL, failed_at = now(), failing_since = coalesce(s.failing_since, now()),
    recent = right(s.recent || left(p_trouble, 1), 20)
  WHERE s.bucket = p_bucket RETURNING * INTO v_state;
  -- Its first call after such a pause has failed again: what it was paused for is not over.
  IF NOT (is_failing(v_state.recent) OR coalesce(v_state.pause_kind = 'failing', false)) THEN RETURN; END IF;
  IF v_state.failing_since < now() - interval '1 day' AND v_state.recent !~ 'o' THEN
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
--> statement-breakpoint

CREATE FUNCTION nightshift.is_failing(p_recent text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT p_recent ~ 'd{10}$' OR p_recent ~ 'o{3}$' OR (length(p_recent) = 20 AND length(replace(p_recent, 'g', '')) > 10)
$$;
--> statement-breakpoint

-- What is known of the prices of sources (autumn 2026). An operator's own price counts from when it is set.
INSERT INTO nightshift.source_prices (source, effective_from, amount, currency, unit, note) VALUES
  ('upstream', '2026-01-01Z', 0.2, 'credits', 'search that found ads', 'the service contract, section 8'),
  ('serpapi', '2026-01-01Z', 1, 'searches', 'page of up to 100 ads', 'as their plans count; empty pages too'),
  ('dataforseo', '2026-01-01Z', 0.002, 'USD', '40 ads asked for', 'live; empty answers too'),
  ('adyntel', '2026-01-01Z', 1, 'credits', 'page of ads', 'as their plans count'),
  ('bigquery', '2026-01-01Z', 6.25, 'USD', 'TiB read', 'on demand, US; the first TiB of a month is free');
--> statement-breakpoint

CREATE VIEW reports.source_calls AS
  SELECT id AS call_id, lookup_id, source, sent_at, answered_at, answer, source_charge::text AS source_charge, about
  FROM nightshift.source_calls;
--> statement-breakpoint
COMMENT ON VIEW reports.source_calls IS
  'Every call to a live source, recorded before it was sent; answer is null while it is not known.';
--> statement-breakpoint

CREATE VIEW reports.source_charges AS
  SELECT c.id AS call_id, c.lookup_id, b.public_id AS batch, l.request_id AS request, a.name AS account, c.source, c.sent_at, c.answer,
    trim_scale(c.units) AS units, p.unit, trim_scale(c.units * p.amount) AS expected, c.source_charge AS charged, p.currency,
    c.answer IS NULL OR c.answer IN ('in_doubt', 'source_unreadable') AS is_in_doubt
  FROM nightshift.source_calls c
  JOIN nightshift.lookups l ON l.id = c.lookup_id
  JOIN nightshift.accounts a ON a.id = l.account_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id
  LEFT JOIN LATERAL (
    SELECT * FROM nightshift.source_prices s WHERE s.source = c.source AND s.effective_from <= c.sent_at
    ORDER BY s.effective_from DESC LIMIT 1
  ) p ON true
  WHERE c.units > 0 OR c.source_charge > 0;
--> statement-breakpoint
COMMENT ON VIEW reports.source_charges IS
  'The bill of the sources: every call that cost something there, or may have. expected is by the price book of the source, charged what the source itself says (null: it does not say), both in currency.';
--> statement-breakpoint
COMMENT ON COLUMN reports.source_charges.is_in_doubt IS
  'Its answer never came or cannot be read: the source may have charged up to what is expected.';
--> statement-breakpoint
CREATE VIEW reports.source_prices AS
  SELECT source, trim_scale(amount) AS amount, currency, unit, effective_from, note FROM nightshift.source_prices;
--> statement-breakpoint
COMMENT ON VIEW reports.source_prices IS 'What a unit of a source costs there from a moment on.';
--> statement-breakpoint

CREATE VIEW reports.lookup_sources AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.request_id AS request, l.subject_key AS company_key, s.position,
    s.entry ->> 'source' AS source, s.entry ->> 'reported' AS reported, s.entry ->> 'message' AS message
  FROM nightshift.lookups l
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id
  CROSS JOIN LATERAL jsonb_array_elements(coalesce(l.asked, jsonb_build_array(jsonb_build_object('source', l.source, 'reported', l.outcome))))
    WITH ORDINALITY AS s(entry, position)
  WHERE l.operation = 'ads_search' AND (l.asked IS NOT NULL OR (l.source IS NOT NULL AND l.outcome IS NOT NULL));
--> statement-breakpoint
COMMENT ON VIEW reports.lookup_sources IS
  'Every source that was asked about a company, in order, and what it said: found, none, no_match, repeated (an earlier answer was shown again), or the code of its trouble with a message.';
--> statement-breakpoint

CREATE OR REPLACE VIEW reports.lookups AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.request_id AS request, a.name AS account, l.operation,
    CASE WHEN l.operation = 'ads_search' THEN l.subject_key END AS company_key, l.company_domain, l.company_name, l.generation,
    coalesce(l.outcome, 'open') AS outcome, l.reason, l.source, l.matched_by, l.ads_count,
    trim_scale(l.charged_micro / 1000000.0) AS credits, l.ended_at,
    NOT EXISTS (
      SELECT 1 FROM nightshift.lookups n WHERE n.batch_id = l.batch_id AND n.operation = l.operation
        AND n.subject_key = l.subject_key AND n.generation = l.generation + 1
    ) AS is_latest,
    l.email, l.repeats IS NOT NULL AS from_cache, coalesce(l.observed_at, l.ended_at) AS observed_at, l.partial, l.truncated,
    l.estimate_low, l.estimate_high
  FROM nightshift.lookups l
  JOIN nightshift.accounts a ON a.id = l.account_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id;
--> statement-breakpoint
COMMENT ON COLUMN reports.lookups.from_cache IS 'An earlier answer of the same account was shown again, free; observed_at says from when it is.';
--> statement-breakpoint
COMMENT ON COLUMN reports.lookups.partial IS 'A later page could not be had: the ads are some of those there are.';
--> statement-breakpoint
COMMENT ON COLUMN reports.lookups.truncated IS 'There are more ads than were asked for.';
--> statement-breakpoint
COMMENT ON COLUMN reports.lookups.estimate_low IS 'How many ads there are in all, as the source estimates it: from estimate_low to estimate_high.';
--> statement-breakpoint
CREATE OR REPLACE VIEW reports.ads AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.subject_key AS company_key, l.company_domain, l.company_name,
    la.position, coalesce(i.advertiser_id, '') AS advertiser_id, coalesce(i.creative_id, '') AS creative_id,
    v.advertiser_name, v.format, v.original_url, la.start, la.last_seen, v.headline, v.description, v.display_url,
    v.final_url, v.ad_type, v.variants_count, v.id AS version_id, l.source, coalesce(l.observed_at, l.ended_at) AS observed_at,
    coalesce(la.relation, 'own') AS relation
  FROM nightshift.lookup_ads la
  JOIN nightshift.lookups l ON l.id = la.lookup_id
  JOIN nightshift.ad_versions v ON v.id = la.version_id
  JOIN nightshift.ads i ON i.id = v.ad_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id;
--> statement-breakpoint
COMMENT ON COLUMN reports.ads.relation IS
  'Whose ad it is: own, third_party (an agency, a reseller), or unknown. Your mapping (companies) decides, then the advertiser''s name.';
--> statement-breakpoint
GRANT SELECT ON reports.source_calls, reports.source_charges, reports.source_prices, reports.lookup_sources
  TO nightshift_reader, nightshift_app;
