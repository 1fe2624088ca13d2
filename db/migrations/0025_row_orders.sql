CREATE TABLE "nightshift"."row_orders" (
	"batch_id" bigint NOT NULL,
	"sort" text NOT NULL,
	"finished_at" timestamp with time zone NOT NULL,
	"row_nos" integer[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "row_orders_batch_id_sort_pk" PRIMARY KEY("batch_id","sort")
);
--> statement-breakpoint
ALTER TABLE "nightshift"."row_orders" ADD CONSTRAINT "row_orders_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "nightshift"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.row_orders TO nightshift_app;--> statement-breakpoint
-- Order of texts in pages: numbers in a text by their value, letters regardless of case. A server without ICU sorts by bytes.
DO $$ BEGIN
  CREATE COLLATION nightshift.natural_order (provider = icu, locale = 'en-u-kn-true-ks-level2', deterministic = false);
EXCEPTION WHEN feature_not_supported OR undefined_object OR invalid_parameter_value THEN
  CREATE COLLATION nightshift.natural_order FROM "C";
END $$;
