-- Limits of mail probes: per group of mail hosts, per domain and per egress address.

-- Milliseconds until a budget has room for p_room more uses; 0 if it has. A use counts for a window of 60 slices of p_slice_ms. Locks the
-- budget until the transaction ends.
CREATE OR REPLACE FUNCTION nightshift.probe_budget_wait(p_scope text, p_key text, p_max integer, p_room integer, p_slice_ms bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_budget probe_budgets;
  v_now_ms bigint;
  v_used bigint;
  v_first bigint;
BEGIN
  INSERT INTO probe_budgets VALUES (p_scope, p_key, '{}', '{}', clock_timestamp()) ON CONFLICT DO NOTHING;
  SELECT * INTO v_budget FROM probe_budgets WHERE scope = p_scope AND key = p_key FOR NO KEY UPDATE;
  v_now_ms := extract(epoch FROM clock_timestamp()) * 1000;
  SELECT coalesce(sum(u), 0), min(s) INTO v_used, v_first FROM unnest(v_budget.slices, v_budget.uses) x(s, u)
    WHERE s >= v_now_ms / p_slice_ms - 60;
  RETURN CASE WHEN v_used + least(p_room, p_max) <= p_max THEN 0 ELSE (v_first + 61) * p_slice_ms - v_now_ms END;
END $$;

CREATE OR REPLACE FUNCTION nightshift.use_probe_budget(p_scope text, p_key text, p_slice_ms bigint) RETURNS void
LANGUAGE sql SET search_path = nightshift, pg_temp AS $$
  WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint / p_slice_ms AS slice),
  used AS (
    SELECT x.s, sum(x.u)::integer AS u FROM (
      SELECT s, u FROM probe_budgets b, unnest(b.slices, b.uses) y(s, u), clock
        WHERE b.scope = p_scope AND b.key = p_key AND s >= clock.slice - 60
      UNION ALL SELECT slice, 1 FROM clock
    ) x GROUP BY x.s
  )
  UPDATE probe_budgets SET used_at = clock_timestamp(),
    slices = (SELECT array_agg(s ORDER BY s) FROM used), uses = (SELECT array_agg(u ORDER BY s) FROM used)
  WHERE scope = p_scope AND key = p_key
$$;

-- Requests a probe of one recipient, by its digest; NULL for the control address, which cannot exist. Answers: `granted`, and the use counts
-- from now on; `wait` for wait_ms; `exhausted`: the daily budget of the domain is spent, or two processes died during a probe of this
-- recipient; `blocked`: the domain rejected us, and probes pause for wait_ms. The commit is asynchronous: a crash of the server loses some
-- milliseconds of budget.
CREATE OR REPLACE FUNCTION nightshift.take_probe_recipient(p_group text, p_domain text, p_egress text, p_digest bytea, p_room integer,
  p_group_per_minute integer, p_domain_per_day integer, p_egress_per_minute integer, OUT answer text, OUT wait_ms bigint)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT greatest(1, extract(epoch FROM b.until - clock_timestamp()) * 1000) INTO wait_ms FROM probe_blocks b
    WHERE b.mx_group = p_group AND b.egress = p_egress AND b.domain = p_domain AND b.until > clock_timestamp();
  IF FOUND THEN
    answer := 'blocked';
    RETURN;
  END IF;
  wait_ms := 0;
  IF EXISTS (SELECT 1 FROM mailboxes m WHERE m.digest = p_digest AND m.unanswered > 1 AND m.asked_at > now() - interval '1 day')
    OR probe_budget_wait('domain', p_domain, p_domain_per_day, p_room, 1440000) > 0 THEN
    answer := 'exhausted';
    RETURN;
  END IF;
  wait_ms := greatest(probe_budget_wait('group', p_group, p_group_per_minute, p_room, 1000),
    probe_budget_wait('egress', p_egress, p_egress_per_minute, p_room, 1000));
  IF wait_ms > 0 THEN
    answer := 'wait';
    RETURN;
  END IF;
  PERFORM use_probe_budget('domain', p_domain, 1440000), use_probe_budget('group', p_group, 1000),
    use_probe_budget('egress', p_egress, 1000);
  IF p_digest IS NOT NULL THEN
    INSERT INTO mailboxes AS m (digest, unanswered, asked_at) VALUES (p_digest, 1, clock_timestamp())
    ON CONFLICT (digest) DO UPDATE SET asked_at = clock_timestamp(),
      unanswered = CASE WHEN m.asked_at > now() - interval '1 day' THEN m.unanswered + 1 ELSE 1 END;
  END IF;
  answer := 'granted';
END $$;

-- Requests the session of a group: one at a time, until it is released or expires. Answers: `granted`; `wait`: another process holds it, for
-- wait_ms at most; `blocked`: the group rejected us with `finding`, and probes pause for wait_ms.
CREATE OR REPLACE FUNCTION nightshift.take_probe_session(p_group text, p_egress text, p_token uuid, p_ms_max bigint, OUT answer text,
  OUT wait_ms bigint, OUT finding text)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT b.finding, greatest(1, extract(epoch FROM b.until - clock_timestamp()) * 1000) INTO finding, wait_ms FROM probe_blocks b
    WHERE b.mx_group = p_group AND b.egress = p_egress AND b.domain = '' AND b.until > clock_timestamp();
  IF FOUND THEN
    answer := 'blocked';
    RETURN;
  END IF;
  INSERT INTO probe_sessions AS s (mx_group, token, ends_at)
    VALUES (p_group, p_token, clock_timestamp() + p_ms_max * interval '1 millisecond')
    ON CONFLICT (mx_group) DO UPDATE SET token = excluded.token, ends_at = excluded.ends_at WHERE s.ends_at <= clock_timestamp();
  answer := CASE WHEN FOUND THEN 'granted' ELSE 'wait' END;
  IF answer = 'wait' THEN
    SELECT greatest(1, extract(epoch FROM s.ends_at - clock_timestamp()) * 1000) INTO wait_ms FROM probe_sessions s
      WHERE s.mx_group = p_group;
  END IF;
END $$;

GRANT EXECUTE ON FUNCTION nightshift.probe_budget_wait,
  nightshift.use_probe_budget,
  nightshift.take_probe_recipient,
  nightshift.take_probe_session
  TO nightshift_app;
