ALTER TABLE "nightshift"."row_blocks" RENAME TO "search_blocks";--> statement-breakpoint
ALTER TABLE "nightshift"."search_blocks" RENAME CONSTRAINT "row_blocks_batch_id_block_no_pk" TO "search_blocks_batch_id_block_no_pk";--> statement-breakpoint
CREATE TABLE "nightshift"."row_blocks" (
	"batch_id" bigint NOT NULL,
	"block_no" integer NOT NULL,
	"rows" smallint NOT NULL,
	"lines" integer[] NOT NULL,
	"cells" text,
	"array_cells" text[],
	"ads_lookups" bigint[],
	"ads_repeats" integer,
	"email_lookups" bigint[],
	"email_repeats" integer,
	"reject_reasons" text[],
	"warnings" text[],
	CONSTRAINT "row_blocks_batch_id_block_no_pk" PRIMARY KEY("batch_id","block_no"),
	CONSTRAINT "row_blocks_rows" CHECK ("nightshift"."row_blocks"."block_no" >= 0 AND "nightshift"."row_blocks"."rows" BETWEEN 1 AND 32),
	CONSTRAINT "row_blocks_lengths" CHECK (cardinality("nightshift"."row_blocks"."lines") IN (1, "nightshift"."row_blocks"."rows") AND cardinality("nightshift"."row_blocks"."ads_lookups") IN (1, "nightshift"."row_blocks"."rows")
        AND cardinality("nightshift"."row_blocks"."email_lookups") IN (1, "nightshift"."row_blocks"."rows") AND cardinality("nightshift"."row_blocks"."reject_reasons") = "nightshift"."row_blocks"."rows"
        AND cardinality("nightshift"."row_blocks"."warnings") = "nightshift"."row_blocks"."rows" AND cardinality("nightshift"."row_blocks"."array_cells") = "nightshift"."row_blocks"."rows"),
	CONSTRAINT "row_blocks_cells" CHECK (num_nonnulls("nightshift"."row_blocks"."cells", "nightshift"."row_blocks"."array_cells") = 1)
);
--> statement-breakpoint
-- Compressed: a search takes as long, and the disk a third.
ALTER TABLE nightshift.search_blocks ALTER COLUMN row_text SET STORAGE EXTENDED;
--> statement-breakpoint
-- An interrupted load continues after the last whole block: the rows after it, and the lookups that they brought, are read again.
DELETE FROM nightshift.lookups l USING nightshift.batch_rows r
WHERE r.batch_id = l.batch_id AND (l.id = r.ads_lookup_id AND r.is_first OR l.id = r.email_lookup_id AND r.email_is_first)
  AND r.batch_id IN (SELECT b.id FROM nightshift.batches b WHERE b.state = 'loading')
  AND r.row_no > (SELECT count(*) FROM nightshift.batch_rows c WHERE c.batch_id = r.batch_id) / 32 * 32;
--> statement-breakpoint
DELETE FROM nightshift.batch_rows r USING nightshift.batches b
WHERE b.id = r.batch_id AND b.state = 'loading'
  AND r.row_no > (SELECT count(*) FROM nightshift.batch_rows c WHERE c.batch_id = r.batch_id) / 32 * 32;
--> statement-breakpoint
-- A batch that is still being loaded continues with blocks. Lookups of other unfinished batches keep their rows.
INSERT INTO nightshift.lookup_blocks (batch_id, operation, first_id, account_id, ids, subject_keys, company_domains, company_names, emails)
SELECT l.batch_id, l.operation, min(l.id), l.account_id, array_agg(l.id ORDER BY l.id), array_agg(l.subject_key ORDER BY l.id),
  CASE WHEN count(l.company_domain) > 0 THEN array_agg(l.company_domain ORDER BY l.id) END,
  CASE WHEN count(l.company_name) > 0 THEN array_agg(l.company_name ORDER BY l.id) END,
  CASE WHEN count(l.email) > 0 THEN array_agg(l.email ORDER BY l.id) END
FROM nightshift.lookups l JOIN nightshift.batches b ON b.id = l.batch_id
WHERE b.state = 'loading'
GROUP BY l.batch_id, l.operation, l.account_id, l.id / 1000;
--> statement-breakpoint
DELETE FROM nightshift.lookups l USING nightshift.batches b WHERE b.id = l.batch_id AND b.state = 'loading';
--> statement-breakpoint
-- The rows become blocks (`db/schema/batches.ts`).
INSERT INTO nightshift.row_blocks (batch_id, block_no, rows, lines, cells, array_cells, ads_lookups, ads_repeats, email_lookups,
  email_repeats, reject_reasons, warnings)
SELECT batch_id, block_no, rows, CASE WHEN lines_follow THEN lines[1:1] ELSE lines END, CASE WHEN is_plain THEN cells END,
  CASE WHEN NOT is_plain THEN array_cells END, CASE WHEN ads_follow THEN ads_lookups[1:1] WHEN has_ads THEN ads_lookups END,
  nullif(ads_repeats, 0), CASE WHEN emails_follow THEN email_lookups[1:1] WHEN has_emails THEN email_lookups END,
  nullif(email_repeats, 0), CASE WHEN is_rejecting THEN reject_reasons END, CASE WHEN is_warning THEN warnings END
FROM (
  SELECT batch_id, (row_no - 1) / 32 AS block_no, count(*) AS rows, array_agg(line_no ORDER BY row_no) AS lines,
    bool_and(line_no - row_no = first_line_offset) AS lines_follow,
    string_agg(array_to_string(cells, E'\x1f'), E'\x1e' ORDER BY row_no) AS cells, array_agg(cells::text ORDER BY row_no) AS array_cells,
    bool_and(array_to_string(cells, '') ~ '[^\x1e\x1f]' AND array_to_string(cells, '') !~ '[\x1e\x1f]'
      AND array_position(cells, NULL) IS NULL AND array_ndims(cells) = 1 AND array_lower(cells, 1) = 1) AS is_plain,
    array_agg(ads_lookup_id ORDER BY row_no) AS ads_lookups, count(ads_lookup_id) > 0 AS has_ads,
    bool_and(coalesce(ads_lookup_id - row_no = first_ads_offset, false)) AS ads_follow,
    bit_or(CASE WHEN ads_lookup_id IS NOT NULL AND NOT is_first THEN 1 << ((row_no - 1) % 32) ELSE 0 END) AS ads_repeats,
    array_agg(email_lookup_id ORDER BY row_no) AS email_lookups, count(email_lookup_id) > 0 AS has_emails,
    bool_and(coalesce(email_lookup_id - row_no = first_email_offset, false)) AS emails_follow,
    bit_or(CASE WHEN email_lookup_id IS NOT NULL AND NOT email_is_first THEN 1 << ((row_no - 1) % 32) ELSE 0 END) AS email_repeats,
    array_agg(reject_reason ORDER BY row_no) AS reject_reasons, count(reject_reason) > 0 AS is_rejecting,
    array_agg(warning ORDER BY row_no) AS warnings, count(warning) > 0 AS is_warning
  FROM (
    SELECT r.*, first_value(line_no - row_no) OVER w AS first_line_offset, first_value(ads_lookup_id - row_no) OVER w AS first_ads_offset,
      first_value(email_lookup_id - row_no) OVER w AS first_email_offset
    FROM nightshift.batch_rows r
    WINDOW w AS (PARTITION BY batch_id, (row_no - 1) / 32 ORDER BY row_no)
  ) r
  GROUP BY batch_id, (row_no - 1) / 32
) b
ORDER BY batch_id, block_no;
--> statement-breakpoint
-- A view of this name follows (`db/sql/rows.sql`), and the views of reports.
DROP TABLE nightshift.batch_rows CASCADE;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON nightshift.row_blocks TO nightshift_app;
--> statement-breakpoint
-- A retry links rows to the successor of a failed lookup. Other columns never change.
GRANT UPDATE (ads_lookups, email_lookups) ON nightshift.row_blocks TO nightshift_app;
