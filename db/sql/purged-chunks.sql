-- Lookups that were purged: their ids and charges are in the chunk's row in purged_chunks, and they have no other row.

-- The lookups of purged chunks, one row each. A condition on an id needs one on `purged_chunks.lookups`, which has an index.
CREATE OR REPLACE VIEW nightshift.purged_lookups AS
  SELECT i.id, p.chunk_id, p.account_id, p.batch_id, p.request_id, c.operation,
    CASE WHEN p.charged @> i.id THEN c.price_micro ELSE 0 END AS charged_micro, p.purged_at
  FROM nightshift.purged_chunks p
  JOIN nightshift.chunks c ON c.id = p.chunk_id
  CROSS JOIN LATERAL unnest(p.lookups) AS r(ids)
  CROSS JOIN LATERAL generate_series(lower(r.ids), upper(r.ids) - 1) AS i(id);

-- The ids of ranges. For readers of all of them: a strict function is not inlined, so the planner takes its estimate of rows. The one of unnest
-- and generate_series is a hundred thousand.
CREATE OR REPLACE FUNCTION nightshift.ids_of(p_ranges int8multirange) RETURNS SETOF bigint
LANGUAGE sql IMMUTABLE STRICT ROWS 500 AS $$
  SELECT generate_series(lower(r.ids), upper(r.ids) - 1) FROM unnest(p_ranges) AS r(ids)
$$;

-- The chunks of the next round of a batch: unpurged ones of one operation with about p_limit lookups, at least one. Smaller chunks within the
-- range of another one, which was split, are in its round.
CREATE OR REPLACE FUNCTION nightshift.next_chunks(p_batch bigint, p_limit integer) RETURNS bigint[]
LANGUAGE sql STABLE SET search_path = nightshift, pg_temp SET enable_seqscan = off AS $$
  WITH left_over AS (
    SELECT c.* FROM chunks c WHERE c.batch_id = p_batch AND NOT EXISTS (SELECT FROM purged_chunks p WHERE p.chunk_id = c.id)
  ), ordered AS (
    SELECT c.id, c.first_lookup_id, sum(c.lookups - c.moved_on) OVER so_far - (c.lookups - c.moved_on) AS before,
      coalesce(max(c.last_lookup_id) OVER (so_far ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) >= c.first_lookup_id, false) AS is_within
    FROM left_over c WHERE c.operation = (SELECT min(o.operation) FROM left_over o)
    WINDOW so_far AS (ORDER BY c.first_lookup_id, c.id)
  ), grouped AS (
    SELECT o.*, count(*) FILTER (WHERE NOT o.is_within) OVER (ORDER BY o.first_lookup_id, o.id) AS part FROM ordered o
  )
  SELECT array_agg(f.id) FROM (SELECT g.id, min(g.before) OVER (PARTITION BY g.part) AS before FROM grouped g) f WHERE f.before < p_limit
$$;

-- The lookups of chunks of one operation of a batch, each with its chunk, in the order of ids. A lookup belongs to the smallest chunk that has
-- it: one of its own, one of the parts of a split chunk (with the lookups that were open then), or the chunk whose range it is in. One pass
-- over both in the order of ids, as in db/verify/lookup-chunks.ts.
CREATE OR REPLACE FUNCTION nightshift.lookups_of_chunks(p_chunks bigint[], OUT ids bigint[], OUT chunk_ids bigint[])
LANGUAGE plpgsql STABLE SET search_path = nightshift, pg_temp SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  -- Without splits, which are rare, each chunk has its range.
  IF NOT EXISTS (SELECT FROM chunks c WHERE c.id = ANY (p_chunks) AND (c.moved_on > 0 OR c.split_at IS NOT NULL)) THEN
    SELECT array_agg(l.id ORDER BY l.id), array_agg(c.id ORDER BY l.id) INTO ids, chunk_ids
      FROM chunks c JOIN lookups l ON l.id BETWEEN c.first_lookup_id AND c.last_lookup_id
      WHERE c.id = ANY (p_chunks) AND l.batch_id = c.batch_id AND l.operation = c.operation;
    RETURN;
  END IF;
  WITH span AS (
    SELECT c.*, coalesce(max(c.last_lookup_id) OVER (ORDER BY c.first_lookup_id, c.id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) >= c.first_lookup_id, false) AS is_within
    FROM chunks c WHERE c.id = ANY (p_chunks)
  ), bounds AS MATERIALIZED (
    SELECT batch_id, operation, min(first_lookup_id) AS first, max(last_lookup_id) AS last FROM span GROUP BY batch_id, operation
  ), point AS (
    SELECT s.first_lookup_id AS id, 0 AS kind, NULL::timestamptz AS ended_at,
      CASE WHEN NOT s.is_within THEN ARRAY[s.first_lookup_id, s.last_lookup_id, s.id] END AS latest,
      CASE WHEN s.is_within AND s.lookups > 1 THEN ARRAY[s.first_lookup_id, s.last_lookup_id, s.id, extract(epoch FROM s.split_at) * 1000000] END
        AS part,
      CASE WHEN s.is_within AND s.lookups = 1 THEN s.id END AS alone_in
    FROM span s
    UNION ALL
    SELECT l.id, 2, l.ended_at, NULL, NULL, NULL
    FROM lookups l
    WHERE l.id BETWEEN (SELECT b.first FROM bounds b) AND (SELECT b.last FROM bounds b)
      AND l.batch_id = (SELECT b.batch_id FROM bounds b) AND l.operation = (SELECT b.operation FROM bounds b)
  ), found AS (
    SELECT id, coalesce(alone_in, CASE WHEN id <= part[2] AND extract(epoch FROM ended_at) * 1000000 > part[4] THEN part[3] END,
      CASE WHEN id <= latest[2] THEN latest[3] END)::bigint AS chunk_id
    FROM (
      SELECT id, kind, ended_at, max(latest) OVER so_far AS latest, max(part) OVER so_far AS part,
        max(alone_in) OVER (PARTITION BY id) AS alone_in
      FROM point WINDOW so_far AS (ORDER BY id, kind)
    ) p WHERE kind = 2
  )
  SELECT array_agg(f.id ORDER BY f.id), array_agg(f.chunk_id ORDER BY f.id) INTO ids, chunk_ids FROM found f WHERE f.chunk_id IS NOT NULL;
END $$;

-- Purges lookups of one operation, of chunks which go as a whole: deletes their rows and verdicts, and adds the chunks to purged_chunks. Of a chunk
-- that was split into others it may have none. The plan is independent of statistics, and of the number of lookups.
DROP FUNCTION IF EXISTS nightshift.purge_lookups(bigint[], bigint[]);
CREATE OR REPLACE FUNCTION nightshift.purge_lookups(p_chunks bigint[], p_ids bigint[], p_chunk_ids bigint[],
  OUT lookups bigint, OUT ads bigint, OUT verdicts bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- None where there are only companies.
  v_addresses bigint[] := CASE WHEN EXISTS (
    SELECT FROM nightshift.lookups l WHERE l.id = p_ids[1] AND l.operation = 'email_validation') THEN p_ids ELSE '{}' END;
BEGIN
  IF EXISTS (SELECT FROM source_calls c WHERE c.lookup_id BETWEEN p_ids[1] AND p_ids[cardinality(p_ids)]) THEN
    UPDATE source_calls c SET description = '', response_hash = NULL FROM unnest(p_ids) AS p(id)
      WHERE c.lookup_id = p.id AND (c.description <> '' OR c.response_hash IS NOT NULL);
  END IF;
  DELETE FROM advertiser_candidates c USING unnest(p_ids) AS p(id) WHERE c.lookup_id = p.id;
  DELETE FROM mailbox_rechecks r USING unnest(v_addresses) AS p(id) WHERE r.lookup_id = p.id;
  WITH gone AS (
    DELETE FROM nightshift.lookups l
    USING unnest(p_ids, p_chunk_ids) AS p(id, chunk_id) LEFT JOIN email_results e ON e.lookup_id = p.id
    WHERE l.id = p.id
    RETURNING l.id, p.chunk_id, l.request_id, l.outcome, e.status, l.charged_micro > 0 AS is_charged, l.truncated,
      CASE WHEN l.answer_id IS NULL THEN 0 ELSE l.ads_count END AS ads, date_bin('15 minutes', l.ended_at, '2000-01-01Z') AS quarter
  ), verdict AS (
    DELETE FROM email_results e USING unnest(v_addresses) AS p(id) WHERE e.lookup_id = p.id RETURNING e.lookup_id
  ), counted AS (
    SELECT g.chunk_id, g.quarter, max(g.request_id) AS request_id, count(*) AS lookups, sum(g.ads) AS ads, count(*) FILTER (WHERE g.truncated) AS truncated,
      range_agg(int8range(g.id, g.id + 1)) AS ids, range_agg(int8range(g.id, g.id + 1)) FILTER (WHERE g.is_charged) AS charged_ids,
      jsonb_build_object('at', g.quarter, 'lookups', count(*), 'charged', count(*) FILTER (WHERE g.is_charged),
        'none', count(*) FILTER (WHERE g.outcome = 'none'), 'no_match', count(*) FILTER (WHERE g.outcome = 'no_match'),
        'unknown', count(*) FILTER (WHERE g.status = 'unknown'), 'failed', count(*) FILTER (WHERE g.outcome = 'failed'),
        'cancelled', count(*) FILTER (WHERE g.outcome = 'cancelled')) AS counts
    FROM gone g GROUP BY g.chunk_id, g.quarter
    UNION ALL
    SELECT u.chunk_id, NULL, NULL, 0, 0, 0, NULL, NULL, NULL FROM unnest(p_chunks) AS u(chunk_id)
  ), purged AS (
    INSERT INTO purged_chunks (chunk_id, account_id, batch_id, request_id, lookups, charged, truncated, quarters)
    SELECT k.chunk_id, c.account_id, c.batch_id, k.request_id, k.ids, k.charged_ids, k.truncated, k.quarters
    FROM (
      SELECT n.chunk_id, max(n.request_id) AS request_id, coalesce(range_agg(n.ids), '{}') AS ids, coalesce(range_agg(n.charged_ids), '{}') AS charged_ids,
        sum(n.truncated) AS truncated,
        CASE WHEN count(n.quarter) > 1 THEN jsonb_agg(n.counts ORDER BY n.quarter) FILTER (WHERE n.counts IS NOT NULL) END AS quarters
      FROM counted n GROUP BY n.chunk_id
    ) k JOIN chunks c ON c.id = k.chunk_id
  )
  SELECT coalesce(sum(n.lookups), 0), coalesce(sum(n.ads), 0), (SELECT count(*) FROM verdict)
    INTO purge_lookups.lookups, purge_lookups.ads, purge_lookups.verdicts FROM counted n;
END $$;

GRANT SELECT ON nightshift.purged_lookups TO nightshift_app;
GRANT EXECUTE ON FUNCTION nightshift.ids_of,
  nightshift.next_chunks,
  nightshift.lookups_of_chunks
  TO nightshift_app;
