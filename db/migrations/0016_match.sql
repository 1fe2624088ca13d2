CREATE TABLE "nightshift"."advertiser_matches" (
	"id" bigint PRIMARY KEY NOT NULL,
	"relation" text NOT NULL,
	"confidence_percent" smallint NOT NULL,
	"reasons" text[] NOT NULL,
	CONSTRAINT "advertiser_matches_relation" CHECK ("nightshift"."advertiser_matches"."relation" IN ('own', 'third_party', 'unknown')),
	CONSTRAINT "advertiser_matches_confidence" CHECK ("nightshift"."advertiser_matches"."confidence_percent" BETWEEN 1 AND 99)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."advertiser_words" (
	"word" integer NOT NULL,
	"snapshot_id" integer NOT NULL,
	"advertiser_key" bigint NOT NULL,
	CONSTRAINT "advertiser_words_word_snapshot_id_advertiser_key_pk" PRIMARY KEY("word","snapshot_id","advertiser_key")
);
--> statement-breakpoint
ALTER TABLE "nightshift"."snapshots" ADD COLUMN "words_version" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "matches" bigint[];--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "partial_reason" text;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "uncertain_advertisers" integer;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD CONSTRAINT "lookups_matches" CHECK (cardinality("nightshift"."lookups"."matches") IN (1, "nightshift"."lookups"."ads_count"));--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD CONSTRAINT "lookups_partial_reason" CHECK ("nightshift"."lookups"."partial_reason" IS NULL OR ("nightshift"."lookups"."partial"
        AND "nightshift"."lookups"."partial_reason" IN ('page_failed', 'uncertain_advertisers', 'too_many_advertisers')));--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD CONSTRAINT "lookups_uncertain_advertisers" CHECK ("nightshift"."lookups"."uncertain_advertisers" > 0);--> statement-breakpoint
GRANT SELECT, INSERT ON nightshift.advertiser_matches, nightshift.advertiser_words TO nightshift_app;
