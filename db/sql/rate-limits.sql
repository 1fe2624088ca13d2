-- The pace of calls to each source, shared by all worker hosts.

-- Takes up to p_count slots of a bucket, one every p_interval_us (GCRA), as many as begin within p_wait_us_max: a slot that nobody
-- will wait for must not be taken, or the bucket would run ahead of everybody. Answers how many were taken, and how long to wait
-- for the first free one, in microseconds by the database's clock.
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

-- The source asked us to wait: no slot before p_delay_us from now, for every process.
CREATE OR REPLACE FUNCTION nightshift.delay_slots(p_bucket text, p_delay_us bigint) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO nightshift.source_buckets AS b (bucket, next_at)
  VALUES (p_bucket, clock_timestamp() + p_delay_us * interval '1 microsecond')
  ON CONFLICT (bucket) DO UPDATE SET next_at = greatest(b.next_at, excluded.next_at)
$$;

-- The source says itself how far apart its requests have to be. For a day: then it is asked anew.
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
