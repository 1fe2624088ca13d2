ALTER TABLE "nightshift"."batches" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "origin" text;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "created_by" text;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "run_of" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "archived_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "batches_by_content" ON "nightshift"."batches" USING btree ("account_id","content_sha256");--> statement-breakpoint
CREATE INDEX "batches_deleted" ON "nightshift"."batches" USING btree ("id") WHERE "nightshift"."batches"."deleted_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD CONSTRAINT "batches_origin" CHECK ("nightshift"."batches"."origin" IN ('upload', 'api', 'cli', 'schedule', 'inbox', 'run_again'));--> statement-breakpoint
-- Older batches: the author is in the timeline, unless it was purged; scans and files of inboxes name their batch.
UPDATE nightshift.batches b SET created_by = e.actor
  FROM nightshift.batch_events e WHERE e.batch_id = b.id AND e.event = 'created' AND e.actor IS NOT NULL;--> statement-breakpoint
UPDATE nightshift.batches b SET origin = CASE
    WHEN EXISTS (SELECT FROM nightshift.scans s WHERE s.batch_id = b.id) THEN 'schedule'
    WHEN EXISTS (SELECT FROM nightshift.inbox_files f WHERE f.batch_id = b.id) THEN 'inbox'
    WHEN b.created_by = 'cli' THEN 'cli'
    WHEN b.created_by LIKE 'usr\_%' THEN 'upload'
    WHEN b.created_by LIKE 'key\_%' THEN 'api' END;
