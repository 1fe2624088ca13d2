CREATE TABLE "nightshift"."batch_spending" (
	"batch_id" bigint PRIMARY KEY NOT NULL,
	"amount" numeric NOT NULL,
	"currency" text NOT NULL,
	"spent" numeric DEFAULT '0' NOT NULL,
	CONSTRAINT "batch_spending_bounds" CHECK ("nightshift"."batch_spending"."amount" > 0 AND "nightshift"."batch_spending"."spent" >= 0)
);
--> statement-breakpoint
ALTER TABLE "nightshift"."source_states" ADD COLUMN "spent_day" date;--> statement-breakpoint
ALTER TABLE "nightshift"."source_states" ADD COLUMN "day_spent" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."batch_spending" ADD CONSTRAINT "batch_spending_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "nightshift"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.batch_spending TO nightshift_app;--> statement-breakpoint
DROP FUNCTION IF EXISTS nightshift.admit_calls(text, text, integer, integer, integer, bigint, bigint);--> statement-breakpoint
DROP FUNCTION IF EXISTS nightshift.record_results(text[], integer[], boolean[], bigint[], integer);
