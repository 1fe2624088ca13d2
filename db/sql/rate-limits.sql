-- Rate limits of sources, shared by all worker hosts.

-- Reserves up to p_count slots of a bucket, one per p_interval_us (GCRA), as many as begin within p_wait_us_max. A slot beyond the wait budget
-- of the caller must not be reserved: it would stay unused. Returns the number of reserved slots, and the wait for the first one, in
-- microseconds of the database clock.
CREATE OR REPLACE FUNCTION nightshift.take_slots(p_bucket text, p_interval_us bigint, p_wait_us_max bigint, p_count integer,
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

-- Delays all slots of a bucket by p_delay_us from now, after a rate-limit response of the source.
CREATE OR REPLACE FUNCTION nightshift.delay_slots(p_bucket text, p_delay_us bigint) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO nightshift.source_buckets AS b (bucket, next_at)
  VALUES (p_bucket, clock_timestamp() + p_delay_us * interval '1 microsecond')
  ON CONFLICT (bucket) DO UPDATE SET next_at = greatest(b.next_at, excluded.next_at)
$$;

-- Stores the interval that the source requires between requests. It expires after a day.
CREATE OR REPLACE FUNCTION nightshift.learn_interval(p_bucket text, p_interval_us bigint) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO nightshift.source_buckets AS b (bucket, next_at, learned_us, learned_until)
  VALUES (p_bucket, clock_timestamp(), p_interval_us, now() + interval '1 day')
  ON CONFLICT (bucket) DO UPDATE SET learned_us = excluded.learned_us, learned_until = excluded.learned_until
$$;

GRANT EXECUTE ON FUNCTION nightshift.take_slots,
  nightshift.delay_slots,
  nightshift.learn_interval
  TO nightshift_app;
