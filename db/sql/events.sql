-- Events and their deliveries to webhooks.

-- A public id, as `newId` makes it: a version-7 UUID (RFC 9562 §5.7) with 48 bits of time and 74 random bits.
CREATE OR REPLACE FUNCTION nightshift.new_id(p_prefix text) RETURNS text
LANGUAGE sql VOLATILE AS $$
  SELECT p_prefix || '_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14)
$$;

-- Stores an event and its deliveries: to all webhooks that subscribe to it, or to those of p_webhooks, and to the subscriptions to its batch
-- or schedule. Runs in the transaction of the cause. Returns null for an event that exists already for the same subject.
CREATE OR REPLACE FUNCTION nightshift.emit_event(p_account bigint, p_event text, p_subject text, p_payload jsonb,
  p_webhooks bigint[] DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_event_id bigint;
BEGIN
  INSERT INTO events (public_id, account_id, event, subject, payload, for_webhooks)
  VALUES (new_id('evt'), p_account, p_event, p_subject, p_payload, p_webhooks)
  ON CONFLICT DO NOTHING RETURNING id INTO v_event_id;
  IF v_event_id IS NOT NULL THEN
    INSERT INTO webhook_deliveries (event_id, webhook_id)
    SELECT v_event_id, w.id FROM webhooks w
    WHERE w.account_id = p_account AND w.user_id IS NULL AND w.state = 'active' AND p_event = ANY (w.events)
      AND (p_webhooks IS NULL OR w.id = ANY (p_webhooks))
    UNION ALL
    SELECT v_event_id, s.id FROM subscriptions_of(p_account, p_event, p_payload) AS s(id);
  END IF;
  RETURN v_event_id;
END $$;

-- Ids of the subscriptions that receive an event, at most one for each user. A subscription to a schedule receives only scans with changes
-- or failed companies.
CREATE OR REPLACE FUNCTION nightshift.subscriptions_of(p_account bigint, p_event text, p_payload jsonb) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_batch_id bigint := (SELECT id FROM batches WHERE account_id = p_account AND public_id = p_payload ->> 'batch');
  v_schedule_id bigint := (SELECT id FROM schedules WHERE account_id = p_account AND public_id = p_payload ->> 'schedule_id');
BEGIN
  IF p_event = 'scan.changes' AND coalesce((p_payload -> 'companies' ->> 'failed')::integer, 0) = 0
    AND NOT EXISTS (SELECT FROM jsonb_each_text(p_payload -> 'changes') AS c(kind, n) WHERE c.n::integer > 0) THEN
    v_schedule_id := NULL;
  END IF;
  RETURN QUERY SELECT DISTINCT ON (w.user_id) w.id FROM webhooks w JOIN users u ON u.id = w.user_id
    WHERE (w.batch_id = v_batch_id OR w.schedule_id = v_schedule_id) AND w.account_id = p_account AND w.state = 'active'
      AND p_event = ANY (w.events) AND u.account_id = p_account AND u.disabled_at IS NULL
    ORDER BY w.user_id, w.id;
END $$;

-- Removes the subscriptions to a batch or schedule that is removed, or those of a user who is disabled, by the column TG_ARGV[0] of webhooks.
-- Their pending deliveries are abandoned.
CREATE OR REPLACE FUNCTION nightshift.remove_subscriptions() RETURNS trigger
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
BEGIN
  EXECUTE format($sql$
    WITH removed AS (
      UPDATE webhooks SET state = 'removed', state_reason = $2 WHERE %I = $1 AND state <> 'removed' RETURNING id
    )
    UPDATE webhook_deliveries d SET state = 'dead', lease_until = NULL, last_error = $2
    FROM removed r WHERE d.webhook_id = r.id AND d.state = 'pending' $sql$, TG_ARGV[0]) USING OLD.id, TG_ARGV[1];
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER remove_subscriptions AFTER UPDATE OF deleted_at ON nightshift.batches
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION nightshift.remove_subscriptions('batch_id', 'the batch was deleted');

CREATE OR REPLACE TRIGGER remove_subscriptions_of_discarded AFTER DELETE ON nightshift.batches
  FOR EACH ROW EXECUTE FUNCTION nightshift.remove_subscriptions('batch_id', 'the batch was deleted');

CREATE OR REPLACE TRIGGER remove_subscriptions AFTER UPDATE OF state ON nightshift.schedules
  FOR EACH ROW WHEN (OLD.state <> 'removed' AND NEW.state = 'removed')
  EXECUTE FUNCTION nightshift.remove_subscriptions('schedule_id', 'the schedule was removed');

CREATE OR REPLACE TRIGGER remove_subscriptions AFTER UPDATE OF disabled_at ON nightshift.users
  FOR EACH ROW WHEN (OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL)
  EXECUTE FUNCTION nightshift.remove_subscriptions('user_id', 'the user was disabled');

-- The payload of a batch event. Counts are sums over chunks; a retried lookup counts once.
CREATE OR REPLACE FUNCTION nightshift.batch_event_payload(b nightshift.batches) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = nightshift, pg_temp AS $$
  SELECT jsonb_build_object('batch', b.public_id, 'file_name', b.file_name, 'state', b.state, 'reason', b.state_reason,
    'rows', jsonb_build_object('total', b.rows_total, 'rejected', b.rows_rejected),
    'outcomes', jsonb_build_object('total', b.lookups_total, 'found', c.found, 'none', c.none,
      'no_match', c.no_match - b.retried_no_match,
      'completed', c.completed, 'failed', c.failed - (b.retried - b.retried_no_match), 'cancelled', c.cancelled,
      'open', b.lookups_total - c.found - c.none - c.no_match - c.completed - c.failed + b.retried - c.cancelled),
    'credits', jsonb_build_object('spent', trim_scale(c.charged_micro / 1000000.0),
      'left', (SELECT trim_scale(a.balance_micro / 1000000.0) FROM credit_balances a WHERE a.account_id = b.account_id)))
  FROM (
    SELECT coalesce(sum(found), 0) AS found, coalesce(sum(none), 0) AS none, coalesce(sum(no_match), 0) AS no_match,
      coalesce(sum(valid + invalid + catch_all + unknown), 0) AS completed, coalesce(sum(failed), 0) AS failed,
      coalesce(sum(cancelled), 0) AS cancelled, coalesce(sum(charged_micro), 0) AS charged_micro
    FROM chunks WHERE batch_id = b.id
  ) c
$$;

-- Emits an event for a batch that has finished or waits for credits. A finished scan emits scan.changes instead. A batch that finishes
-- again after a retry emits a new event.
CREATE OR REPLACE FUNCTION nightshift.emit_batch_event() RETURNS trigger
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_payload jsonb;
  v_outcomes jsonb;
  v_event text := 'batch.waiting_for_credits';
BEGIN
  IF NEW.state = 'finished' AND EXISTS (SELECT FROM scans WHERE batch_id = NEW.id) THEN
    RETURN NULL;
  END IF;
  v_payload := batch_event_payload(NEW);
  IF NEW.state = 'finished' THEN
    v_outcomes := v_payload -> 'outcomes';
    v_event := CASE WHEN v_outcomes -> 'failed' = v_outcomes -> 'total' AND NEW.lookups_total > 0
      THEN 'batch.failed' ELSE 'batch.completed' END;
  END IF;
  PERFORM emit_event(NEW.account_id, v_event, NEW.public_id || ' ' || (extract(epoch FROM NEW.state_since) * 1000000)::bigint, v_payload);
  RETURN NULL;
END $$;

-- OF state: most updates of batches change other columns and skip the trigger.
CREATE OR REPLACE TRIGGER emit_batch_event AFTER UPDATE OF state ON nightshift.batches
  FOR EACH ROW WHEN (OLD.state <> NEW.state AND NEW.state IN ('finished', 'waiting_for_credits'))
  EXECUTE FUNCTION nightshift.emit_batch_event();

-- Emits credits.low when balance plus held credits fall below the threshold. The sum only falls between two grants, so the threshold is
-- crossed once.
CREATE OR REPLACE FUNCTION nightshift.emit_low_credits_event() RETURNS trigger
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
BEGIN
  PERFORM emit_event(NEW.account_id, 'credits.low', NEW.last_seq::text, jsonb_build_object(
    'balance', trim_scale(NEW.balance_micro / 1000000.0), 'held', trim_scale(NEW.held_micro / 1000000.0),
    'threshold', trim_scale(NEW.low_micro / 1000000.0)));
  RETURN NULL;
END $$;

-- Runs for every charge: the WHEN clause keeps the cost to one comparison.
CREATE OR REPLACE TRIGGER emit_low_credits_event AFTER UPDATE ON nightshift.credit_balances
  FOR EACH ROW WHEN (OLD.balance_micro + OLD.held_micro >= OLD.low_micro AND NEW.balance_micro + NEW.held_micro < NEW.low_micro)
  EXECUTE FUNCTION nightshift.emit_low_credits_event();

-- Sets the threshold of credits.low, in microcredits. SECURITY DEFINER: only the owner of the ledger writes balances.
CREATE OR REPLACE FUNCTION nightshift.set_low_credits(p_account bigint, p_low bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
  UPDATE credit_balances SET low_micro = p_low WHERE account_id = p_account
$$;

GRANT EXECUTE ON FUNCTION nightshift.new_id,
  nightshift.emit_event,
  nightshift.subscriptions_of,
  nightshift.remove_subscriptions,
  nightshift.batch_event_payload,
  nightshift.emit_batch_event,
  nightshift.emit_low_credits_event,
  nightshift.set_low_credits
  TO nightshift_app;
