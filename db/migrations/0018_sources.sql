-- It shows a column whose type changes, and is made again in 0019.
DROP VIEW reports.source_calls;
--> statement-breakpoint
CREATE TABLE "nightshift"."installation" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."company_mapping_changes" (
	"account_id" bigint NOT NULL,
	"company_key" text NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "company_mapping_changes_account_id_company_key_pk" PRIMARY KEY("account_id","company_key")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."raw_replies" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"body" "bytea" NOT NULL,
	"kept_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."source_prices" (
	"source" text NOT NULL,
	"effective_from" timestamp with time zone NOT NULL,
	"amount" numeric NOT NULL,
	"currency" text NOT NULL,
	"unit" text NOT NULL,
	"note" text,
	CONSTRAINT "source_prices_source_effective_from_pk" PRIMARY KEY("source","effective_from")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."source_smokes" (
	"source" text PRIMARY KEY NOT NULL,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"outcome" text NOT NULL,
	"missing" text[] NOT NULL,
	"added" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."source_states" (
	"bucket" text PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"recent" text DEFAULT '' NOT NULL,
	"failing_since" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"pauses" smallint DEFAULT 0 NOT NULL,
	"paused_until" timestamp with time zone,
	"pause_reason" text,
	"pause_kind" text,
	"trial_until" timestamp with time zone,
	"day" date,
	"day_calls" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "nightshift"."source_calls" ALTER COLUMN "source_charge" SET DATA TYPE numeric USING source_charge::numeric;--> statement-breakpoint
ALTER TABLE "nightshift"."lookup_ads" ADD COLUMN "relation" text;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "wait_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "wait_kind" text;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "search" jsonb;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "asked" jsonb;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "partial" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "truncated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "estimate_low" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "estimate_high" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "observed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "repeats" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "rereads" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "search" jsonb;--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD COLUMN "split_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nightshift"."source_buckets" ADD COLUMN "learned_us" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."source_buckets" ADD COLUMN "learned_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nightshift"."source_calls" ADD COLUMN "bucket" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."source_calls" ADD COLUMN "about" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."source_calls" ADD COLUMN "units" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."source_calls" ADD COLUMN "reply_hash" "bytea";--> statement-breakpoint
CREATE INDEX "raw_replies_by_age" ON "nightshift"."raw_replies" USING btree ("kept_at");--> statement-breakpoint
CREATE INDEX "source_calls_in_flight" ON "nightshift"."source_calls" USING btree ("bucket","sent_at") WHERE "nightshift"."source_calls"."answered_at" IS NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."lookup_ads" ADD CONSTRAINT "lookup_ads_relation" CHECK ("nightshift"."lookup_ads"."relation" IN ('third_party', 'unknown'));