-- Numbers of advisory locks stand in db/locks/advisory-locks.ts. keep_versions and sweep_versions had the number of the dispatcher's lock: the load of a
-- snapshot waited for as long as a dispatcher was active, and no sweep deleted anything.
-- The load now takes its lock in db/stores/ads/snapshot-merge.ts.
DROP FUNCTION nightshift.keep_versions();
--> statement-breakpoint

CREATE OR REPLACE FUNCTION nightshift.sweep_versions(p_limit integer, p_wait_ms bigint, OUT versions bigint, OUT ads bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_end timestamptz := clock_timestamp() + p_wait_ms * interval '1 millisecond';
  v_writers text[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(7303119) THEN RETURN; END IF;
  INSERT INTO swept_versions SELECT v.id, v.ad_id FROM unseen_versions v LIMIT p_limit;
  GET DIAGNOSTICS versions = ROW_COUNT;
  ads := 0;
  IF versions = 0 THEN RETURN; END IF;
  DELETE FROM ad_variants v USING swept_versions s WHERE v.version_id = s.version_id;
  DELETE FROM ad_looks l USING swept_versions s WHERE l.version_id = s.version_id;
  DELETE FROM ad_versions v USING swept_versions s WHERE v.id = s.version_id;
  DELETE FROM nightshift.ads a WHERE a.id IN (SELECT s.ad_id FROM swept_versions s)
    AND NOT EXISTS (SELECT FROM ad_versions v WHERE v.ad_id = a.id);
  GET DIAGNOSTICS ads = ROW_COUNT;

  -- A transaction that writes holds a lock on its number until it has ended and is visible to all. Those in other databases and of logins
  -- of accounts, which write nothing, cannot link an ad, and may stay open for as long as they like.
  v_writers := ARRAY(SELECT l.transactionid::text FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
      AND (a.datname IS NULL OR a.datname = current_database())
      AND (a.usename IS NULL OR a.usename NOT IN (SELECT g.role_name FROM account_logins g)));
  WHILE EXISTS (SELECT FROM pg_locks l
    WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted AND l.transactionid::text = ANY (v_writers)) LOOP
    IF clock_timestamp() > v_end THEN
      RAISE EXCEPTION 'somebody may still link an ad that would be swept' USING ERRCODE = 'serialization_failure';
    END IF;
    PERFORM pg_sleep(0.02);
  END LOOP;

  IF EXISTS (SELECT FROM swept_versions s JOIN lookup_ads l ON l.version_id = s.version_id)
    OR EXISTS (SELECT FROM swept_versions s JOIN snapshot_ads l ON l.version_id = s.version_id)
    OR EXISTS (SELECT FROM swept_versions s JOIN tracked_ads l ON l.version_id = s.version_id)
    OR EXISTS (SELECT FROM swept_versions s JOIN ad_changes l ON l.version_id = s.version_id)
    OR EXISTS (SELECT FROM swept_versions s JOIN ad_changes l ON l.version_before = s.version_id)
    OR EXISTS (SELECT FROM swept_versions s JOIN ad_versions v ON v.ad_id = s.ad_id
        WHERE NOT EXISTS (SELECT FROM nightshift.ads a WHERE a.id = s.ad_id)) THEN
    RAISE EXCEPTION 'somebody has linked an ad that would be swept' USING ERRCODE = 'serialization_failure';
  END IF;
  DELETE FROM swept_versions;
END $$;
