-- The states of ads become rows that may refer to their company; a view of the old name follows (`db/sql/changes.sql`). What exists stays as it
-- is: the next scan of a company reads all its ads once.
ALTER TABLE nightshift.tracked_ads RENAME TO tracked_ad_rows;
--> statement-breakpoint
ALTER TABLE nightshift.tracked_ad_rows RENAME CONSTRAINT tracked_ads_schedule_id_company_key_ad_id_pk
  TO tracked_ad_rows_schedule_id_company_key_ad_id_pk;
--> statement-breakpoint
ALTER TABLE "nightshift"."tracked_ad_rows" ALTER COLUMN "last_scan_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."tracked_ad_rows" ALTER COLUMN "day" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."tracked_companies" ADD COLUMN "seen_scan_id" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."tracked_companies" ADD COLUMN "seen_day" date;--> statement-breakpoint
ALTER TABLE "nightshift"."tracked_companies" ADD COLUMN "seen_newest_day" date;--> statement-breakpoint
ALTER TABLE "nightshift"."tracked_companies" ADD COLUMN "seen_fresh_from" date;--> statement-breakpoint
ALTER TABLE "nightshift"."tracked_companies" ADD COLUMN "seen_answer_id" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."tracked_companies" ADD COLUMN "seen_ads" integer;--> statement-breakpoint
CREATE INDEX "tracked_ad_rows_unseen" ON "nightshift"."tracked_ad_rows" USING btree ("schedule_id","company_key") WHERE "nightshift"."tracked_ad_rows"."is_active" AND "nightshift"."tracked_ad_rows"."last_scan_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."tracked_ad_rows" ADD CONSTRAINT "tracked_ad_rows_carried" CHECK (("nightshift"."tracked_ad_rows"."last_scan_id" IS NULL) = ("nightshift"."tracked_ad_rows"."day" IS NULL));--> statement-breakpoint
ALTER TABLE "nightshift"."tracked_ad_rows" ADD CONSTRAINT "tracked_ad_rows_last_seen" CHECK ("nightshift"."tracked_ad_rows"."last_scan_id" IS NULL OR "nightshift"."tracked_ad_rows"."last_seen" <> 'infinity');
