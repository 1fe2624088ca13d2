-- A retry points rows at the successor of a failed lookup; nothing else of a row ever changes.
GRANT UPDATE (ads_lookup_id) ON nightshift.batch_rows TO nightshift_app;
--> statement-breakpoint
CREATE OR REPLACE VIEW reports.batches AS
  SELECT b.public_id AS batch, a.name AS account, b.file_name, b.state, b.state_reason, b.sources, b.rows_total,
    b.rows_rejected, b.lookups_total, b.created_at, b.loaded_at, b.finished_at,
    encode(b.content_sha256, 'hex') AS content_sha256, b.limit_rows,
    trim_scale(b.max_credits_micro / 1000000.0) AS max_credits, b.retried
  FROM nightshift.batches b JOIN nightshift.accounts a ON a.id = b.account_id;
--> statement-breakpoint
COMMENT ON COLUMN reports.batches.lookups_total IS 'Distinct companies. A retry adds lookups, and counts in retried.';
--> statement-breakpoint
CREATE OR REPLACE VIEW reports.lookups AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.request_id AS request, a.name AS account, l.operation,
    l.subject_key AS company_key, l.company_domain, l.company_name, l.generation,
    coalesce(l.outcome, 'open') AS outcome, l.reason, l.source, l.matched_by, l.ads_count,
    trim_scale(l.charged_micro / 1000000.0) AS credits, l.ended_at,
    NOT EXISTS (
      SELECT 1 FROM nightshift.lookups n WHERE n.batch_id = l.batch_id AND n.operation = l.operation
        AND n.subject_key = l.subject_key AND n.generation = l.generation + 1
    ) AS is_latest
  FROM nightshift.lookups l
  JOIN nightshift.accounts a ON a.id = l.account_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id;
--> statement-breakpoint
COMMENT ON COLUMN reports.lookups.is_latest IS 'False for a failed lookup that a retry replaced by one of the next generation.';
