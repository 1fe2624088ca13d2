-- Erasure of a person's e-mail address.

CREATE OR REPLACE FUNCTION nightshift.is_erasing(p_old nightshift.lookups, p_new nightshift.lookups) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT p_new.email IS NULL AND p_new.subject_key LIKE 'erased:%'
    AND to_jsonb(p_old) - '{email,subject_key}'::text[] = to_jsonb(p_new) - '{email,subject_key}'::text[]
$$;

-- Erases an address from the lookups that wait in blocks, and returns their number.
CREATE OR REPLACE FUNCTION nightshift.erase_waiting(p_key text) RETURNS bigint
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_lookups bigint;
BEGIN
  WITH erased AS (
    UPDATE lookup_blocks b SET subject_keys = e.keys, emails = e.emails
    FROM (
      SELECT o.batch_id, o.operation, o.first_id,
        array_agg(CASE WHEN lower(u.key) = lower(p_key) THEN 'erased:' || u.id ELSE u.key END ORDER BY u.ord) AS keys,
        array_agg(CASE WHEN lower(u.key) <> lower(p_key) THEN u.email END ORDER BY u.ord) AS emails,
        count(*) FILTER (WHERE lower(u.key) = lower(p_key) AND NOT EXISTS (SELECT FROM lookups l WHERE l.id = u.id)) AS waiting
      FROM lookup_blocks o CROSS JOIN LATERAL unnest(o.ids, o.subject_keys, o.emails) WITH ORDINALITY AS u(id, key, email, ord)
      WHERE o.operation = 'email_validation'
      GROUP BY o.batch_id, o.operation, o.first_id
      HAVING bool_or(lower(u.key) = lower(p_key))
    ) e
    WHERE b.batch_id = e.batch_id AND b.operation = e.operation AND b.first_id = e.first_id
    RETURNING e.waiting
  )
  SELECT coalesce(sum(waiting), 0) INTO v_lookups FROM erased;
  RETURN v_lookups;
END $$;

-- Erases an address from the lookups, verdicts and cells of all accounts. p_spellings has all its spellings; case is ignored. All
-- generations of a lookup get the same new key, so that a retry stays linked to its predecessor.
CREATE OR REPLACE FUNCTION nightshift.erase_address(p_key text, p_spellings text[], OUT lookups bigint, OUT rows bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_ids bigint[];
  v_waiting bigint;
  v_batches bigint[];
  v_pattern text := (SELECT string_agg(regexp_replace(s, '([^[:alnum:]@])', '\\\1', 'g'), '|') FROM unnest(p_spellings) s);
BEGIN
  -- First, because it waits for commits that copy an address from a block to a row.
  v_waiting := erase_waiting(p_key);
  SELECT coalesce(array_agg(l.id), '{}') INTO v_ids FROM lookups l
    WHERE l.operation = 'email_validation' AND lower(l.subject_key) = lower(p_key);
  SELECT count(*), array_agg(DISTINCT r.batch_id) INTO erase_address.rows, v_batches FROM batch_rows r JOIN row_blocks b USING (batch_id, block_no)
    WHERE (b.cells ~* v_pattern OR b.array_cells IS NOT NULL) AND EXISTS (SELECT FROM unnest(r.cells) AS c(cell) WHERE c.cell ~* v_pattern);
  -- `nightshift verify` reads these batches again. They are locked before their lookups, as by a retry and a purge.
  v_batches := v_batches || ARRAY(SELECT DISTINCT l.batch_id FROM lookups l WHERE l.id = ANY (v_ids) AND l.batch_id IS NOT NULL);
  PERFORM FROM batches b WHERE b.id = ANY (v_batches) AND b.finished_at IS NOT NULL ORDER BY b.id FOR NO KEY UPDATE;
  UPDATE batches SET erased_at = now() WHERE id = ANY (v_batches) AND finished_at IS NOT NULL;
  UPDATE email_results SET normalised_email = NULL, canonical_email = NULL, did_you_mean = NULL WHERE lookup_id = ANY (v_ids);
  WITH renamed AS (
    SELECT l.id, 'erased:' || min(l.id) OVER (PARTITION BY coalesce(l.batch_id, -l.id), l.subject_key) AS key FROM lookups l WHERE l.id = ANY (v_ids)
  )
  UPDATE lookups l SET email = NULL, subject_key = r.key FROM renamed r WHERE l.id = r.id;
  GET DIAGNOSTICS lookups = ROW_COUNT;
  lookups := lookups + v_waiting;
  -- No address contains a separator of cells, so a match is within one. A row that is stored as an array is changed cell by cell.
  UPDATE row_blocks b SET cells = regexp_replace(b.cells, v_pattern, '[erased]', 'gi') WHERE b.cells ~* v_pattern;
  UPDATE row_blocks b SET array_cells = ARRAY(
      SELECT ARRAY(SELECT regexp_replace(c.cell, v_pattern, '[erased]', 'gi') FROM unnest(r.row_cells::text[]) WITH ORDINALITY AS c(cell, n) ORDER BY c.n)::text
      FROM unnest(b.array_cells) WITH ORDINALITY AS r(row_cells, n) ORDER BY r.n)
    WHERE b.array_cells IS NOT NULL AND EXISTS (SELECT FROM batch_rows r, unnest(r.cells) AS c(cell)
      WHERE r.batch_id = b.batch_id AND r.block_no = b.block_no AND c.cell ~* v_pattern);
  DELETE FROM advertiser_candidates c WHERE c.name ~* v_pattern OR c.legal_name ~* v_pattern;
  -- The reason of a failed file may quote it.
  UPDATE inbox_files SET reason = regexp_replace(reason, v_pattern, '[erased]', 'gi') WHERE reason ~* v_pattern;
END $$;

GRANT EXECUTE ON FUNCTION nightshift.is_erasing,
  nightshift.erase_waiting,
  nightshift.erase_address
  TO nightshift_app;
