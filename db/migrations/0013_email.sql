CREATE TABLE "nightshift"."email_results" (
	"lookup_id" bigint PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"sub_status" text,
	"recommendation" text NOT NULL,
	"verification_level" text NOT NULL,
	"reasons" text[] NOT NULL,
	"normalised_email" text,
	"canonical_email" text,
	"did_you_mean" text,
	"ascii_domain" text,
	"registrable_domain" text,
	"is_disposable" boolean NOT NULL,
	"is_privacy_relay" boolean NOT NULL,
	"is_role" boolean NOT NULL,
	"is_free" boolean NOT NULL,
	"requires_smtputf8" boolean NOT NULL,
	"is_catch_all" boolean,
	"mx_record" text,
	"mx_provider" text,
	"mx_security_gateway" boolean,
	"implicit_mx" boolean,
	"has_spf" boolean,
	"has_dmarc" boolean,
	"smtp_host" text,
	"smtp_code" integer,
	"smtp_enhanced_code" text,
	"catch_all_probe" text,
	"probe_attempts" smallint,
	"checked_at" timestamp with time zone NOT NULL,
	"retry_at" timestamp with time zone,
	CONSTRAINT "email_results_status" CHECK ("nightshift"."email_results"."status" IN ('valid', 'invalid', 'catch_all', 'unknown')),
	CONSTRAINT "email_results_recommendation" CHECK ("nightshift"."email_results"."recommendation" IN ('send', 'review', 'do_not_send')),
	CONSTRAINT "email_results_level" CHECK ("nightshift"."email_results"."verification_level" IN ('syntax', 'domain', 'mailbox'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."mail_domains" (
	"domain" text PRIMARY KEY NOT NULL,
	"route" jsonb NOT NULL,
	"has_spf" boolean,
	"has_dmarc" boolean,
	"checked_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "nightshift"."batch_rows" DROP CONSTRAINT "batch_rows_one_fate";--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" DROP CONSTRAINT "chunks_counts";--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" DROP CONSTRAINT "lookups_charge_is_for_ads";--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" DROP CONSTRAINT "lookups_outcome";--> statement-breakpoint
ALTER TABLE "nightshift"."batch_rows" ADD COLUMN "email_lookup_id" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."batch_rows" ADD COLUMN "email_is_first" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "email_lookups_total" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "emails_dispatched_to" bigint DEFAULT 9223372036854775807 NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD COLUMN "operation" text DEFAULT 'ads_search' NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD COLUMN "valid" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD COLUMN "invalid" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD COLUMN "catch_all" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD COLUMN "unknown" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "nightshift"."batch_rows" ADD CONSTRAINT "batch_rows_one_fate" CHECK ((num_nonnulls("nightshift"."batch_rows"."ads_lookup_id", "nightshift"."batch_rows"."email_lookup_id") = 0) = ("nightshift"."batch_rows"."reject_reason" IS NOT NULL));--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD CONSTRAINT "chunks_operation" CHECK ("nightshift"."chunks"."operation" IN ('ads_search', 'email_validation'));--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD CONSTRAINT "chunks_counts" CHECK ("nightshift"."chunks"."found" + "nightshift"."chunks"."none" + "nightshift"."chunks"."no_match" + "nightshift"."chunks"."valid" + "nightshift"."chunks"."invalid" + "nightshift"."chunks"."catch_all"
        + "nightshift"."chunks"."unknown" + "nightshift"."chunks"."failed" + "nightshift"."chunks"."cancelled" + "nightshift"."chunks"."moved_on" <= "nightshift"."chunks"."lookups");--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD CONSTRAINT "lookups_charge_is_for_a_result" CHECK ("nightshift"."lookups"."charged_micro" = 0 OR "nightshift"."lookups"."outcome" IN ('found', 'completed'));--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD CONSTRAINT "lookups_outcome" CHECK ("nightshift"."lookups"."outcome" IN ('failed', 'cancelled') OR CASE "nightshift"."lookups"."operation"
        WHEN 'ads_search' THEN "nightshift"."lookups"."outcome" IN ('found', 'none', 'no_match') ELSE "nightshift"."lookups"."outcome" = 'completed' END);