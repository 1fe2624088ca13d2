-- Deletion of data beyond its retention period (docs/guides/retention.md).

-- The application cannot delete data itself. It calls these functions, which run with the owner's rights and reject data that is too young or
-- not finished. Each call is one short round of a purge, and is safe to repeat.
CREATE OR REPLACE FUNCTION nightshift.assert_age(p_before timestamptz) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_before IS NULL OR p_before > now() - interval '1 day' THEN
    RAISE EXCEPTION 'Data younger than one day cannot be purged.' USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;

-- True for the batch of a scan that is still needed: its changes are not evaluated, or it is the last scan of a company in a schedule that
-- exists, to which the next scan is compared.
CREATE OR REPLACE FUNCTION nightshift.is_needed_scan(p_batch bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM scans s JOIN schedules h ON h.id = s.schedule_id
    WHERE s.batch_id = p_batch AND h.state <> 'removed' AND (s.evaluated_at IS NULL OR s.retried_at IS NOT NULL
      OR EXISTS (SELECT FROM tracked_companies t WHERE t.schedule_id = s.schedule_id AND t.last_scan_id = s.id)))
$$;

-- One round for a finished batch. Deletes blocks of rows, about p_limit rows, from the last to the first, so that the first row of a lookup,
-- which shows the charge, goes last; then purges chunks of about p_limit lookups. `state`: more; done; rejected for a batch that is too young,
-- unfinished or needed. The first round marks the batch: it can no longer be joined or retried.
DROP FUNCTION IF EXISTS nightshift.purge_batch(bigint, timestamptz, text, text, integer);
CREATE OR REPLACE FUNCTION nightshift.purge_batch(p_batch bigint, p_before timestamptz, p_limit integer,
  OUT state text, OUT lookups bigint, OUT ads bigint, OUT verdicts bigint, OUT rows bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_chunks bigint[];
BEGIN
  PERFORM assert_age(p_before);
  lookups := 0; ads := 0; verdicts := 0; rows := 0;
  PERFORM 1 FROM batches b
    WHERE b.id = p_batch AND b.state IN ('finished', 'cancelled') AND b.finished_at < p_before FOR UPDATE;
  IF NOT FOUND OR is_needed_scan(p_batch) THEN
    state := 'rejected';
    RETURN;
  END IF;
  UPDATE batches SET purged_at = now(), is_current = false WHERE id = p_batch AND purged_at IS NULL;
  UPDATE scans SET purged_at = now() WHERE batch_id = p_batch AND purged_at IS NULL;

  WITH gone AS (
    DELETE FROM row_blocks r WHERE r.batch_id = p_batch
      AND r.block_no > (SELECT max(m.block_no) FROM row_blocks m WHERE m.batch_id = p_batch) - greatest(p_limit / 32, 1)
    RETURNING r.rows
  )
  SELECT coalesce(sum(g.rows), 0) INTO purge_batch.rows FROM gone g;
  IF rows = 0 THEN
    v_chunks := next_chunks(p_batch, p_limit);
    SELECT p.lookups, p.ads, p.verdicts INTO purge_batch.lookups, purge_batch.ads, purge_batch.verdicts
      FROM lookups_of_chunks(v_chunks) l CROSS JOIN LATERAL purge_lookups(v_chunks, l.ids, l.chunk_ids) p WHERE v_chunks IS NOT NULL;
  END IF;
  lookups := coalesce(lookups, 0); ads := coalesce(ads, 0); verdicts := coalesce(verdicts, 0);
  state := CASE WHEN EXISTS (SELECT FROM row_blocks r WHERE r.batch_id = p_batch)
    OR EXISTS (SELECT FROM chunks c WHERE c.batch_id = p_batch AND NOT EXISTS (SELECT FROM purged_chunks p WHERE p.chunk_id = c.id))
    THEN 'more' ELSE 'done' END;
END $$;

-- One round for single requests after the given id, each with its chunk. next_id is null when the rest is too young. p_account: null for all
-- accounts.
CREATE OR REPLACE FUNCTION nightshift.purge_requests(p_account bigint, p_operation text, p_before timestamptz, p_after bigint, p_limit integer,
  OUT lookups bigint, OUT ads bigint, OUT verdicts bigint, OUT next_id bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_ids bigint[];
  v_chunks bigint[];
BEGIN
  PERFORM assert_age(p_before);
  -- The chunk is found by the end of its lookup.
  SELECT array_agg(l.id ORDER BY l.id) FILTER (WHERE l.chunk_id IS NOT NULL), array_agg(l.chunk_id ORDER BY l.id) FILTER (WHERE l.chunk_id IS NOT NULL),
      CASE WHEN count(*) = p_limit AND bool_or(l.is_old) THEN max(l.id) END
    INTO v_ids, v_chunks, next_id
    FROM (
      SELECT o.id, o.ended_at < p_before AS is_old, CASE WHEN o.ended_at < p_before AND (p_account IS NULL OR o.account_id = p_account) THEN (
        SELECT c.id FROM chunks c WHERE c.account_id = o.account_id AND c.batch_id IS NULL AND c.last_ended_at = o.ended_at
          AND c.first_lookup_id = o.id) END AS chunk_id
      FROM nightshift.lookups o WHERE o.request_id IS NOT NULL AND o.operation = p_operation AND o.id > p_after
      ORDER BY o.id LIMIT p_limit
    ) l;
  -- Another purge may have taken some of them meanwhile.
  PERFORM FROM chunks c WHERE c.id = ANY (v_chunks) ORDER BY c.id FOR UPDATE;
  SELECT array_agg(u.id ORDER BY u.id), array_agg(u.chunk_id ORDER BY u.id) INTO v_ids, v_chunks
    FROM unnest(v_ids, v_chunks) AS u(id, chunk_id) WHERE (SELECT o.id FROM nightshift.lookups o WHERE o.id = u.id) IS NOT NULL;
  SELECT p.lookups, p.ads, p.verdicts INTO purge_requests.lookups, purge_requests.ads, purge_requests.verdicts
    FROM purge_lookups(coalesce(v_chunks, '{}'), coalesce(v_ids, '{}'), coalesce(v_chunks, '{}')) p;
END $$;

-- One round for calls to live sources whose lookups have ended.
CREATE OR REPLACE FUNCTION nightshift.purge_calls(p_account bigint, p_before timestamptz, p_after bigint, p_limit integer,
  OUT calls bigint, OUT next_id bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_ids bigint[];
BEGIN
  PERFORM assert_age(p_before);
  SELECT coalesce(array_agg(c.id) FILTER (WHERE c.sent_at < p_before AND (l.ended_at < p_before OR p.chunk_id IS NOT NULL)
        AND (p_account IS NULL OR coalesce(l.account_id, p.account_id) = p_account)), '{}'),
      CASE WHEN count(*) = p_limit AND bool_or(c.sent_at < p_before) THEN max(c.id) END
    INTO v_ids, next_id
    FROM (SELECT o.* FROM source_calls o WHERE o.id > p_after ORDER BY o.id LIMIT p_limit) c
    LEFT JOIN lookups l ON l.id = c.lookup_id
    LEFT JOIN LATERAL (SELECT u.chunk_id, u.account_id FROM purged_chunks u WHERE l.id IS NULL AND u.lookups @> c.lookup_id) p ON true;
  DELETE FROM source_calls WHERE id = ANY (v_ids);
  GET DIAGNOSTICS calls = ROW_COUNT;
END $$;

-- One round for events without a pending delivery. Clears the payload and deletes the deliveries.
CREATE OR REPLACE FUNCTION nightshift.purge_events(p_account bigint, p_before timestamptz, p_after bigint, p_limit integer,
  OUT events bigint, OUT deliveries bigint, OUT next_id bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_ids bigint[];
BEGIN
  PERFORM assert_age(p_before);
  SELECT coalesce(array_agg(n.id) FILTER (WHERE n.created_at < p_before AND (p_account IS NULL OR n.account_id = p_account)
        AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = n.id AND d.state = 'pending')), '{}'),
      CASE WHEN count(*) = p_limit AND bool_or(n.created_at < p_before) THEN max(n.id) END
    INTO v_ids, next_id
    FROM (SELECT o.* FROM events o WHERE o.purged_at IS NULL AND o.id > p_after ORDER BY o.id LIMIT p_limit) n;
  UPDATE events n SET payload = '{}', purged_at = now() WHERE n.id = ANY (v_ids) AND n.purged_at IS NULL;
  GET DIAGNOSTICS events = ROW_COUNT;
  DELETE FROM webhook_deliveries d WHERE d.event_id = ANY (v_ids);
  GET DIAGNOSTICS deliveries = ROW_COUNT;
END $$;

-- One round for a removed schedule whose scans are all purged: deletes its tracked ads and companies, its changes, and last its file.
CREATE OR REPLACE FUNCTION nightshift.purge_schedule(p_schedule bigint, p_before timestamptz, p_limit integer, OUT state text, OUT changes bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_gone bigint;
BEGIN
  PERFORM assert_age(p_before);
  changes := 0;
  PERFORM 1 FROM schedules h WHERE h.id = p_schedule AND h.state = 'removed' AND h.state_since < p_before FOR UPDATE;
  IF NOT FOUND OR EXISTS (
    SELECT FROM scans s WHERE s.schedule_id = p_schedule AND s.batch_id IS NOT NULL AND s.purged_at IS NULL
  ) THEN
    state := 'rejected';
    RETURN;
  END IF;
  UPDATE schedules SET purged_at = now() WHERE id = p_schedule AND purged_at IS NULL;
  state := 'more';
  DELETE FROM tracked_ad_rows WHERE ctid = ANY (ARRAY(
    SELECT t.ctid FROM tracked_ad_rows t WHERE t.schedule_id = p_schedule LIMIT p_limit));
  GET DIAGNOSTICS v_gone = ROW_COUNT;
  IF v_gone > 0 THEN RETURN; END IF;
  DELETE FROM tracked_companies WHERE ctid = ANY (ARRAY(
    SELECT t.ctid FROM tracked_companies t WHERE t.schedule_id = p_schedule LIMIT p_limit));
  GET DIAGNOSTICS v_gone = ROW_COUNT;
  IF v_gone > 0 THEN RETURN; END IF;
  DELETE FROM ad_changes WHERE ctid = ANY (ARRAY(SELECT c.ctid FROM ad_changes c WHERE c.schedule_id = p_schedule LIMIT p_limit));
  GET DIAGNOSTICS changes = ROW_COUNT;
  IF changes > 0 THEN RETURN; END IF;
  DELETE FROM scan_companies WHERE ctid = ANY (ARRAY(
    SELECT c.ctid FROM scan_companies c WHERE c.schedule_id = p_schedule LIMIT p_limit));
  GET DIAGNOSTICS v_gone = ROW_COUNT;
  IF v_gone > 0 THEN RETURN; END IF;
  UPDATE schedules SET file_content = '' WHERE id = p_schedule;
  state := 'done';
END $$;

-- Purges the list of files of a removed inbox, and its query.
CREATE OR REPLACE FUNCTION nightshift.purge_inbox(p_inbox bigint, p_before timestamptz, p_limit integer, OUT state text, OUT files bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
BEGIN
  PERFORM assert_age(p_before);
  files := 0;
  PERFORM 1 FROM inboxes i WHERE i.id = p_inbox AND i.state = 'removed' AND i.state_since < p_before FOR UPDATE;
  IF NOT FOUND THEN
    state := 'rejected';
    RETURN;
  END IF;
  state := 'more';
  DELETE FROM inbox_files WHERE ctid = ANY (ARRAY(SELECT f.ctid FROM inbox_files f WHERE f.inbox_id = p_inbox LIMIT p_limit));
  GET DIAGNOSTICS files = ROW_COUNT;
  IF files > 0 THEN RETURN; END IF;
  UPDATE inboxes SET purged_at = now(), query = CASE WHEN query IS NOT NULL THEN '' END, last_error = CASE WHEN failures > 0 THEN '' END
  WHERE id = p_inbox;
  state := 'done';
END $$;

-- Answers without a reference from a lookup or an advertiser of a snapshot.
CREATE OR REPLACE VIEW nightshift.unreferenced_answers AS
  SELECT a.id FROM nightshift.answers a
  WHERE NOT EXISTS (SELECT FROM nightshift.lookup_answers r WHERE r.answer_id = a.id)
    AND NOT EXISTS (SELECT FROM nightshift.advertisers d WHERE d.answer_id = a.id);

-- Ad versions without a reference from an answer, snapshot or schedule.
CREATE OR REPLACE VIEW nightshift.unreferenced_versions AS
  SELECT v.id, v.ad_id FROM nightshift.ad_versions v
  WHERE NOT EXISTS (SELECT FROM (SELECT unnest(a.versions) AS version_id FROM nightshift.answers a) u WHERE u.version_id = v.id)
    AND NOT EXISTS (SELECT FROM nightshift.snapshot_ads s WHERE s.version_id = v.id)
    AND NOT EXISTS (SELECT FROM nightshift.tracked_ad_rows t WHERE t.version_id = v.id)
    AND NOT EXISTS (SELECT FROM nightshift.ad_changes c WHERE c.version_id = v.id)
    AND NOT EXISTS (SELECT FROM nightshift.ad_changes c WHERE c.version_before = v.id);

-- Deletes unreferenced answers; then up to p_limit unreferenced versions, and ads without a version with their details.
--
-- A worker finds an answer or a version by its content hash and refers to it later. It holds no lock on it, which would cost every commit. So
-- this function deletes first, then waits for all transactions that may have found one (later ones block in the unique index and store it
-- again), and checks again. With a new reference, or after p_wait_ms, it raises serialization_failure and changes nothing.
--
-- A transaction with the advisory lock in shared mode finds versions by reading alone: the load of a snapshot, and `store_ads` unless a sweep
-- waits for the lock or has it. Returns null if such transactions last longer than p_wait_ms.
CREATE OR REPLACE FUNCTION nightshift.sweep_versions(p_limit integer, p_wait_ms bigint, OUT versions bigint, OUT ads bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_end timestamptz := clock_timestamp() + p_wait_ms * interval '1 millisecond';
  v_writers text[];
  v_lock_timeout text := current_setting('lock_timeout');
BEGIN
  PERFORM set_config('lock_timeout', greatest(p_wait_ms, 1)::text, true);
  BEGIN
    PERFORM pg_advisory_xact_lock(7303119);
  EXCEPTION WHEN lock_not_available THEN
    RETURN;
  END;
  PERFORM set_config('lock_timeout', v_lock_timeout, true);
  INSERT INTO swept_answers SELECT a.id FROM unreferenced_answers a;
  DELETE FROM answer_advertisers w USING swept_answers s WHERE w.answer_id = s.answer_id;
  DELETE FROM answer_summaries u USING swept_answers s WHERE u.answer_id = s.answer_id;
  DELETE FROM answers a USING swept_answers s WHERE a.id = s.answer_id;
  INSERT INTO swept_versions SELECT v.id, v.ad_id FROM unreferenced_versions v LIMIT p_limit;
  GET DIAGNOSTICS versions = ROW_COUNT;
  ads := 0;
  IF versions = 0 AND NOT EXISTS (SELECT FROM swept_answers) THEN RETURN; END IF;
  DELETE FROM ad_variants v USING swept_versions s WHERE v.version_id = s.version_id;
  DELETE FROM ad_version_hashes l USING swept_versions s WHERE l.version_id = s.version_id;
  DELETE FROM ad_versions v USING swept_versions s WHERE v.id = s.version_id;
  DELETE FROM nightshift.ads a WHERE a.id IN (SELECT s.ad_id FROM swept_versions s)
    AND NOT EXISTS (SELECT FROM ad_versions v WHERE v.ad_id = a.id);
  GET DIAGNOSTICS ads = ROW_COUNT;
  DELETE FROM ad_details d WHERE d.ad_id IN (SELECT s.ad_id FROM swept_versions s)
    AND NOT EXISTS (SELECT FROM nightshift.ads a WHERE a.id = d.ad_id);

  -- A writing transaction holds a lock on its id until it has ended. Transactions in other databases, and those of account logins, which only
  -- read, cannot link an ad and are ignored.
  v_writers := ARRAY(SELECT l.transactionid::text FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
      AND (a.datname IS NULL OR a.datname = current_database())
      AND (a.usename IS NULL OR a.usename NOT IN (SELECT g.role_name FROM account_logins g)));
  WHILE EXISTS (SELECT FROM pg_locks l
    WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted AND l.transactionid::text = ANY (v_writers)) LOOP
    IF clock_timestamp() > v_end THEN
      RAISE EXCEPTION 'A transaction may still refer to an answer or a version that this sweep deletes.' USING ERRCODE = 'serialization_failure';
    END IF;
    PERFORM pg_sleep(0.02);
  END LOOP;

  IF EXISTS (SELECT FROM swept_answers s JOIN lookup_answers r ON r.answer_id = s.answer_id)
    OR EXISTS (SELECT FROM swept_answers s JOIN advertisers d ON d.answer_id = s.answer_id)
    OR EXISTS (SELECT FROM swept_versions s JOIN (SELECT unnest(a.versions) AS version_id FROM answers a) l ON l.version_id = s.version_id)
    OR EXISTS (SELECT FROM swept_versions s JOIN snapshot_ads l ON l.version_id = s.version_id)
    OR EXISTS (SELECT FROM swept_versions s JOIN tracked_ad_rows l ON l.version_id = s.version_id)
    OR EXISTS (SELECT FROM swept_versions s JOIN ad_changes l ON l.version_id = s.version_id)
    OR EXISTS (SELECT FROM swept_versions s JOIN ad_changes l ON l.version_before = s.version_id)
    OR EXISTS (SELECT FROM swept_versions s JOIN ad_versions v ON v.ad_id = s.ad_id
        WHERE NOT EXISTS (SELECT FROM nightshift.ads a WHERE a.id = s.ad_id)) THEN
    RAISE EXCEPTION 'A transaction has referred to an answer or a version that this sweep deletes.' USING ERRCODE = 'serialization_failure';
  END IF;
  DELETE FROM swept_answers;
  DELETE FROM swept_versions;
END $$;

GRANT EXECUTE ON FUNCTION nightshift.assert_age,
  nightshift.is_needed_scan,
  nightshift.purge_batch,
  nightshift.purge_requests,
  nightshift.purge_calls,
  nightshift.purge_events,
  nightshift.purge_schedule,
  nightshift.purge_inbox,
  nightshift.sweep_versions
  TO nightshift_app;
GRANT SELECT ON nightshift.unreferenced_answers,
  nightshift.unreferenced_versions
  TO nightshift_app;

-- From Postgres 17 on, the application may vacuum and rebuild the indexes of the tables that a purge deletes from. Before, only their owner
-- may, and autovacuum does.
DO $$
BEGIN
  IF current_setting('server_version_num')::integer >= 170000 THEN
    EXECUTE 'GRANT MAINTAIN ON nightshift.lookups, nightshift.email_results, nightshift.row_blocks, nightshift.search_blocks,
      nightshift.source_calls, nightshift.raw_responses, nightshift.events, nightshift.webhook_deliveries, nightshift.tracked_ad_rows,
      nightshift.ad_changes, nightshift.scan_companies, nightshift.inbox_files, nightshift.ads, nightshift.ad_versions,
      nightshift.ad_variants, nightshift.ad_details, nightshift.answers, nightshift.answer_advertisers, nightshift.answer_summaries TO nightshift_app';
  END IF;
END $$;

-- Drops indexes that an interrupted rebuild left behind: unfinished copies, which every insert would maintain. The caller holds the lock on
-- rebuilds.
CREATE OR REPLACE FUNCTION nightshift.drop_unfinished_indexes() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_name name;
BEGIN
  FOR v_name IN
    SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = 'nightshift'::regnamespace AND NOT i.indisvalid AND c.relname ~ '_cc(new|old)\d*$'
  LOOP
    EXECUTE format('DROP INDEX nightshift.%I', v_name);
  END LOOP;
END $$;

GRANT EXECUTE ON FUNCTION nightshift.drop_unfinished_indexes TO nightshift_app;
