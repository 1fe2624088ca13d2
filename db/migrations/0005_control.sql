ALTER TABLE "nightshift"."chunks" DROP CONSTRAINT "chunks_state";--> statement-breakpoint
DROP INDEX "nightshift"."chunks_open";--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "chunks_cut" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "limit_rows" integer;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "limit_lookup_id" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "max_credits_micro" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "retried" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD COLUMN "position" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "chunks_open" ON "nightshift"."chunks" USING btree ("state","id") WHERE "nightshift"."chunks"."state" <> 'done';--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD CONSTRAINT "batches_bounds" CHECK ("nightshift"."batches"."limit_rows" > 0 AND "nightshift"."batches"."max_credits_micro" >= 0 AND "nightshift"."batches"."retried" >= 0);--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD CONSTRAINT "chunks_state" CHECK ("nightshift"."chunks"."state" IN ('queued', 'running', 'parked', 'done'));