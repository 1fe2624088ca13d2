CREATE TABLE "nightshift"."purged_chunks" (
	"chunk_id" bigint PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"batch_id" bigint,
	"request_id" text,
	"purged_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lookups" "int8multirange" NOT NULL,
	"charged" "int8multirange" NOT NULL,
	"truncated" integer DEFAULT 0 NOT NULL,
	"quarters" jsonb,
	CONSTRAINT "purged_chunks_one_owner" CHECK (num_nonnulls("nightshift"."purged_chunks"."batch_id", "nightshift"."purged_chunks"."request_id") = 1),
	CONSTRAINT "purged_chunks_charged" CHECK ("nightshift"."purged_chunks"."charged" <@ "nightshift"."purged_chunks"."lookups")
);
--> statement-breakpoint
CREATE INDEX "purged_chunks_by_batch" ON "nightshift"."purged_chunks" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "purged_chunks_by_account" ON "nightshift"."purged_chunks" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "purged_chunks_by_lookup" ON "nightshift"."purged_chunks" USING gist ("lookups");--> statement-breakpoint
-- Purged lookups, and all of batches whose purge began, move to the new table, and their rows go. A lookup belongs to the smallest chunk
-- that has it, as in `lookups_of_chunks` (`db/sql/purged-chunks.sql`).
INSERT INTO nightshift.purged_chunks (chunk_id, account_id, batch_id, request_id, purged_at, lookups, charged, truncated, quarters)
WITH span AS (
  SELECT c.*, coalesce(max(c.last_lookup_id) OVER (PARTITION BY c.batch_id, c.operation ORDER BY c.first_lookup_id, c.id
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) >= c.first_lookup_id, false) AS is_within
  FROM nightshift.chunks c
  WHERE c.batch_id IN (SELECT b.id FROM nightshift.batches b WHERE b.purged_at IS NOT NULL)
    OR c.batch_id IS NULL AND c.first_lookup_id IN (
      SELECT l.id FROM nightshift.lookups l WHERE l.request_id IS NOT NULL AND l.purged_at IS NOT NULL)
), point AS (
  SELECT s.batch_id, s.operation, s.first_lookup_id AS id, 0 AS kind, NULL::timestamptz AS ended_at,
    CASE WHEN NOT s.is_within THEN ARRAY[s.first_lookup_id, s.last_lookup_id, s.id] END AS latest,
    CASE WHEN s.is_within AND s.lookups > 1 THEN ARRAY[s.first_lookup_id, s.last_lookup_id, s.id, extract(epoch FROM s.split_at) * 1000000] END
      AS part,
    CASE WHEN s.is_within AND s.lookups = 1 THEN s.id END AS alone_in
  FROM span s
  UNION ALL
  SELECT l.batch_id, l.operation, l.id, 2, l.ended_at, NULL, NULL, NULL FROM nightshift.lookups l
  WHERE l.batch_id IN (SELECT b.id FROM nightshift.batches b WHERE b.purged_at IS NOT NULL)
    OR l.request_id IS NOT NULL AND l.purged_at IS NOT NULL
), found AS (
  SELECT id, coalesce(alone_in, CASE WHEN id <= part[2] AND extract(epoch FROM ended_at) * 1000000 > part[4] THEN part[3] END,
    CASE WHEN id <= latest[2] THEN latest[3] END)::bigint AS chunk_id
  FROM (
    SELECT id, kind, ended_at, max(latest) OVER so_far AS latest, max(part) OVER so_far AS part,
      max(alone_in) OVER (PARTITION BY batch_id, operation, id) AS alone_in
    FROM point WINDOW so_far AS (PARTITION BY batch_id, operation ORDER BY id, kind)
  ) p WHERE kind = 2
), counted AS (
  SELECT f.chunk_id, date_bin('15 minutes', l.ended_at, '2000-01-01Z') AS quarter, max(l.request_id) AS request_id, max(l.purged_at) AS purged_at,
    count(*) FILTER (WHERE l.truncated) AS truncated, range_agg(int8range(l.id, l.id + 1)) AS ids,
    range_agg(int8range(l.id, l.id + 1)) FILTER (WHERE l.charged_micro > 0) AS charged_ids,
    jsonb_build_object('at', date_bin('15 minutes', l.ended_at, '2000-01-01Z'), 'lookups', count(*),
      'charged', count(*) FILTER (WHERE l.charged_micro > 0), 'none', count(*) FILTER (WHERE l.outcome = 'none'),
      'no_match', count(*) FILTER (WHERE l.outcome = 'no_match'), 'unknown', count(*) FILTER (WHERE e.status = 'unknown'),
      'failed', count(*) FILTER (WHERE l.outcome = 'failed'), 'cancelled', count(*) FILTER (WHERE l.outcome = 'cancelled')) AS counts
  FROM found f JOIN nightshift.lookups l ON l.id = f.id LEFT JOIN nightshift.email_results e ON e.lookup_id = f.id
  WHERE f.chunk_id IS NOT NULL
  GROUP BY f.chunk_id, date_bin('15 minutes', l.ended_at, '2000-01-01Z')
)
SELECT s.id, s.account_id, s.batch_id, k.request_id, coalesce(k.purged_at, b.purged_at), coalesce(k.ids, '{}'), coalesce(k.charged_ids, '{}'),
  coalesce(k.truncated, 0), k.quarters
FROM span s
LEFT JOIN (
  SELECT n.chunk_id, max(n.request_id) AS request_id, max(n.purged_at) AS purged_at, range_agg(n.ids) AS ids,
    range_agg(n.charged_ids) AS charged_ids, sum(n.truncated) AS truncated,
    CASE WHEN count(*) > 1 THEN jsonb_agg(n.counts ORDER BY n.quarter) END AS quarters
  FROM counted n GROUP BY n.chunk_id
) k ON k.chunk_id = s.id
LEFT JOIN nightshift.batches b ON b.id = s.batch_id;
--> statement-breakpoint
UPDATE nightshift.source_calls c SET description = '', response_hash = NULL
FROM nightshift.lookups l JOIN nightshift.batches b ON b.id = l.batch_id
WHERE l.id = c.lookup_id AND b.purged_at IS NOT NULL AND (c.description <> '' OR c.response_hash IS NOT NULL);
--> statement-breakpoint
DELETE FROM nightshift.email_results e USING nightshift.lookups l
WHERE l.id = e.lookup_id AND (l.purged_at IS NOT NULL OR l.batch_id IN (SELECT b.id FROM nightshift.batches b WHERE b.purged_at IS NOT NULL));
--> statement-breakpoint
DELETE FROM nightshift.lookups l
WHERE l.purged_at IS NOT NULL OR l.batch_id IN (SELECT b.id FROM nightshift.batches b WHERE b.purged_at IS NOT NULL);
--> statement-breakpoint
DELETE FROM nightshift.row_blocks r WHERE r.batch_id IN (SELECT b.id FROM nightshift.batches b WHERE b.purged_at IS NOT NULL);
--> statement-breakpoint
-- What is built on the views stays: they leave the column, and keep their own. Functions and triggers follow again (`db/sql`).
DROP TRIGGER IF EXISTS outcome_is_final ON nightshift.lookups;
--> statement-breakpoint
DROP FUNCTION IF EXISTS nightshift.is_purging(nightshift.lookups, nightshift.lookups);
--> statement-breakpoint
DO $$
BEGIN
  IF to_regclass('reports.lookups') IS NOT NULL THEN
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
        l.estimate_low, l.estimate_high, NULL::timestamptz AS purged_at
      FROM nightshift.lookups l
      JOIN nightshift.accounts a ON a.id = l.account_id
      LEFT JOIN nightshift.batches b ON b.id = l.batch_id
      UNION ALL
      SELECT w.id, b.public_id, NULL, a.name, w.operation, CASE WHEN w.operation = 'ads_search' THEN w.subject_key END, w.company_domain,
        w.company_name, 1::smallint, 'open', NULL, NULL, NULL, 0, 0::numeric, NULL, true, w.email, false, NULL, false, false, NULL, NULL, NULL
      FROM nightshift.waiting_lookups w
      JOIN nightshift.accounts a ON a.id = w.account_id
      JOIN nightshift.batches b ON b.id = w.batch_id;
    CREATE OR REPLACE VIEW reports.lookup_sources AS
      SELECT l.id AS lookup_id, b.public_id AS batch, l.request_id AS request, l.subject_key AS company_key, s.position,
        s.entry ->> 'source' AS source, s.entry ->> 'reported' AS reported, s.entry ->> 'message' AS message
      FROM nightshift.lookups l
      LEFT JOIN nightshift.batches b ON b.id = l.batch_id
      CROSS JOIN LATERAL jsonb_array_elements(coalesce(l.source_results, jsonb_build_array(jsonb_build_object('source', l.source, 'reported', l.outcome))))
        WITH ORDINALITY AS s(entry, position)
      WHERE l.operation = 'ads_search' AND (l.source_results IS NOT NULL OR (l.source IS NOT NULL AND l.outcome IS NOT NULL));
    DROP VIEW nightshift.all_lookups;
  END IF;
END $$;
--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" DROP COLUMN "purged_at";
--> statement-breakpoint
GRANT SELECT ON nightshift.purged_chunks TO nightshift_app;
--> statement-breakpoint
-- Only a purge deletes lookups.
REVOKE DELETE ON nightshift.lookups FROM nightshift_app;
