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
-- Rows are inserted with their outcome, and seldom updated.
ALTER TABLE nightshift.lookups RESET (fillfactor);
