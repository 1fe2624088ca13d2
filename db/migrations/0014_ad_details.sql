CREATE TABLE "nightshift"."ad_details" (
	"ad_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL,
	"as_of" date NOT NULL,
	"days_not_shown" integer,
	"times_shown_lower" bigint,
	"times_shown_upper" bigint,
	"source" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"is_grant_funded" boolean,
	"topic" text,
	"payer" text,
	"target_domain" text,
	"preview_url" text,
	"legal_name" text,
	"location" text,
	"verification" text,
	"targeting" text[],
	"regions" jsonb,
	CONSTRAINT "ad_details_ad_id_source_account_id_recorded_at_pk" PRIMARY KEY("ad_id","source","account_id","recorded_at")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."removed_ads" (
	"recorded_at" timestamp with time zone NOT NULL,
	"as_of" date NOT NULL,
	"advertiser_id" text NOT NULL,
	"creative_id" text NOT NULL,
	"source" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"targeting" text[],
	"regions" jsonb,
	"disapprovals" jsonb NOT NULL,
	CONSTRAINT "removed_ads_advertiser_id_creative_id_source_recorded_at_pk" PRIMARY KEY("advertiser_id","creative_id","source","recorded_at")
);
--> statement-breakpoint
ALTER TABLE "nightshift"."snapshots" ADD COLUMN "as_of" date;--> statement-breakpoint
ALTER TABLE "nightshift"."snapshots" ADD COLUMN "has_regions" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."snapshots" ADD COLUMN "has_surfaces" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
GRANT SELECT, INSERT ON nightshift.ad_details, nightshift.removed_ads TO nightshift_app;
