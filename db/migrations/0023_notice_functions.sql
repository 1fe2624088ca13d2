-- An id that may leave the system, as `newId` makes them: a version-7 UUID (RFC 9562 §5.7), 48 bits of time and 74 random ones.
CREATE FUNCTION nightshift.new_id(p_prefix text) RETURNS text
LANGUAGE sql VOLATILE AS $$
  SELECT p_prefix || '_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14)
$$;
--> statement-breakpoint

-- Something happened: a notice of it, on its way to all webhooks of the account that take such events, or to those that are named.
-- Called in the transaction that made it happen. The same event of the same subject makes no second notice: null then.
CREATE FUNCTION nightshift.make_notice(p_account bigint, p_event text, p_subject text, p_about jsonb,
  p_webhooks bigint[] DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_notice bigint;
BEGIN
  INSERT INTO notices (public_id, account_id, event, subject, about)
  VALUES (new_id('evt'), p_account, p_event, p_subject, p_about)
  ON CONFLICT DO NOTHING RETURNING id INTO v_notice;
  IF v_notice IS NOT NULL THEN
    INSERT INTO webhook_deliveries (notice_id, webhook_id)
    SELECT v_notice, w.id FROM webhooks w
    WHERE w.account_id = p_account AND w.state = 'active' AND p_event = ANY (w.events)
      AND (p_webhooks IS NULL OR w.id = ANY (p_webhooks));
  END IF;
  RETURN v_notice;
END $$;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION nightshift.new_id(text), nightshift.make_notice(bigint, text, text, jsonb, bigint[]) TO nightshift_app;
--> statement-breakpoint
GRANT INSERT ON nightshift.notices TO nightshift_app;
