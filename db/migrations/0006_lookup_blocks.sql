CREATE TABLE "nightshift"."lookup_blocks" (
	"batch_id" bigint NOT NULL,
	"operation" text NOT NULL,
	"first_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"ids" bigint[] NOT NULL,
	"subject_keys" text[] NOT NULL,
	"company_domains" text[],
	"company_names" text[],
	"emails" text[],
	CONSTRAINT "lookup_blocks_batch_id_operation_first_id_pk" PRIMARY KEY("batch_id","operation","first_id"),
	CONSTRAINT "lookup_blocks_ids" CHECK (cardinality("nightshift"."lookup_blocks"."ids") > 0 AND "nightshift"."lookup_blocks"."ids"[1] = "nightshift"."lookup_blocks"."first_id"
        AND "nightshift"."lookup_blocks"."ids"[cardinality("nightshift"."lookup_blocks"."ids")] BETWEEN "nightshift"."lookup_blocks"."first_id" AND "nightshift"."lookup_blocks"."first_id" + 999),
	CONSTRAINT "lookup_blocks_lengths" CHECK (cardinality("nightshift"."lookup_blocks"."subject_keys") = cardinality("nightshift"."lookup_blocks"."ids")
        AND coalesce(cardinality("nightshift"."lookup_blocks"."company_domains"), cardinality("nightshift"."lookup_blocks"."ids")) = cardinality("nightshift"."lookup_blocks"."ids")
        AND coalesce(cardinality("nightshift"."lookup_blocks"."company_names"), cardinality("nightshift"."lookup_blocks"."ids")) = cardinality("nightshift"."lookup_blocks"."ids")
        AND coalesce(cardinality("nightshift"."lookup_blocks"."emails"), cardinality("nightshift"."lookup_blocks"."ids")) = cardinality("nightshift"."lookup_blocks"."ids")),
	CONSTRAINT "lookup_blocks_operation" CHECK ("nightshift"."lookup_blocks"."operation" IN ('ads_search', 'email_validation'))
);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.lookup_blocks TO nightshift_app;
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
-- Rows are inserted with their outcome, and seldom updated.
ALTER TABLE nightshift.lookups RESET (fillfactor);
