-- Views of reports: credits, prices and charges of sources.

CREATE OR REPLACE VIEW reports.credit_balances AS
  SELECT a.name AS account, trim_scale(c.balance_micro / 1000000.0) AS balance, trim_scale(c.held_micro / 1000000.0) AS held
  FROM nightshift.credit_balances c JOIN nightshift.accounts a ON a.id = c.account_id;

COMMENT ON VIEW reports.credit_balances IS 'Available credits, and credits held for open lookups.';

CREATE OR REPLACE VIEW reports.credit_ledger AS
  SELECT a.name AS account, e.seq, e.kind, e.lookup_id, trim_scale(e.balance_delta_micro / 1000000.0) AS balance_delta,
    trim_scale(e.held_delta_micro / 1000000.0) AS held_delta, trim_scale(e.balance_after_micro / 1000000.0) AS balance_after,
    trim_scale(e.held_after_micro / 1000000.0) AS held_after, e.reason, e.created_at
  FROM nightshift.ledger_entries e JOIN nightshift.accounts a ON a.id = e.account_id;

COMMENT ON VIEW reports.credit_ledger IS
  'Every movement of credits, append-only. kind: grant, reserve (a hold), settle (a charge), release. seq has no gaps.';

CREATE OR REPLACE VIEW reports.purged_lookups AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.request_id AS request, a.name AS account, l.operation,
    trim_scale(l.charged_micro / 1000000.0) AS credits, l.purged_at
  FROM nightshift.purged_lookups l
  JOIN nightshift.accounts a ON a.id = l.account_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id;

COMMENT ON VIEW reports.purged_lookups IS
  'One row per purged lookup (docs/guides/retention.md): where it belonged, and what it cost. Its subject and results are deleted.';

CREATE OR REPLACE VIEW reports.prices AS
  SELECT operation, trim_scale(amount_micro / 1000000.0) AS credits, effective_from, note FROM nightshift.prices;

COMMENT ON VIEW reports.prices IS 'The price book: credits per answer with a result, from effective_from on. Answers without a result are free.';

CREATE OR REPLACE VIEW reports.source_prices AS
  SELECT source, trim_scale(amount) AS amount, currency, unit, effective_from, note FROM nightshift.source_prices;

COMMENT ON VIEW reports.source_prices IS 'Price of a unit at a source, from effective_from on.';

CREATE OR REPLACE VIEW reports.source_calls AS
  SELECT id AS call_id, lookup_id, source, sent_at, answered_at, answer, source_charge::text AS source_charge, description
  FROM nightshift.source_calls;

COMMENT ON VIEW reports.source_calls IS
  'Every call to a live source, recorded before it is sent. answer is null while it is unknown.';

CREATE OR REPLACE VIEW reports.source_charges AS
  SELECT c.id AS call_id, c.lookup_id, b.public_id AS batch, coalesce(l.request_id, u.request_id) AS request, a.name AS account, c.source, c.sent_at, c.answer,
    trim_scale(c.units) AS units, p.unit, trim_scale(c.units * p.amount) AS expected, c.source_charge AS charged, p.currency,
    c.answer IS NULL OR c.answer IN ('in_doubt', 'source_unreadable') AS is_in_doubt
  FROM nightshift.source_calls c
  LEFT JOIN nightshift.lookups l ON l.id = c.lookup_id
  LEFT JOIN LATERAL (SELECT * FROM nightshift.purged_chunks p WHERE l.id IS NULL AND p.lookups @> c.lookup_id) u ON true
  JOIN nightshift.accounts a ON a.id = coalesce(l.account_id, u.account_id)
  LEFT JOIN nightshift.batches b ON b.id = coalesce(l.batch_id, u.batch_id)
  LEFT JOIN LATERAL (
    SELECT * FROM nightshift.source_prices s WHERE s.source = c.source AND s.effective_from <= c.sent_at
    ORDER BY s.effective_from DESC LIMIT 1
  ) p ON true
  WHERE c.units > 0 OR c.source_charge > 0;

COMMENT ON VIEW reports.source_charges IS
  'Every call that cost something at a source, or may have. expected follows source_prices; charged is the amount that the source reports (null: not reported). Both are in currency.';
COMMENT ON COLUMN reports.source_charges.is_in_doubt IS
  'True if the answer is missing or unreadable: the source may have charged up to expected.';

GRANT SELECT ON reports.credit_balances, reports.credit_ledger, reports.purged_lookups, reports.prices, reports.source_prices, reports.source_calls, reports.source_charges
  TO nightshift_app, nightshift_reader;
