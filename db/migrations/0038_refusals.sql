ALTER TABLE "nightshift"."source_states" ADD COLUMN "refusals" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."source_states" ADD COLUMN "refusal" text;--> statement-breakpoint

-- A source has declined a question. So many alike in a row (p_alike_max), and it is left alone, twice as long every time, up to a quarter of
-- an hour: whoever the next question were about, it would end the same. Answers for how long it is left alone; null where it is not.
CREATE FUNCTION nightshift.note_refusal(p_source text, p_bucket text, p_likeness text, p_alike_max integer, p_reason text, p_wait_ms bigint,
  OUT wait_ms bigint)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_state source_states;
BEGIN
  INSERT INTO source_states (bucket, source) VALUES (p_bucket, p_source) ON CONFLICT DO NOTHING;
  UPDATE source_states s SET refusal = p_likeness,
    refusals = CASE WHEN s.refusal = p_likeness THEN least(s.refusals + 1, 30000) ELSE 1 END
  WHERE s.bucket = p_bucket RETURNING * INTO v_state;
  IF v_state.refusals < p_alike_max THEN RETURN; END IF;
  IF v_state.paused_until > now() THEN
    wait_ms := ms_until(v_state.paused_until, now());
    RETURN;
  END IF;
  wait_ms := least(p_wait_ms * 2 ^ least(v_state.pauses, 10), greatest(p_wait_ms, 900000));
  UPDATE source_states s SET pauses = least(s.pauses + 1, 30000), pause_reason = p_reason, pause_kind = 'declined', trial_until = NULL,
    paused_until = now() + wait_ms * interval '1 millisecond' WHERE s.bucket = p_bucket;
END $$;
--> statement-breakpoint

-- As before (migration 0019), and an answer ends a row of refusals.
CREATE OR REPLACE FUNCTION nightshift.note_ends(p_buckets text[], p_goods integer[], p_freed boolean[], p_unsent bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_end record;
BEGIN
  -- In one order, so that no two wait for each other.
  FOR v_end IN SELECT e.bucket, e.goods, e.freed,
      count(c.id) FILTER (WHERE (c.sent_at AT TIME ZONE 'UTC')::date = s.day)::integer AS unsent,
      e.goods > 0 AND (s.recent <> '' OR s.paused_until IS NOT NULL OR s.refusals > 0) AS heals
    FROM unnest(p_buckets, p_goods, p_freed) AS e(bucket, goods, freed)
    JOIN source_states s ON s.bucket = e.bucket
    LEFT JOIN source_calls c ON c.id = ANY (p_unsent) AND c.bucket = e.bucket
    GROUP BY e.bucket, e.goods, e.freed, s.recent, s.paused_until, s.refusals ORDER BY e.bucket
  LOOP
    IF v_end.freed OR v_end.unsent > 0 THEN
      UPDATE source_states s SET day_calls = greatest(s.day_calls - v_end.unsent, 0),
        trial_until = CASE WHEN v_end.freed THEN NULL ELSE s.trial_until END WHERE s.bucket = v_end.bucket;
    END IF;
    IF v_end.heals THEN PERFORM heal_source(v_end.bucket, v_end.goods); END IF;
  END LOOP;
END $$;
--> statement-breakpoint

CREATE OR REPLACE FUNCTION nightshift.heal_source(p_bucket text, p_goods integer) RETURNS void
LANGUAGE sql SET search_path = nightshift, pg_temp AS $$
  -- An answer to a call from before the pause does not end it.
  UPDATE source_states s SET failing_since = NULL, refusals = 0, refusal = NULL,
    recent = right(s.recent || repeat('g', least(p_goods, 20)), 20)
  WHERE s.bucket = p_bucket AND coalesce(s.paused_until > now(), true);
  UPDATE source_states s SET recent = '' WHERE s.bucket = p_bucket AND s.recent !~ '[do]';
  UPDATE source_states s SET recent = '', failing_since = NULL, pauses = 0, paused_until = NULL, pause_reason = NULL,
    pause_kind = NULL, trial_until = NULL, refusals = 0, refusal = NULL
  WHERE s.bucket = p_bucket AND s.paused_until <= now();
$$;
