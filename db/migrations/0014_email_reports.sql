GRANT SELECT, INSERT ON nightshift.email_results TO nightshift_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.mail_domains TO nightshift_app;
--> statement-breakpoint
GRANT UPDATE (email_lookup_id) ON nightshift.batch_rows TO nightshift_app;
--> statement-breakpoint
-- As before (0011), for either operation: a company or an address.
DROP FUNCTION nightshift.open_request(bigint, text, text, text, text, bigint);
--> statement-breakpoint
CREATE FUNCTION nightshift.open_request(p_account bigint, p_request text, p_operation text, p_key text, p_domain text, p_name text,
  p_email text, p_lease_ms bigint, OUT chunk_id bigint, OUT token uuid, OUT lookup_id bigint, OUT price_micro bigint)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_lookup bigint := nextval('lookup_id_blocks');
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT p.amount_micro INTO price_micro FROM prices p
    WHERE p.operation = p_operation AND p.effective_from <= now() ORDER BY p.effective_from DESC LIMIT 1;
  IF (credit_reserve(p_account, ARRAY[v_lookup], ARRAY[1]::smallint[], ARRAY[price_micro]))[1] = 'insufficient' THEN
    RETURN;
  END IF;
  lookup_id := v_lookup;
  INSERT INTO lookups (id, account_id, request_id, operation, subject_key, company_domain, company_name, email)
  VALUES (v_lookup, p_account, p_request, p_operation, p_key, p_domain, p_name, p_email);
  INSERT INTO chunks AS c (account_id, operation, first_lookup_id, last_lookup_id, lookups, state, starts, token, lease_until,
    price_micro)
  VALUES (p_account, p_operation, v_lookup, v_lookup, 1, 'running', 1, gen_random_uuid(),
    now() + p_lease_ms * interval '1 millisecond', open_request.price_micro)
  RETURNING c.id, c.token INTO chunk_id, token;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION nightshift.open_request(bigint, text, text, text, text, text, text, bigint) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION nightshift.open_request(bigint, text, text, text, text, text, text, bigint) TO nightshift_app;
--> statement-breakpoint
CREATE OR REPLACE VIEW reports.batches AS
  SELECT b.public_id AS batch, a.name AS account, b.file_name, b.state, b.state_reason, b.sources, b.rows_total,
    b.rows_rejected, b.lookups_total, b.created_at, b.loaded_at, b.finished_at,
    encode(b.content_sha256, 'hex') AS content_sha256, b.limit_rows,
    trim_scale(b.max_credits_micro / 1000000.0) AS max_credits, b.retried, b.operations, b.email_lookups_total
  FROM nightshift.batches b JOIN nightshift.accounts a ON a.id = b.account_id;
--> statement-breakpoint
COMMENT ON COLUMN reports.batches.lookups_total IS
  'Distinct companies and addresses; email_lookups_total counts the addresses among them. A retry adds lookups, and counts in retried.';
--> statement-breakpoint
CREATE OR REPLACE VIEW reports.lookups AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.request_id AS request, a.name AS account, l.operation,
    CASE WHEN l.operation = 'ads_search' THEN l.subject_key END AS company_key, l.company_domain, l.company_name, l.generation,
    coalesce(l.outcome, 'open') AS outcome, l.reason, l.source, l.matched_by, l.ads_count,
    trim_scale(l.charged_micro / 1000000.0) AS credits, l.ended_at,
    NOT EXISTS (
      SELECT 1 FROM nightshift.lookups n WHERE n.batch_id = l.batch_id AND n.operation = l.operation
        AND n.subject_key = l.subject_key AND n.generation = l.generation + 1
    ) AS is_latest,
    l.email
  FROM nightshift.lookups l
  JOIN nightshift.accounts a ON a.id = l.account_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id;
--> statement-breakpoint
COMMENT ON VIEW reports.lookups IS
  'One line per distinct company or address of a batch (or request), with its outcome: found, none, no_match (ads), completed (addresses: reports.email_results), failed, cancelled, or open.';
--> statement-breakpoint
CREATE OR REPLACE VIEW reports.rows AS
  SELECT b.public_id AS batch, r.row_no, r.line_no,
    (SELECT jsonb_object_agg(c.name, c.cell) FROM unnest(b.header, r.cells) AS c(name, cell) WHERE c.name IS NOT NULL) AS cells,
    CASE WHEN r.reject_reason IS NOT NULL THEN 'rejected' WHEN r.ads_lookup_id IS NOT NULL THEN coalesce(l.outcome, 'open') END
      AS outcome,
    coalesce(r.reject_reason, l.reason) AS reason, r.warning, r.ads_lookup_id AS lookup_id, l.ads_count,
    r.email_lookup_id, CASE WHEN r.email_lookup_id IS NOT NULL THEN coalesce(m.outcome, 'open') END AS email_outcome,
    e.status AS email_status, e.sub_status AS email_sub_status, e.recommendation AS email_recommendation
  FROM nightshift.batch_rows r
  JOIN nightshift.batches b ON b.id = r.batch_id
  LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
  LEFT JOIN nightshift.lookups m ON m.id = r.email_lookup_id
  LEFT JOIN nightshift.email_results e ON e.lookup_id = r.email_lookup_id;
--> statement-breakpoint
COMMENT ON COLUMN reports.rows.outcome IS 'Of its ads search; null for a row that names no company.';
--> statement-breakpoint
COMMENT ON COLUMN reports.rows.email_outcome IS 'Of its validation: completed, failed, cancelled or open; null for a row without an address.';
--> statement-breakpoint
CREATE VIEW reports.email_results AS
  SELECT e.lookup_id, b.public_id AS batch, l.request_id AS request, a.name AS account, l.email, e.status AS email_status,
    e.sub_status, e.recommendation, e.verification_level, e.reasons, e.normalised_email AS normalized_email, e.canonical_email,
    e.did_you_mean, e.ascii_domain, e.registrable_domain, e.is_disposable, e.is_privacy_relay, e.is_role, e.is_free,
    e.requires_smtputf8, e.is_catch_all AS is_domain_catch_all, e.mx_record, e.mx_provider, e.mx_security_gateway, e.implicit_mx,
    e.has_spf, e.has_dmarc, e.smtp_host, e.smtp_code, e.smtp_enhanced_code, e.catch_all_probe, e.probe_attempts, e.checked_at,
    e.retry_at, trim_scale(l.charged_micro / 1000000.0) AS credits
  FROM nightshift.email_results e
  JOIN nightshift.lookups l ON l.id = e.lookup_id
  JOIN nightshift.accounts a ON a.id = l.account_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id;
--> statement-breakpoint
COMMENT ON VIEW reports.email_results IS
  'One line per validated address: the verdict, what it rests on, and the reasons as stable codes, the decisive one first.';
--> statement-breakpoint
COMMENT ON COLUMN reports.email_results.email_status IS
  'valid, invalid, catch_all or unknown. invalid is said of no address because a mail server disliked who asked.';
--> statement-breakpoint
COMMENT ON COLUMN reports.email_results.canonical_email IS 'Marks likely duplicates (tags and dots left out). Never write to it.';
--> statement-breakpoint
COMMENT ON COLUMN reports.email_results.retry_at IS 'When asking again may give another answer.';
--> statement-breakpoint
GRANT SELECT ON reports.email_results TO nightshift_reader, nightshift_app;
