-- Landings of finished batches in destinations.

-- Creates the landings of a batch in destinations, or opens them again: in those of p_destinations, or in all that take the batch. A landing
-- that another process is writing stays claimed, and lands again afterwards. Returns the number of landings.
CREATE OR REPLACE FUNCTION nightshift.open_landings(b nightshift.batches, p_destinations bigint[] DEFAULT NULL) RETURNS integer
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_landings integer;
BEGIN
  INSERT INTO landings AS l (destination_id, batch_id, shape, content_key, day)
  SELECT d.id, b.id, s.shape, format('%s %s %s', b.public_id, s.shape, (extract(epoch FROM b.state_since) * 1000000)::bigint),
    (coalesce(b.finished_at, b.state_since) AT TIME ZONE 'UTC')::date
  FROM destinations d CROSS JOIN LATERAL unnest(d.shapes) s(shape)
  WHERE d.account_id = b.account_id AND d.state <> 'removed'
    AND CASE WHEN p_destinations IS NOT NULL THEN d.id = ANY (p_destinations)
      WHEN d.batch_id IS NOT NULL THEN d.batch_id = b.id
      WHEN d.schedule_id IS NOT NULL THEN EXISTS (SELECT FROM scans n WHERE n.batch_id = b.id AND n.schedule_id = d.schedule_id)
      ELSE true END
  ORDER BY d.id
  ON CONFLICT (destination_id, batch_id, shape) DO UPDATE SET
    revision = l.revision + CASE WHEN l.content_key = EXCLUDED.content_key THEN 0 ELSE 1 END, content_key = EXCLUDED.content_key,
    state = 'pending', attempts = 0, next_at = now(), last_error = NULL, landed_at = NULL;
  GET DIAGNOSTICS v_landings = ROW_COUNT;
  RETURN v_landings;
END $$;

-- A batch that finishes lands in every destination that takes it. The lock is shared with other batches and excludes the creation of a
-- destination (db/stores/destinations): either that destination exists here, or its takes_since is later than this batch.
CREATE OR REPLACE FUNCTION nightshift.land_batch() RETURNS trigger
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7303130, NEW.account_id::integer);
  PERFORM open_landings(NEW);
  RETURN NULL;
END $$;

-- OF state: most updates of batches change other columns and skip the trigger.
CREATE OR REPLACE TRIGGER land_batch AFTER UPDATE OF state ON nightshift.batches
  FOR EACH ROW WHEN (OLD.state <> NEW.state AND NEW.state = 'finished')
  EXECUTE FUNCTION nightshift.land_batch();

-- Emits landing.failed for a landing that was given up, once per end.
CREATE OR REPLACE FUNCTION nightshift.emit_landing_event() RETURNS trigger
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
BEGIN
  PERFORM emit_event(d.account_id, 'landing.failed', format('%s %s %s', d.public_id, NEW.content_key, NEW.token), jsonb_build_object(
    'destination', d.name, 'destination_id', d.public_id, 'batch', b.public_id, 'file_name', b.file_name, 'shape', NEW.shape,
    'attempts', NEW.attempts, 'error', NEW.last_error))
  FROM destinations d JOIN batches b ON b.id = NEW.batch_id
  WHERE d.id = NEW.destination_id AND d.state <> 'removed';
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER emit_landing_event AFTER UPDATE OF state ON nightshift.landings
  FOR EACH ROW WHEN (OLD.state <> NEW.state AND NEW.state = 'dead')
  EXECUTE FUNCTION nightshift.emit_landing_event();

GRANT EXECUTE ON FUNCTION nightshift.open_landings,
  nightshift.land_batch,
  nightshift.emit_landing_event
  TO nightshift_app;
