CREATE SCHEMA IF NOT EXISTS "nightshift";
--> statement-breakpoint
CREATE TABLE "nightshift"."accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_name_unique" UNIQUE("name"),
	CONSTRAINT "accounts_name_length" CHECK (length("nightshift"."accounts"."name") BETWEEN 1 AND 200)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."ad_variants" (
	"version_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"content" text NOT NULL,
	"height" integer,
	"width" integer,
	CONSTRAINT "ad_variants_version_id_position_pk" PRIMARY KEY("version_id","position")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."ad_versions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."ad_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ad_id" bigint NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"advertiser_name" text,
	"format" text,
	"original_url" text,
	"headline" text,
	"description" text,
	"display_url" text,
	"final_url" text,
	"ad_type" text,
	"variants_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "ad_versions_content" UNIQUE("ad_id","content_hash")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."ads" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."ads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"advertiser_id" text,
	"creative_id" text,
	"text_hash" "bytea",
	CONSTRAINT "ads_text_hash_unique" UNIQUE("text_hash"),
	CONSTRAINT "ads_identity" UNIQUE("advertiser_id","creative_id"),
	CONSTRAINT "ads_one_identity" CHECK (num_nonnulls("nightshift"."ads"."advertiser_id", "nightshift"."ads"."creative_id") = CASE WHEN "nightshift"."ads"."text_hash" IS NULL THEN 2 ELSE 0 END)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."advertiser_names" (
	"snapshot_id" integer NOT NULL,
	"name_key" text NOT NULL,
	"advertiser_key" bigint NOT NULL,
	CONSTRAINT "advertiser_names_name_key_snapshot_id_advertiser_key_pk" PRIMARY KEY("name_key","snapshot_id","advertiser_key")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."advertisers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."advertisers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"snapshot_id" integer NOT NULL,
	"advertiser_id" text NOT NULL,
	"disclosed_name" text,
	"legal_name" text,
	"location" text,
	"names_seen" date,
	CONSTRAINT "advertisers_identity" UNIQUE("snapshot_id","advertiser_id")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."company_advertisers" (
	"account_id" bigint NOT NULL,
	"company_key" text NOT NULL,
	"advertiser_id" text NOT NULL,
	"role" text NOT NULL,
	"note" text,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "company_advertisers_account_id_company_key_advertiser_id_pk" PRIMARY KEY("account_id","company_key","advertiser_id"),
	CONSTRAINT "company_advertisers_role" CHECK ("nightshift"."company_advertisers"."role" IN ('allow', 'deny', 'agency'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."lookup_ads" (
	"lookup_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"version_id" bigint NOT NULL,
	"start" date,
	"last_seen" date,
	CONSTRAINT "lookup_ads_lookup_id_position_pk" PRIMARY KEY("lookup_id","position")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."snapshot_ads" (
	"advertiser_key" bigint NOT NULL,
	"ad_id" bigint NOT NULL,
	"version_id" bigint NOT NULL,
	"start" date,
	"last_seen" date,
	CONSTRAINT "snapshot_ads_advertiser_key_ad_id_pk" PRIMARY KEY("advertiser_key","ad_id")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."snapshots" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."snapshots_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"is_generated" boolean NOT NULL,
	"loaded_at" timestamp with time zone,
	CONSTRAINT "snapshots_name_unique" UNIQUE("name"),
	CONSTRAINT "snapshots_name" CHECK ("nightshift"."snapshots"."name" IN ('snapshot', 'sample'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."batch_rows" (
	"batch_id" bigint NOT NULL,
	"row_no" integer NOT NULL,
	"line_no" integer NOT NULL,
	"cells" text[] NOT NULL,
	"ads_lookup_id" bigint,
	"is_first" boolean DEFAULT false NOT NULL,
	"reject_reason" text,
	"warning" text,
	CONSTRAINT "batch_rows_batch_id_row_no_pk" PRIMARY KEY("batch_id","row_no"),
	CONSTRAINT "batch_rows_one_fate" CHECK (("nightshift"."batch_rows"."ads_lookup_id" IS NULL) = ("nightshift"."batch_rows"."reject_reason" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."batches" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."batches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"file_name" text NOT NULL,
	"state" text DEFAULT 'loading' NOT NULL,
	"state_reason" text,
	"state_since" timestamp with time zone DEFAULT now() NOT NULL,
	"identity" "bytea" NOT NULL,
	"is_current" boolean DEFAULT true NOT NULL,
	"content_sha256" "bytea" NOT NULL,
	"operations" text[] NOT NULL,
	"header" text[] NOT NULL,
	"column_map" jsonb NOT NULL,
	"sources" text[] NOT NULL,
	"rows_total" integer DEFAULT 0 NOT NULL,
	"rows_rejected" integer DEFAULT 0 NOT NULL,
	"extra_cells" integer DEFAULT 0 NOT NULL,
	"lookups_total" integer DEFAULT 0 NOT NULL,
	"last_lookup_id" bigint DEFAULT 0 NOT NULL,
	"dispatched_to" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"loaded_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	CONSTRAINT "batches_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "batches_state" CHECK ("nightshift"."batches"."state" IN ('loading', 'running', 'paused', 'waiting_for_credits', 'waiting_for_source', 'finished', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."credit_balances" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"balance_micro" bigint DEFAULT 0 NOT NULL,
	"held_micro" bigint DEFAULT 0 NOT NULL,
	"last_seq" bigint DEFAULT 0 NOT NULL,
	"last_hash" "bytea" DEFAULT '\x'::bytea NOT NULL,
	CONSTRAINT "credit_balances_not_negative" CHECK ("nightshift"."credit_balances"."balance_micro" >= 0 AND "nightshift"."credit_balances"."held_micro" >= 0)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."ledger_blocks" (
	"account_id" bigint NOT NULL,
	"to_seq" bigint NOT NULL,
	"from_seq" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "ledger_blocks_account_id_to_seq_pk" PRIMARY KEY("account_id","to_seq"),
	CONSTRAINT "ledger_blocks_range" CHECK ("nightshift"."ledger_blocks"."from_seq" <= "nightshift"."ledger_blocks"."to_seq")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."ledger_entries" (
	"account_id" bigint NOT NULL,
	"seq" bigint NOT NULL,
	"kind" text NOT NULL,
	"lookup_id" bigint,
	"attempt" smallint,
	"phase" smallint,
	"balance_delta_micro" bigint NOT NULL,
	"held_delta_micro" bigint NOT NULL,
	"balance_after_micro" bigint NOT NULL,
	"held_after_micro" bigint NOT NULL,
	"grant_key" text,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_entries_account_id_seq_pk" PRIMARY KEY("account_id","seq"),
	CONSTRAINT "ledger_entries_once" UNIQUE("account_id","lookup_id","attempt","phase"),
	CONSTRAINT "ledger_entries_not_negative" CHECK ("nightshift"."ledger_entries"."balance_after_micro" >= 0 AND "nightshift"."ledger_entries"."held_after_micro" >= 0),
	CONSTRAINT "ledger_entries_shape" CHECK (CASE "nightshift"."ledger_entries"."kind"
        WHEN 'grant' THEN "nightshift"."ledger_entries"."lookup_id" IS NULL AND "nightshift"."ledger_entries"."balance_delta_micro" > 0 AND "nightshift"."ledger_entries"."held_delta_micro" = 0
        WHEN 'reserve' THEN "nightshift"."ledger_entries"."lookup_id" IS NOT NULL AND "nightshift"."ledger_entries"."attempt" IS NOT NULL AND "nightshift"."ledger_entries"."phase" = 0
          AND "nightshift"."ledger_entries"."held_delta_micro" > 0 AND "nightshift"."ledger_entries"."balance_delta_micro" = -"nightshift"."ledger_entries"."held_delta_micro"
        WHEN 'settle' THEN "nightshift"."ledger_entries"."lookup_id" IS NOT NULL AND "nightshift"."ledger_entries"."attempt" IS NOT NULL AND "nightshift"."ledger_entries"."phase" = 1
          AND "nightshift"."ledger_entries"."held_delta_micro" < 0 AND "nightshift"."ledger_entries"."balance_delta_micro" >= 0
          AND "nightshift"."ledger_entries"."balance_delta_micro" < -"nightshift"."ledger_entries"."held_delta_micro"
        WHEN 'release' THEN "nightshift"."ledger_entries"."lookup_id" IS NOT NULL AND "nightshift"."ledger_entries"."attempt" IS NOT NULL AND "nightshift"."ledger_entries"."phase" = 1
          AND "nightshift"."ledger_entries"."held_delta_micro" < 0 AND "nightshift"."ledger_entries"."balance_delta_micro" = -"nightshift"."ledger_entries"."held_delta_micro"
        ELSE false END)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."prices" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."prices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"operation" text NOT NULL,
	"amount_micro" bigint NOT NULL,
	"effective_from" timestamp with time zone DEFAULT now() NOT NULL,
	"note" text NOT NULL,
	CONSTRAINT "prices_once" UNIQUE("operation","effective_from"),
	CONSTRAINT "prices_not_negative" CHECK ("nightshift"."prices"."amount_micro" >= 0),
	CONSTRAINT "prices_operation" CHECK ("nightshift"."prices"."operation" IN ('ads_search', 'email_validation'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."chunks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."chunks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"batch_id" bigint,
	"first_lookup_id" bigint NOT NULL,
	"last_lookup_id" bigint NOT NULL,
	"state" text NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"starts" smallint DEFAULT 0 NOT NULL,
	"token" uuid,
	"lease_until" timestamp with time zone,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"queued_at" timestamp with time zone,
	"price_micro" bigint NOT NULL,
	"attempt" smallint DEFAULT 1 NOT NULL,
	"lookups" integer NOT NULL,
	"found" integer DEFAULT 0 NOT NULL,
	"none" integer DEFAULT 0 NOT NULL,
	"no_match" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"cancelled" integer DEFAULT 0 NOT NULL,
	"charged_micro" bigint DEFAULT 0 NOT NULL,
	"moved_on" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "chunks_state" CHECK ("nightshift"."chunks"."state" IN ('queued', 'running', 'done')),
	CONSTRAINT "chunks_claimed" CHECK (("nightshift"."chunks"."state" = 'running') = ("nightshift"."chunks"."token" IS NOT NULL)),
	CONSTRAINT "chunks_leased" CHECK (("nightshift"."chunks"."token" IS NULL) = ("nightshift"."chunks"."lease_until" IS NULL)),
	CONSTRAINT "chunks_counts" CHECK ("nightshift"."chunks"."found" + "nightshift"."chunks"."none" + "nightshift"."chunks"."no_match" + "nightshift"."chunks"."failed" + "nightshift"."chunks"."cancelled" + "nightshift"."chunks"."moved_on" <= "nightshift"."chunks"."lookups")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."lookups" (
	"id" bigint PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"batch_id" bigint,
	"request_id" text,
	"operation" text NOT NULL,
	"subject_key" text NOT NULL,
	"generation" smallint DEFAULT 1 NOT NULL,
	"company_domain" text,
	"company_name" text,
	"outcome" text,
	"reason" text,
	"source" text,
	"matched_by" text,
	"ads_count" integer DEFAULT 0 NOT NULL,
	"charged_micro" bigint DEFAULT 0 NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "lookups_request_id_unique" UNIQUE("request_id"),
	CONSTRAINT "lookups_one_per_subject" UNIQUE("batch_id","operation","subject_key","generation"),
	CONSTRAINT "lookups_one_owner" CHECK (num_nonnulls("nightshift"."lookups"."batch_id", "nightshift"."lookups"."request_id") = 1),
	CONSTRAINT "lookups_operation" CHECK ("nightshift"."lookups"."operation" IN ('ads_search', 'email_validation')),
	CONSTRAINT "lookups_outcome" CHECK ("nightshift"."lookups"."outcome" IN ('found', 'none', 'no_match', 'failed', 'cancelled')),
	CONSTRAINT "lookups_ended" CHECK (("nightshift"."lookups"."outcome" IS NULL) = ("nightshift"."lookups"."ended_at" IS NULL)),
	CONSTRAINT "lookups_found_has_ads" CHECK (("nightshift"."lookups"."outcome" IS NOT DISTINCT FROM 'found') = ("nightshift"."lookups"."ads_count" > 0)),
	CONSTRAINT "lookups_charge_is_for_ads" CHECK ("nightshift"."lookups"."charged_micro" = 0 OR "nightshift"."lookups"."outcome" = 'found'),
	CONSTRAINT "lookups_failure_has_reason" CHECK ("nightshift"."lookups"."outcome" <> 'failed' OR "nightshift"."lookups"."reason" IS NOT NULL)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."source_buckets" (
	"bucket" text PRIMARY KEY NOT NULL,
	"next_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."source_calls" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."source_calls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lookup_id" bigint NOT NULL,
	"source" text NOT NULL,
	"request_key" text NOT NULL,
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp with time zone,
	"answer" text,
	"source_charge" text
);
--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD CONSTRAINT "batches_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."credit_balances" ADD CONSTRAINT "credit_balances_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD CONSTRAINT "chunks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "advertiser_names_by_label" ON "nightshift"."advertiser_names" USING btree (replace("name_key", ' ', ''),"snapshot_id");--> statement-breakpoint
CREATE INDEX "advertiser_names_by_advertiser" ON "nightshift"."advertiser_names" USING btree ("advertiser_key");--> statement-breakpoint
CREATE UNIQUE INDEX "batches_same_file" ON "nightshift"."batches" USING btree ("account_id","identity") WHERE "nightshift"."batches"."is_current";--> statement-breakpoint
CREATE UNIQUE INDEX "batches_unfinished" ON "nightshift"."batches" USING btree ("id") WHERE "nightshift"."batches"."state" NOT IN ('finished', 'cancelled');--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_grant_once" ON "nightshift"."ledger_entries" USING btree ("account_id","grant_key") WHERE "nightshift"."ledger_entries"."grant_key" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "chunks_by_batch" ON "nightshift"."chunks" USING btree ("batch_id","id");--> statement-breakpoint
CREATE INDEX "chunks_open" ON "nightshift"."chunks" USING btree ("state","id") WHERE "nightshift"."chunks"."state" IN ('queued', 'running');--> statement-breakpoint
CREATE INDEX "source_calls_by_lookup" ON "nightshift"."source_calls" USING btree ("lookup_id");