-- The views of reports: batches, rows and lookups. Names and columns are a promise; the tables behind them may change.

CREATE OR REPLACE VIEW reports.batches AS
  SELECT b.public_id AS batch, a.name AS account, b.file_name, b.state, b.state_reason, b.sources, b.rows_total,
    b.rows_rejected, b.lookups_total, b.created_at, b.loaded_at, b.finished_at,
    encode(b.content_sha256, 'hex') AS content_sha256, b.limit_rows,
    trim_scale(b.max_credits_micro / 1000000.0) AS max_credits, b.retried, b.operations, b.email_lookups_total, b.purged_at
  FROM nightshift.batches b JOIN nightshift.accounts a ON a.id = b.account_id;

COMMENT ON VIEW reports.batches IS 'One line per submitted list: its state, its counts, and the SHA-256 of its content.';
COMMENT ON COLUMN reports.batches.lookups_total IS
  'Distinct companies and addresses; email_lookups_total counts the addresses among them. A retry adds lookups, and counts in retried.';
COMMENT ON COLUMN reports.batches.purged_at IS
  'When its rows, and what was found for them, went (docs/guides/retention.md); its counts and charges stay. Null: they are there.';

CREATE OR REPLACE VIEW reports.lookups AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.request_id AS request, a.name AS account, l.operation,
    CASE WHEN l.operation = 'ads_search' AND l.purged_at IS NULL THEN l.subject_key END AS company_key, l.company_domain,
    l.company_name, l.generation,
    coalesce(l.outcome, 'open') AS outcome, l.reason, l.source, l.matched_by, l.ads_count,
    trim_scale(l.charged_micro / 1000000.0) AS credits, l.ended_at,
    NOT EXISTS (
      SELECT 1 FROM nightshift.lookups n WHERE n.batch_id = l.batch_id AND n.operation = l.operation
        AND n.subject_key = l.subject_key AND n.generation = l.generation + 1
    ) AS is_latest,
    l.email, l.repeats IS NOT NULL AS from_cache, coalesce(l.observed_at, l.ended_at) AS observed_at, l.partial, l.truncated,
    l.estimate_low, l.estimate_high, l.purged_at
  FROM nightshift.lookups l
  JOIN nightshift.accounts a ON a.id = l.account_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id;

COMMENT ON VIEW reports.lookups IS
  'One line per distinct company or address of a batch (or request), with its outcome: found, none, no_match (ads), completed (addresses: reports.email_results), failed, cancelled, or open.';
COMMENT ON COLUMN reports.lookups.matched_by IS
  'How the source knew the company: mapping, name, domain_label (local snapshot), domain, name (live source).';
COMMENT ON COLUMN reports.lookups.is_latest IS 'False for a failed lookup that a retry replaced by one of the next generation.';
COMMENT ON COLUMN reports.lookups.from_cache IS 'An earlier answer of the same account was shown again, free; observed_at says from when it is.';
COMMENT ON COLUMN reports.lookups.partial IS 'A later page could not be had: the ads are some of those there are.';
COMMENT ON COLUMN reports.lookups.truncated IS 'There are more ads than were asked for.';
COMMENT ON COLUMN reports.lookups.estimate_low IS 'How many ads there are in all, as the source estimates it: from estimate_low to estimate_high.';
COMMENT ON COLUMN reports.lookups.purged_at IS
  'When who it was about, and what was found, went; its outcome and its charge stay. ads_count says how many ads it had seen.';

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
  'One line per data row of a submitted list, in input order by (batch, row_no); cells holds the user''s own columns by name.';
COMMENT ON COLUMN reports.rows.outcome IS 'Of its ads search; null for a row that names no company.';
COMMENT ON COLUMN reports.rows.email_outcome IS 'Of its validation: completed, failed, cancelled or open; null for a row without an address.';

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
  'One line per validated address: the verdict, what it rests on, and the reasons as stable codes, the decisive one first.';
COMMENT ON COLUMN reports.email_results.email_status IS
  'valid, invalid, catch_all or unknown. invalid is said of no address because a mail server disliked who asked.';
COMMENT ON COLUMN reports.email_results.canonical_email IS 'Marks likely duplicates (tags and dots left out). Never write to it.';
COMMENT ON COLUMN reports.email_results.retry_at IS 'When asking again may give another answer.';

CREATE OR REPLACE VIEW reports.lookup_sources AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.request_id AS request, l.subject_key AS company_key, s.position,
    s.entry ->> 'source' AS source, s.entry ->> 'reported' AS reported, s.entry ->> 'message' AS message
  FROM nightshift.lookups l
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id
  CROSS JOIN LATERAL jsonb_array_elements(coalesce(l.source_results, jsonb_build_array(jsonb_build_object('source', l.source, 'reported', l.outcome))))
    WITH ORDINALITY AS s(entry, position)
  WHERE l.operation = 'ads_search' AND l.purged_at IS NULL AND (l.source_results IS NOT NULL OR (l.source IS NOT NULL AND l.outcome IS NOT NULL));

COMMENT ON VIEW reports.lookup_sources IS
  'Every source that was asked about a company, in order, and what it said: found, none, no_match, repeated (an earlier answer was shown again), or the code of its trouble with a message.';

GRANT SELECT ON reports.batches, reports.lookups, reports.rows, reports.email_results, reports.lookup_sources
  TO nightshift_app, nightshift_reader;
