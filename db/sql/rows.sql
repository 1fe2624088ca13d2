-- The rows of batches, out of their blocks (`db/schema/batches.ts`). The order of the rows is the one of (block_no, row_no): a query that sorts
-- by both reads blocks in order, and stops early.
CREATE OR REPLACE VIEW nightshift.batch_rows AS
  SELECT b.batch_id, b.block_no * 32 + u.n::integer AS row_no,
    CASE cardinality(b.lines) WHEN 1 THEN b.lines[1] + u.n::integer - 1 ELSE b.lines[u.n] END AS line_no,
    CASE WHEN b.array_cells IS NULL THEN string_to_array(u.cells, E'\x1f') ELSE u.cells::text[] END AS cells,
    CASE cardinality(b.ads_lookups) WHEN 1 THEN b.ads_lookups[1] + u.n - 1 ELSE b.ads_lookups[u.n] END AS ads_lookup_id,
    b.ads_lookups IS NOT NULL AND (cardinality(b.ads_lookups) = 1 OR b.ads_lookups[u.n] IS NOT NULL)
      AND (coalesce(b.ads_repeats, 0) >> (u.n::integer - 1)) & 1 = 0 AS is_first,
    CASE cardinality(b.email_lookups) WHEN 1 THEN b.email_lookups[1] + u.n - 1 ELSE b.email_lookups[u.n] END AS email_lookup_id,
    b.email_lookups IS NOT NULL AND (cardinality(b.email_lookups) = 1 OR b.email_lookups[u.n] IS NOT NULL)
      AND (coalesce(b.email_repeats, 0) >> (u.n::integer - 1)) & 1 = 0 AS email_is_first,
    b.reject_reasons[u.n] AS reject_reason, b.warnings[u.n] AS warning, b.block_no
  FROM nightshift.row_blocks b
  CROSS JOIN LATERAL unnest(coalesce(b.array_cells, string_to_array(b.cells, E'\x1e'))) WITH ORDINALITY AS u(cells, n);

GRANT SELECT ON nightshift.batch_rows TO nightshift_app;
