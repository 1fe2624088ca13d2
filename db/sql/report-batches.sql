-- Views of reports: batches, rows and lookups. Names and columns are stable; the tables behind them may change.

CREATE OR REPLACE VIEW reports.batches AS
  SELECT b.public_id AS batch, a.name AS account, b.file_name, b.state, b.state_reason, b.sources, b.rows_total,
    b.rows_rejected, b.lookups_total, b.created_at, b.loaded_at, b.finished_at,
    encode(b.content_sha256, 'hex') AS content_sha256, b.limit_rows,
    trim_scale(b.max_credits_micro / 1000000.0) AS max_credits, b.retried, b.operations, b.email_lookups_total, b.purged_at,
    b.sheet, coalesce(b.name, b.file_name) AS name, b.tags, b.origin, b.created_by AS owner, b.archived_at, b.deleted_at
  FROM nightshift.batches b JOIN nightshift.accounts a ON a.id = b.account_id;

COMMENT ON VIEW reports.batches IS 'One row per batch: its state, its counts, and the SHA-256 of its file.';
COMMENT ON COLUMN reports.batches.lookups_total IS
  'Number of distinct companies and addresses; email_lookups_total is the number of addresses among them. Lookups that a retry adds are counted in retried instead.';
COMMENT ON COLUMN reports.batches.purged_at IS
  'Time at which its rows and results were deleted (docs/guides/retention.md); counts and charges stay. Null: not deleted.';
COMMENT ON COLUMN reports.batches.sheet IS 'Sheet that was read. Null for a file without sheets.';
COMMENT ON COLUMN reports.batches.name IS 'Name of the batch: by default that of its file, or of its schedule.';
COMMENT ON COLUMN reports.batches.origin IS
  'upload (console), api, cli, schedule, inbox or run_again. Null for older batches whose origin was not recorded.';
COMMENT ON COLUMN reports.batches.owner IS 'The id of the user or key that created it, or cli. Null for scans and files of inboxes.';
COMMENT ON COLUMN reports.batches.deleted_at IS
  'Time at which a user deleted it. Its rows and results are purged a day after its end at the earliest; counts and charges stay. Null: not deleted.';

CREATE OR REPLACE VIEW reports.lookups AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.request_id AS request, a.name AS account, l.operation,
    CASE WHEN l.operation = 'ads_search' THEN l.subject_key END AS company_key, l.company_domain,
    l.company_name, l.generation,
    coalesce(l.outcome, 'open') AS outcome, l.reason, l.source, l.matched_by, l.ads_count,
    trim_scale(l.charged_micro / 1000000.0) AS credits, l.ended_at,
    NOT EXISTS (
      SELECT 1 FROM nightshift.lookups n WHERE n.batch_id = l.batch_id AND n.operation = l.operation
        AND n.subject_key = l.subject_key AND n.generation = l.generation + 1
    ) AS is_latest,
    l.email, l.repeats IS NOT NULL AS from_cache, coalesce(l.observed_at, l.ended_at) AS observed_at, l.partial, l.truncated,
    l.estimate_low, l.estimate_high, NULL::timestamptz AS purged_at, l.partial_reason, l.uncertain_advertisers
  FROM nightshift.lookups l
  JOIN nightshift.accounts a ON a.id = l.account_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id
  UNION ALL
  -- Not from all_lookups: a condition on the batch reaches both parts here, and so their indexes.
  SELECT w.id, b.public_id, NULL, a.name, w.operation, CASE WHEN w.operation = 'ads_search' THEN w.subject_key END, w.company_domain,
    w.company_name, 1::smallint, 'open', NULL, NULL, NULL, 0, 0::numeric, NULL, true, w.email, false, NULL, false, false, NULL, NULL, NULL,
    NULL, NULL
  FROM nightshift.waiting_lookups w
  JOIN nightshift.accounts a ON a.id = w.account_id
  JOIN nightshift.batches b ON b.id = w.batch_id;

COMMENT ON VIEW reports.lookups IS
  'One row per distinct company or address of a batch or request, unless it was purged. outcome: found, none or no_match (ads search), completed (validation: see reports.email_results), failed, cancelled, or open.';
COMMENT ON COLUMN reports.lookups.matched_by IS
  'Key by which the source matched the company: mapping, domain, name, or domain_label (local snapshot).';
COMMENT ON COLUMN reports.lookups.is_latest IS 'False for a lookup that a retry has replaced: it failed, or its company was not identified.';
COMMENT ON COLUMN reports.lookups.from_cache IS 'True for a free repeat of an earlier answer of the account; observed_at is the time of that answer.';
COMMENT ON COLUMN reports.lookups.partial IS 'True if the company may have more ads than these; see partial_reason.';
COMMENT ON COLUMN reports.lookups.partial_reason IS
  'page_failed: a later page could not be fetched. uncertain_advertisers: ads of advertisers that may belong to the company are left out (companies review). too_many_advertisers: only advertisers with the exact name were evaluated. Null: complete, or older than this column.';
COMMENT ON COLUMN reports.lookups.uncertain_advertisers IS 'Number of advertisers that may belong to the company, and whose ads are left out. Null: none.';
COMMENT ON COLUMN reports.lookups.truncated IS 'True if the company has more ads than the requested maximum.';
COMMENT ON COLUMN reports.lookups.estimate_low IS 'Lower bound of the source''s estimate of the total number of ads; estimate_high is the upper bound.';
COMMENT ON COLUMN reports.lookups.purged_at IS 'Always null: purged lookups are not listed here, but in reports.purged_lookups.';

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

COMMENT ON VIEW reports.rows IS
  'One row per data row of a batch, in input order by (batch, row_no). cells has the columns of the file by name.';
COMMENT ON COLUMN reports.rows.outcome IS 'Outcome of the ads search, or rejected; null for a row without a company.';
COMMENT ON COLUMN reports.rows.email_outcome IS 'Outcome of the e-mail validation: completed, failed, cancelled or open; null for a row without an address.';

CREATE OR REPLACE VIEW reports.email_results AS
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

COMMENT ON VIEW reports.email_results IS
  'One row per validated address: the verdict, its evidence, and its reasons as stable codes, the decisive one first.';
COMMENT ON COLUMN reports.email_results.email_status IS
  'valid, invalid, catch_all or unknown. A mail server that rejects the prober never makes an address invalid.';
COMMENT ON COLUMN reports.email_results.canonical_email IS 'Key that finds likely duplicates, without tags and dots. Do not send mail to it.';
COMMENT ON COLUMN reports.email_results.retry_at IS 'Time from which another validation may give another result.';

CREATE OR REPLACE VIEW reports.lookup_sources AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.request_id AS request, l.subject_key AS company_key, s.position,
    s.entry ->> 'source' AS source, s.entry ->> 'reported' AS reported, s.entry ->> 'message' AS message
  FROM nightshift.lookups l
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id
  CROSS JOIN LATERAL jsonb_array_elements(coalesce(l.source_results, jsonb_build_array(jsonb_build_object('source', l.source, 'reported', l.outcome))))
    WITH ORDINALITY AS s(entry, position)
  WHERE l.operation = 'ads_search' AND (l.source_results IS NOT NULL OR (l.source IS NOT NULL AND l.outcome IS NOT NULL));

COMMENT ON VIEW reports.lookup_sources IS
  'One row per source that a lookup queried, in order. reported: found, none, no_match, repeated (an earlier answer), or an error code with message.';

GRANT SELECT ON reports.batches, reports.lookups, reports.rows, reports.email_results, reports.lookup_sources
  TO nightshift_app, nightshift_reader;
