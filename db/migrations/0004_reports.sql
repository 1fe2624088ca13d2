-- The views that people query. Names and columns here are a promise; the tables behind them may change.
CREATE SCHEMA reports;
--> statement-breakpoint
COMMENT ON SCHEMA reports IS 'Nightshift results for SQL users. One credit is 1,000,000 microcredits; views show credits.';
--> statement-breakpoint
CREATE VIEW reports.batches AS
  SELECT b.public_id AS batch, a.name AS account, b.file_name, b.state, b.state_reason, b.sources, b.rows_total,
    b.rows_rejected, b.lookups_total, b.created_at, b.loaded_at, b.finished_at,
    encode(b.content_sha256, 'hex') AS content_sha256
  FROM nightshift.batches b JOIN nightshift.accounts a ON a.id = b.account_id;
--> statement-breakpoint
COMMENT ON VIEW reports.batches IS 'One line per submitted list: its state, its counts, and the SHA-256 of its content.';
--> statement-breakpoint
CREATE VIEW reports.lookups AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.request_id AS request, a.name AS account, l.operation,
    l.subject_key AS company_key, l.company_domain, l.company_name, l.generation,
    coalesce(l.outcome, 'open') AS outcome, l.reason, l.source, l.matched_by, l.ads_count,
    trim_scale(l.charged_micro / 1000000.0) AS credits, l.ended_at
  FROM nightshift.lookups l
  JOIN nightshift.accounts a ON a.id = l.account_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id;
--> statement-breakpoint
COMMENT ON VIEW reports.lookups IS
  'One line per distinct company of a batch (or request) and operation, with its outcome: found, none, no_match, failed, cancelled, or open.';
--> statement-breakpoint
COMMENT ON COLUMN reports.lookups.matched_by IS
  'How the source knew the company: mapping, name, domain_label (local snapshot), domain, name (live source).';
--> statement-breakpoint
CREATE VIEW reports.rows AS
  SELECT b.public_id AS batch, r.row_no, r.line_no,
    (SELECT jsonb_object_agg(c.name, c.cell) FROM unnest(b.header, r.cells) AS c(name, cell) WHERE c.name IS NOT NULL) AS cells,
    CASE WHEN r.reject_reason IS NOT NULL THEN 'rejected' ELSE coalesce(l.outcome, 'open') END AS outcome,
    coalesce(r.reject_reason, l.reason) AS reason, r.warning, r.ads_lookup_id AS lookup_id, l.ads_count
  FROM nightshift.batch_rows r
  JOIN nightshift.batches b ON b.id = r.batch_id
  LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id;
--> statement-breakpoint
COMMENT ON VIEW reports.rows IS
  'One line per data row of a submitted list, in input order by (batch, row_no); cells holds the user''s own columns by name.';
--> statement-breakpoint
CREATE VIEW reports.ads AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.subject_key AS company_key, l.company_domain, l.company_name,
    la.position, coalesce(i.advertiser_id, '') AS advertiser_id, coalesce(i.creative_id, '') AS creative_id,
    v.advertiser_name, v.format, v.original_url, la.start, la.last_seen, v.headline, v.description, v.display_url,
    v.final_url, v.ad_type, v.variants_count, v.id AS version_id, l.source, l.ended_at AS observed_at
  FROM nightshift.lookup_ads la
  JOIN nightshift.lookups l ON l.id = la.lookup_id
  JOIN nightshift.ad_versions v ON v.id = la.version_id
  JOIN nightshift.ads i ON i.id = v.ad_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id;
--> statement-breakpoint
COMMENT ON VIEW reports.ads IS
  'One line per ad that a lookup saw, as it looked then. start and last_seen are UTC days as the source gave them.';
--> statement-breakpoint
CREATE VIEW reports.ad_variants AS
  SELECT version_id, position, content, height, width FROM nightshift.ad_variants;
--> statement-breakpoint
COMMENT ON VIEW reports.ad_variants IS
  'The renderings of an ad version (join on version_id). content is foreign markup: never render it as it is. Sizes in pixels.';
--> statement-breakpoint
CREATE VIEW reports.credit_balances AS
  SELECT a.name AS account, trim_scale(c.balance_micro / 1000000.0) AS balance, trim_scale(c.held_micro / 1000000.0) AS held
  FROM nightshift.credit_balances c JOIN nightshift.accounts a ON a.id = c.account_id;
--> statement-breakpoint
COMMENT ON VIEW reports.credit_balances IS 'Credits that can be spent, and credits held for open lookups.';
--> statement-breakpoint
CREATE VIEW reports.credit_ledger AS
  SELECT a.name AS account, e.seq, e.kind, e.lookup_id, trim_scale(e.balance_delta_micro / 1000000.0) AS balance_delta,
    trim_scale(e.held_delta_micro / 1000000.0) AS held_delta, trim_scale(e.balance_after_micro / 1000000.0) AS balance_after,
    trim_scale(e.held_after_micro / 1000000.0) AS held_after, e.reason, e.created_at
  FROM nightshift.ledger_entries e JOIN nightshift.accounts a ON a.id = e.account_id;
--> statement-breakpoint
COMMENT ON VIEW reports.credit_ledger IS
  'Every movement of credits, append-only: grant, reserve (a hold), settle (a charge), release. seq has no gaps.';
--> statement-breakpoint
CREATE VIEW reports.prices AS
  SELECT operation, trim_scale(amount_micro / 1000000.0) AS credits, effective_from, note FROM nightshift.prices;
--> statement-breakpoint
COMMENT ON VIEW reports.prices IS 'The price book: what an answer with a result costs from a moment on. Answers without one are free.';
--> statement-breakpoint
CREATE VIEW reports.source_calls AS
  SELECT id AS call_id, lookup_id, source, sent_at, answered_at, answer, source_charge FROM nightshift.source_calls;
--> statement-breakpoint
COMMENT ON VIEW reports.source_calls IS
  'Every call to a live source, recorded before it was sent; answer is null while it is not known.';
--> statement-breakpoint
REVOKE ALL ON SCHEMA reports FROM PUBLIC;
--> statement-breakpoint
GRANT USAGE ON SCHEMA reports TO nightshift_reader, nightshift_app;
--> statement-breakpoint
GRANT SELECT ON ALL TABLES IN SCHEMA reports TO nightshift_reader, nightshift_app;
--> statement-breakpoint
-- Comfort, not defence: the grants are the boundary, and a session may change its own settings.
DO $$
BEGIN
  EXECUTE 'ALTER ROLE nightshift_reader SET default_transaction_read_only = on';
  EXECUTE 'ALTER ROLE nightshift_reader SET statement_timeout = ''5min''';
  EXECUTE 'ALTER ROLE nightshift_reader SET search_path = reports';
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'The settings of nightshift_reader were left as they are: the migrating role may not change them.';
END $$;
