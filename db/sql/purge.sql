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

-- True for an update that purges a lookup. A purged lookup keeps its id, owner, outcome and charge for the ledger, and loses its subject. All
-- generations of a lookup get the same new key, so that a retry stays linked to its predecessor.
CREATE OR REPLACE FUNCTION nightshift.is_purging(p_old nightshift.lookups, p_new nightshift.lookups) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT p_old.purged_at IS NULL AND p_new.purged_at IS NOT NULL AND p_old.ended_at <= now() - interval '1 day'
    AND p_new.subject_key LIKE 'purged:%'
    AND num_nonnulls(p_new.company_domain, p_new.company_name, p_new.email, p_new.source_results, p_new.search, p_new.answer_id, p_new.newest_day,
      p_new.relations) = 0
    AND to_jsonb(p_old) - '{purged_at,subject_key,company_domain,company_name,email,source_results,search,answer_id,newest_day,relations}'::text[]
      = to_jsonb(p_new) - '{purged_at,subject_key,company_domain,company_name,email,source_results,search,answer_id,newest_day,relations}'::text[]
$$;

-- Purges lookups with their ads and verdicts. p_firsts has the first generation of each lookup.
CREATE OR REPLACE FUNCTION nightshift.purge_lookups(p_ids bigint[], p_firsts bigint[], OUT lookups bigint, OUT ads bigint, OUT verdicts bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
BEGIN
  SELECT coalesce(sum(l.ads_count), 0) INTO purge_lookups.ads FROM lookups l
    WHERE l.id = ANY (p_ids) AND l.purged_at IS NULL AND l.answer_id IS NOT NULL;
  UPDATE lookups l SET purged_at = now(), subject_key = 'purged:' || p.first, company_domain = NULL, company_name = NULL, email = NULL,
    source_results = NULL, search = NULL, answer_id = NULL, newest_day = NULL, relations = NULL
  FROM unnest(p_ids, p_firsts) AS p(id, first) WHERE l.id = p.id AND l.purged_at IS NULL;
  GET DIAGNOSTICS lookups = ROW_COUNT;
  -- The status of a verdict stays, because counts and charges of its chunk are checked against it. All that identifies the address goes.
  UPDATE email_results SET sub_status = NULL, reasons = '{}', normalised_email = NULL, canonical_email = NULL, did_you_mean = NULL,
    ascii_domain = NULL, registrable_domain = NULL, is_catch_all = NULL, mx_record = NULL, mx_provider = NULL,
    mx_security_gateway = NULL, implicit_mx = NULL, has_spf = NULL, has_dmarc = NULL, smtp_host = NULL, smtp_code = NULL,
    smtp_enhanced_code = NULL, catch_all_probe = NULL, probe_attempts = NULL, retry_at = NULL
  WHERE lookup_id = ANY (p_ids);
  GET DIAGNOSTICS verdicts = ROW_COUNT;
  UPDATE source_calls SET description = '', response_hash = NULL WHERE lookup_id = ANY (p_ids) AND (description <> '' OR response_hash IS NOT NULL);
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

-- One round for a finished batch. Purges up to p_limit subjects after the given operation and key; then deletes blocks of rows, about
-- p_limit rows, from the last to the first, so that the first row of a lookup, which shows the charge, goes last. `state`: more; done; rejected for a batch that is too young,
-- unfinished or needed. The first round marks the batch: it can no longer be joined or retried.
CREATE OR REPLACE FUNCTION nightshift.purge_batch(p_batch bigint, p_before timestamptz, p_after_operation text, p_after_key text, p_limit integer,
  OUT state text, OUT lookups bigint, OUT ads bigint, OUT verdicts bigint, OUT rows bigint, OUT next_operation text, OUT next_key text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_firsts bigint[];
  v_ids bigint[];
  v_roots bigint[];
BEGIN
  PERFORM assert_age(p_before);
  lookups := 0; ads := 0; verdicts := 0; rows := 0;
  next_operation := p_after_operation; next_key := p_after_key;
  PERFORM 1 FROM batches b
    WHERE b.id = p_batch AND b.state IN ('finished', 'cancelled') AND b.finished_at < p_before FOR UPDATE;
  IF NOT FOUND OR is_needed_scan(p_batch) THEN
    state := 'rejected';
    RETURN;
  END IF;
  UPDATE batches SET purged_at = now(), is_current = false WHERE id = p_batch AND purged_at IS NULL;
  UPDATE scans SET purged_at = now() WHERE batch_id = p_batch AND purged_at IS NULL;

  SELECT array_agg(f.id), (array_agg(f.operation ORDER BY f.operation DESC, f.subject_key DESC))[1],
      (array_agg(f.subject_key ORDER BY f.operation DESC, f.subject_key DESC))[1]
    INTO v_firsts, next_operation, next_key
    FROM (
      SELECT l.id, l.operation, l.subject_key FROM lookups l
      WHERE l.batch_id = p_batch AND (l.operation, l.subject_key) > (p_after_operation, p_after_key) AND l.generation = 1
        AND l.purged_at IS NULL
      ORDER BY l.operation, l.subject_key LIMIT p_limit
    ) f;
  IF v_firsts IS NOT NULL THEN
    SELECT array_agg(l.id), array_agg(f.id) INTO v_ids, v_roots
      FROM lookups f JOIN lookups l ON l.batch_id = f.batch_id AND l.operation = f.operation AND l.subject_key = f.subject_key
      WHERE f.id = ANY (v_firsts);
    SELECT p.lookups, p.ads, p.verdicts INTO purge_batch.lookups, purge_batch.ads, purge_batch.verdicts
      FROM purge_lookups(v_ids, v_roots) p;
    state := 'more';
    RETURN;
  END IF;

  -- After the last operation: the next round finds no lookups.
  next_operation := 'zzz'; next_key := '';
  WITH gone AS (
    DELETE FROM row_blocks r WHERE r.batch_id = p_batch
      AND r.block_no > (SELECT max(m.block_no) FROM row_blocks m WHERE m.batch_id = p_batch) - greatest(p_limit / 32, 1)
    RETURNING r.rows
  )
  SELECT coalesce(sum(g.rows), 0) INTO purge_batch.rows FROM gone g;
  state := CASE WHEN EXISTS (SELECT FROM row_blocks r WHERE r.batch_id = p_batch) THEN 'more' ELSE 'done' END;
END $$;

-- One round for single requests after the given id. next_id is null when the rest is too young. p_account: null for all accounts.
CREATE OR REPLACE FUNCTION nightshift.purge_requests(p_account bigint, p_operation text, p_before timestamptz, p_after bigint, p_limit integer,
  OUT lookups bigint, OUT ads bigint, OUT verdicts bigint, OUT next_id bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_ids bigint[];
BEGIN
  PERFORM assert_age(p_before);
  SELECT coalesce(array_agg(l.id) FILTER (WHERE l.ended_at < p_before AND (p_account IS NULL OR l.account_id = p_account)), '{}'),
      CASE WHEN count(*) = p_limit AND bool_or(l.ended_at < p_before) THEN max(l.id) END
    INTO v_ids, next_id
    FROM (
      SELECT o.* FROM lookups o WHERE o.request_id IS NOT NULL AND o.purged_at IS NULL AND o.operation = p_operation AND o.id > p_after
      ORDER BY o.id LIMIT p_limit
    ) l;
  SELECT p.lookups, p.ads, p.verdicts INTO purge_requests.lookups, purge_requests.ads, purge_requests.verdicts
    FROM purge_lookups(v_ids, v_ids) p;
END $$;

-- One round for calls to live sources whose lookups have ended.
CREATE OR REPLACE FUNCTION nightshift.purge_calls(p_account bigint, p_before timestamptz, p_after bigint, p_limit integer,
  OUT calls bigint, OUT next_id bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_ids bigint[];
BEGIN
  PERFORM assert_age(p_before);
  SELECT coalesce(array_agg(c.id) FILTER (WHERE c.sent_at < p_before AND l.ended_at < p_before
        AND (p_account IS NULL OR l.account_id = p_account)), '{}'),
      CASE WHEN count(*) = p_limit AND bool_or(c.sent_at < p_before) THEN max(c.id) END
    INTO v_ids, next_id
    FROM (SELECT o.* FROM source_calls o WHERE o.id > p_after ORDER BY o.id LIMIT p_limit) c
    JOIN lookups l ON l.id = c.lookup_id;
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

-- Deletes unreferenced answers; then up to p_limit unreferenced versions, and ads without a version.
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
  nightshift.is_purging,
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
