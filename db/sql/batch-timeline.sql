-- The timeline of a batch: one entry per state.

-- Records a state change of a batch. The setting nightshift.actor of the transaction holds the author, if any. A batch that continues by
-- itself after a wait closes the entry of the wait. A repeated wait for the same reason, with only waits in between, increments `times`.
CREATE OR REPLACE FUNCTION nightshift.record_batch_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  c_waits CONSTANT text[] := ARRAY['waiting_for_credits', 'waiting_for_source'];
  v_actor text := nullif(current_setting('nightshift.actor', true), '');
  v_event text;
  v_kind text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO batch_events (batch_id, event, actor) VALUES (NEW.id, 'created', v_actor);
    RETURN NULL;
  END IF;
  IF OLD.state = ANY (c_waits) THEN
    UPDATE batch_events SET ended_at = now() WHERE batch_id = NEW.id AND event = OLD.state AND ended_at IS NULL;
  END IF;
  v_event := CASE
    WHEN NEW.state <> 'running' THEN NEW.state
    WHEN OLD.state = 'loading' THEN 'loaded'
    WHEN OLD.state = 'finished' THEN 'retried'
    WHEN OLD.state = 'paused' OR v_actor IS NOT NULL THEN 'resumed'
  END;
  IF v_event IS NULL THEN RETURN NULL; END IF;
  IF v_event = 'waiting_for_source' THEN v_kind := NEW.wait_kind; END IF;
  IF v_event = ANY (c_waits) THEN
    UPDATE batch_events SET times = times + 1, last_at = now(), ended_at = NULL, reason = NEW.state_reason
    WHERE batch_id = NEW.id AND event = v_event AND wait_kind IS NOT DISTINCT FROM v_kind
      AND id > coalesce((SELECT max(e.id) FROM batch_events e WHERE e.batch_id = NEW.id AND NOT e.event = ANY (c_waits)), 0);
    IF FOUND THEN RETURN NULL; END IF;
  END IF;
  INSERT INTO batch_events (batch_id, event, reason, wait_kind, actor, retried)
  VALUES (NEW.id, v_event, NEW.state_reason, v_kind, v_actor,
    CASE WHEN v_event = 'retried' THEN NEW.retried - OLD.retried END);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER record_batch_creation AFTER INSERT ON nightshift.batches
  FOR EACH ROW EXECUTE FUNCTION nightshift.record_batch_event();

-- OF state: most updates of batches change other columns and skip the trigger.
CREATE OR REPLACE TRIGGER record_batch_event AFTER UPDATE OF state ON nightshift.batches
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION nightshift.record_batch_event();

-- The cause of a wait belongs to that wait only. Processes of an earlier release change the state and know no cause.
CREATE OR REPLACE FUNCTION nightshift.clear_wait_cause() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.wait_cause := NULL;
  NEW.wait_bound := NULL;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER clear_wait_cause BEFORE UPDATE OF state ON nightshift.batches
  FOR EACH ROW WHEN (OLD.state = 'waiting_for_source' AND NEW.state <> 'waiting_for_source' AND OLD.wait_cause IS NOT NULL)
  EXECUTE FUNCTION nightshift.clear_wait_cause();

-- The timeline is deleted when the purge of its batch begins.
CREATE OR REPLACE FUNCTION nightshift.delete_batch_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
BEGIN
  DELETE FROM batch_events WHERE batch_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER delete_batch_events AFTER UPDATE OF purged_at ON nightshift.batches
  FOR EACH ROW WHEN (OLD.purged_at IS NULL AND NEW.purged_at IS NOT NULL) EXECUTE FUNCTION nightshift.delete_batch_events();

-- Append-only, with two exceptions: a wait is updated, and the timeline of a deleted or purged batch is deleted.
CREATE OR REPLACE FUNCTION nightshift.reject_batch_event_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF NOT EXISTS (SELECT FROM nightshift.batches b WHERE b.id = OLD.batch_id AND b.purged_at IS NULL) THEN RETURN OLD; END IF;
  ELSIF OLD.event IN ('waiting_for_credits', 'waiting_for_source') AND NEW.times >= OLD.times AND NEW.last_at >= OLD.last_at
    AND to_jsonb(OLD) - '{reason,times,last_at,ended_at}'::text[] = to_jsonb(NEW) - '{reason,times,last_at,ended_at}'::text[] THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% on %.% rejected: the table is append-only', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON nightshift.batch_events
  FOR EACH ROW EXECUTE FUNCTION nightshift.reject_batch_event_change();
CREATE OR REPLACE TRIGGER append_only_truncate BEFORE TRUNCATE ON nightshift.batch_events
  FOR EACH STATEMENT EXECUTE FUNCTION nightshift.reject_change();
ALTER TABLE nightshift.batch_events ENABLE ALWAYS TRIGGER append_only, ENABLE ALWAYS TRIGGER append_only_truncate;

GRANT EXECUTE ON FUNCTION nightshift.reject_batch_event_change
  TO nightshift_app;
