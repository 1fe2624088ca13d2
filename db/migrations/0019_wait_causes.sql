ALTER TABLE "nightshift"."batches" ADD COLUMN "wait_cause" text;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "wait_bound" text;--> statement-breakpoint
ALTER TABLE "nightshift"."source_states" ADD COLUMN "throttled_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nightshift"."source_states" ADD COLUMN "throttle_cause" text;--> statement-breakpoint
ALTER TABLE "nightshift"."source_states" ADD COLUMN "throttle_bound" text;--> statement-breakpoint
ALTER TABLE "nightshift"."source_states" ADD COLUMN "throttle_reason" text;--> statement-breakpoint
DROP FUNCTION IF EXISTS nightshift.fit_spending(nightshift.source_states, bigint[], numeric[], numeric, text, bigint, timestamptz);--> statement-breakpoint
DROP FUNCTION IF EXISTS nightshift.admit_calls(text, text, integer, integer, integer, bigint, bigint, bigint[], numeric[], numeric, text);
