CREATE TABLE "nightshift"."advertiser_candidates" (
	"account_id" bigint NOT NULL,
	"company_key" text NOT NULL,
	"advertiser_id" text NOT NULL,
	"name" text,
	"legal_name" text,
	"location" text,
	"verification" text,
	"ads_count" integer,
	"confidence_percent" smallint NOT NULL,
	"reasons" text[] NOT NULL,
	"source" text NOT NULL,
	"first_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lookup_id" bigint NOT NULL,
	CONSTRAINT "advertiser_candidates_account_id_company_key_advertiser_id_pk" PRIMARY KEY("account_id","company_key","advertiser_id"),
	CONSTRAINT "advertiser_candidates_confidence" CHECK ("nightshift"."advertiser_candidates"."confidence_percent" BETWEEN 1 AND 99)
);
--> statement-breakpoint
CREATE INDEX "advertiser_candidates_by_confidence" ON "nightshift"."advertiser_candidates" USING btree ("account_id","confidence_percent" DESC NULLS FIRST,"company_key","advertiser_id");--> statement-breakpoint
CREATE INDEX "advertiser_candidates_by_lookup" ON "nightshift"."advertiser_candidates" USING btree ("lookup_id");--> statement-breakpoint
-- Only a purge and an erasure delete candidates.
GRANT SELECT, INSERT, UPDATE ON nightshift.advertiser_candidates TO nightshift_app;
