-- Roles belong to the server, so each is created only if it is missing; a concurrent migration of another database may create it first. The
-- launcher of the private server creates them with passwords beforehand.
DO $$
DECLARE
  v_role text;
BEGIN
  FOREACH v_role IN ARRAY ARRAY['nightshift_app', 'nightshift_reader'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', v_role);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
    -- The migrating role needs the membership for SET ROLE, unless it is a superuser.
    IF NOT pg_has_role(current_user, v_role, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', v_role);
    END IF;
  END LOOP;
END $$;
--> statement-breakpoint
-- The group of account logins. It has no login, is a member of no role, and can read the views of account_reports only. The launcher of the
-- private server creates it beforehand.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'nightshift_account') THEN
    BEGIN
      CREATE ROLE nightshift_account NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
END $$;
--> statement-breakpoint
CREATE SCHEMA IF NOT EXISTS "nightshift";
--> statement-breakpoint
CREATE TABLE "nightshift"."api_keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"name" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"hint" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"created_by" text,
	CONSTRAINT "api_keys_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "api_keys_digest_unique" UNIQUE("digest"),
	CONSTRAINT "api_keys_name_length" CHECK (length("nightshift"."api_keys"."name") BETWEEN 1 AND 200),
	CONSTRAINT "api_keys_digest_length" CHECK (length("nightshift"."api_keys"."digest") = 32)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"account_id" bigint,
	"event" text NOT NULL,
	"key_id" text,
	"actor" text NOT NULL,
	"address" text,
	"details" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."idempotency_keys" (
	"account_id" bigint NOT NULL,
	"key" text NOT NULL,
	"request_id" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"token" uuid,
	"lease_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"status" integer,
	"headers" jsonb,
	"body" "bytea",
	CONSTRAINT "idempotency_keys_account_id_key_pk" PRIMARY KEY("account_id","key"),
	CONSTRAINT "idempotency_keys_key_length" CHECK (length("nightshift"."idempotency_keys"."key") BETWEEN 1 AND 255),
	CONSTRAINT "idempotency_keys_state" CHECK (CASE WHEN "nightshift"."idempotency_keys"."token" IS NULL THEN "nightshift"."idempotency_keys"."lease_until" IS NULL AND "nightshift"."idempotency_keys"."status" BETWEEN 200 AND 299
        AND "nightshift"."idempotency_keys"."body" IS NOT NULL AND "nightshift"."idempotency_keys"."headers" IS NOT NULL
        ELSE "nightshift"."idempotency_keys"."lease_until" IS NOT NULL AND "nightshift"."idempotency_keys"."status" IS NULL AND "nightshift"."idempotency_keys"."body" IS NULL END)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."account_limits" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"requests_per_minute" integer,
	"open_lookups" integer,
	"rows_per_batch" integer,
	CONSTRAINT "account_limits_positive" CHECK (least("nightshift"."account_limits"."requests_per_minute", "nightshift"."account_limits"."open_lookups", "nightshift"."account_limits"."rows_per_batch") > 0)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."account_logins" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"role_name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_logins_role_name_unique" UNIQUE("role_name")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_name_unique" UNIQUE("name"),
	CONSTRAINT "accounts_name_length" CHECK (length("nightshift"."accounts"."name") BETWEEN 1 AND 200)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."installation" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL
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
CREATE TABLE "nightshift"."company_mapping_changes" (
	"account_id" bigint NOT NULL,
	"company_key" text NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "company_mapping_changes_account_id_company_key_pk" PRIMARY KEY("account_id","company_key")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."lookup_ads" (
	"lookup_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"version_id" bigint NOT NULL,
	"start" date,
	"last_seen" date,
	"relation" text,
	CONSTRAINT "lookup_ads_lookup_id_position_pk" PRIMARY KEY("lookup_id","position"),
	CONSTRAINT "lookup_ads_relation" CHECK ("nightshift"."lookup_ads"."relation" IN ('third_party', 'unknown'))
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
CREATE TABLE "nightshift"."batch_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."batch_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"batch_id" bigint NOT NULL,
	"event" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"reason" text,
	"wait_kind" text,
	"actor" text,
	"retried" integer,
	"times" integer DEFAULT 1 NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "batch_events_event" CHECK ("nightshift"."batch_events"."event" IN ('created', 'loaded', 'paused', 'resumed', 'waiting_for_credits', 'waiting_for_source', 'retried', 'finished', 'cancelled')),
	CONSTRAINT "batch_events_times" CHECK ("nightshift"."batch_events"."times" > 0)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."batch_rows" (
	"batch_id" bigint NOT NULL,
	"row_no" integer NOT NULL,
	"line_no" integer NOT NULL,
	"cells" text[] NOT NULL,
	"ads_lookup_id" bigint,
	"is_first" boolean DEFAULT false NOT NULL,
	"email_lookup_id" bigint,
	"email_is_first" boolean DEFAULT false NOT NULL,
	"reject_reason" text,
	"warning" text,
	CONSTRAINT "batch_rows_batch_id_row_no_pk" PRIMARY KEY("batch_id","row_no"),
	CONSTRAINT "batch_rows_lookup_or_rejection" CHECK ((num_nonnulls("nightshift"."batch_rows"."ads_lookup_id", "nightshift"."batch_rows"."email_lookup_id") = 0) = ("nightshift"."batch_rows"."reject_reason" IS NOT NULL))
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
	"wait_until" timestamp with time zone,
	"wait_kind" text,
	"identity" "bytea" NOT NULL,
	"is_current" boolean DEFAULT true NOT NULL,
	"content_sha256" "bytea" NOT NULL,
	"operations" text[] NOT NULL,
	"header" text[] NOT NULL,
	"column_map" jsonb NOT NULL,
	"sources" text[] NOT NULL,
	"search" jsonb,
	"rows_total" integer DEFAULT 0 NOT NULL,
	"rows_rejected" integer DEFAULT 0 NOT NULL,
	"extra_cells" integer DEFAULT 0 NOT NULL,
	"lookups_total" integer DEFAULT 0 NOT NULL,
	"last_lookup_id" bigint DEFAULT 0 NOT NULL,
	"email_lookups_total" integer DEFAULT 0 NOT NULL,
	"dispatched_to" bigint DEFAULT 0 NOT NULL,
	"emails_dispatched_to" bigint DEFAULT 9223372036854775807 NOT NULL,
	"chunks_cut" integer DEFAULT 0 NOT NULL,
	"limit_rows" integer,
	"limit_lookup_id" bigint,
	"max_credits_micro" bigint,
	"retried" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"loaded_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"purged_at" timestamp with time zone,
	CONSTRAINT "batches_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "batches_bounds" CHECK ("nightshift"."batches"."limit_rows" > 0 AND "nightshift"."batches"."max_credits_micro" >= 0 AND "nightshift"."batches"."retried" >= 0),
	CONSTRAINT "batches_state" CHECK ("nightshift"."batches"."state" IN ('loading', 'running', 'paused', 'waiting_for_credits', 'waiting_for_source', 'finished', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."credit_balances" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"balance_micro" bigint DEFAULT 0 NOT NULL,
	"held_micro" bigint DEFAULT 0 NOT NULL,
	"low_micro" bigint DEFAULT 100000000 NOT NULL,
	"last_seq" bigint DEFAULT 0 NOT NULL,
	"last_hash" "bytea" DEFAULT '\x'::bytea NOT NULL,
	CONSTRAINT "credit_balances_not_negative" CHECK ("nightshift"."credit_balances"."balance_micro" >= 0 AND "nightshift"."credit_balances"."held_micro" >= 0),
	CONSTRAINT "credit_balances_low" CHECK ("nightshift"."credit_balances"."low_micro" >= 0)
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
CREATE TABLE "nightshift"."figures" (
	"batch_id" bigint,
	"schedule_id" bigint,
	"form" smallint NOT NULL,
	"state" text NOT NULL,
	"figures" jsonb NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"took_ms" integer NOT NULL,
	CONSTRAINT "figures_of_batch" UNIQUE("batch_id"),
	CONSTRAINT "figures_of_schedule" UNIQUE("schedule_id"),
	CONSTRAINT "figures_one_subject" CHECK (num_nonnulls("nightshift"."figures"."batch_id", "nightshift"."figures"."schedule_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."chunks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."chunks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"batch_id" bigint,
	"operation" text DEFAULT 'ads_search' NOT NULL,
	"first_lookup_id" bigint NOT NULL,
	"last_lookup_id" bigint NOT NULL,
	"state" text NOT NULL,
	"position" integer DEFAULT 1 NOT NULL,
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
	"valid" integer DEFAULT 0 NOT NULL,
	"invalid" integer DEFAULT 0 NOT NULL,
	"catch_all" integer DEFAULT 0 NOT NULL,
	"unknown" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"cancelled" integer DEFAULT 0 NOT NULL,
	"charged_micro" bigint DEFAULT 0 NOT NULL,
	"moved_on" integer DEFAULT 0 NOT NULL,
	"split_at" timestamp with time zone,
	"first_ended_at" timestamp with time zone,
	"last_ended_at" timestamp with time zone,
	CONSTRAINT "chunks_operation" CHECK ("nightshift"."chunks"."operation" IN ('ads_search', 'email_validation')),
	CONSTRAINT "chunks_state" CHECK ("nightshift"."chunks"."state" IN ('queued', 'running', 'parked', 'done')),
	CONSTRAINT "chunks_claimed" CHECK (("nightshift"."chunks"."state" = 'running') = ("nightshift"."chunks"."token" IS NOT NULL)),
	CONSTRAINT "chunks_leased" CHECK (("nightshift"."chunks"."token" IS NULL) = ("nightshift"."chunks"."lease_until" IS NULL)),
	CONSTRAINT "chunks_counts" CHECK ("nightshift"."chunks"."found" + "nightshift"."chunks"."none" + "nightshift"."chunks"."no_match" + "nightshift"."chunks"."valid" + "nightshift"."chunks"."invalid" + "nightshift"."chunks"."catch_all"
        + "nightshift"."chunks"."unknown" + "nightshift"."chunks"."failed" + "nightshift"."chunks"."cancelled" + "nightshift"."chunks"."moved_on" <= "nightshift"."chunks"."lookups")
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
	"email" text,
	"outcome" text,
	"reason" text,
	"source" text,
	"matched_by" text,
	"ads_count" integer DEFAULT 0 NOT NULL,
	"charged_micro" bigint DEFAULT 0 NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"ended_at" timestamp with time zone,
	"source_results" jsonb,
	"partial" boolean DEFAULT false NOT NULL,
	"truncated" boolean DEFAULT false NOT NULL,
	"estimate_low" bigint,
	"estimate_high" bigint,
	"observed_at" timestamp with time zone,
	"repeats" bigint,
	"reparses" bigint,
	"search" jsonb,
	"purged_at" timestamp with time zone,
	CONSTRAINT "lookups_one_per_subject" UNIQUE("batch_id","operation","subject_key","generation"),
	CONSTRAINT "lookups_one_owner" CHECK (num_nonnulls("nightshift"."lookups"."batch_id", "nightshift"."lookups"."request_id") = 1),
	CONSTRAINT "lookups_operation" CHECK ("nightshift"."lookups"."operation" IN ('ads_search', 'email_validation')),
	CONSTRAINT "lookups_outcome" CHECK ("nightshift"."lookups"."outcome" IN ('failed', 'cancelled') OR CASE "nightshift"."lookups"."operation"
        WHEN 'ads_search' THEN "nightshift"."lookups"."outcome" IN ('found', 'none', 'no_match') ELSE "nightshift"."lookups"."outcome" = 'completed' END),
	CONSTRAINT "lookups_ended" CHECK (("nightshift"."lookups"."outcome" IS NULL) = ("nightshift"."lookups"."ended_at" IS NULL)),
	CONSTRAINT "lookups_found_has_ads" CHECK (("nightshift"."lookups"."outcome" IS NOT DISTINCT FROM 'found') = ("nightshift"."lookups"."ads_count" > 0)),
	CONSTRAINT "lookups_charge_is_for_a_result" CHECK ("nightshift"."lookups"."charged_micro" = 0 OR "nightshift"."lookups"."outcome" IN ('found', 'completed')),
	CONSTRAINT "lookups_failure_has_reason" CHECK ("nightshift"."lookups"."outcome" <> 'failed' OR "nightshift"."lookups"."reason" IS NOT NULL)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."raw_responses" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"body" "bytea" NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."source_buckets" (
	"bucket" text PRIMARY KEY NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"learned_us" bigint DEFAULT 0 NOT NULL,
	"learned_until" timestamp with time zone
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
	"source_charge" numeric,
	"bucket" text DEFAULT '' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"units" numeric DEFAULT '0' NOT NULL,
	"response_hash" "bytea"
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
	"probe_until" timestamp with time zone,
	"refusals" smallint DEFAULT 0 NOT NULL,
	"refusal" text,
	"day" date,
	"day_calls" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"event" text NOT NULL,
	"subject" text NOT NULL,
	"payload" jsonb NOT NULL,
	"for_webhooks" bigint[],
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"purged_at" timestamp with time zone,
	CONSTRAINT "events_public_id_unique" UNIQUE("public_id")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."webhook_deliveries" (
	"event_id" bigint NOT NULL,
	"webhook_id" bigint NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_until" timestamp with time zone,
	"tried_at" timestamp with time zone,
	"last_status" integer,
	"last_error" text,
	"delivered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_event_id_webhook_id_pk" PRIMARY KEY("event_id","webhook_id"),
	CONSTRAINT "webhook_deliveries_state" CHECK ("nightshift"."webhook_deliveries"."state" IN ('pending', 'delivered', 'dead')),
	CONSTRAINT "webhook_deliveries_time" CHECK (("nightshift"."webhook_deliveries"."state" = 'delivered') = ("nightshift"."webhook_deliveries"."delivered_at" IS NOT NULL)),
	CONSTRAINT "webhook_deliveries_lease" CHECK ("nightshift"."webhook_deliveries"."state" = 'pending' OR "nightshift"."webhook_deliveries"."lease_until" IS NULL)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."webhooks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."webhooks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"target" text NOT NULL,
	"secret" text,
	"secret_before" text,
	"secret_before_until" timestamp with time zone,
	"events" text[] NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"state_reason" text,
	"confirm_digest" "bytea",
	"confirm_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhooks_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "webhooks_confirm_digest_unique" UNIQUE("confirm_digest"),
	CONSTRAINT "webhooks_kind" CHECK ("nightshift"."webhooks"."kind" IN ('webhook', 'slack', 'email')),
	CONSTRAINT "webhooks_state" CHECK ("nightshift"."webhooks"."state" IN ('unconfirmed', 'active', 'disabled', 'removed')),
	CONSTRAINT "webhooks_confirm" CHECK (("nightshift"."webhooks"."state" = 'unconfirmed') = ("nightshift"."webhooks"."confirm_digest" IS NOT NULL)),
	CONSTRAINT "webhooks_secret" CHECK (("nightshift"."webhooks"."kind" = 'webhook') = ("nightshift"."webhooks"."secret" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."catch_alls" (
	"domain" text NOT NULL,
	"hosts" text NOT NULL,
	"state" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "catch_alls_domain_hosts_pk" PRIMARY KEY("domain","hosts")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."mailbox_rechecks" (
	"lookup_id" bigint PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"round" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."mailboxes" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"finding" text,
	"catch_all" text,
	"host" text,
	"reply" jsonb,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"duration_ms" integer,
	"checked_at" timestamp with time zone,
	"retry_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"unanswered" smallint DEFAULT 0 NOT NULL,
	"asked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."opt_outs" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "opt_outs_kind_key_pk" PRIMARY KEY("kind","key"),
	CONSTRAINT "opt_outs_kind" CHECK ("nightshift"."opt_outs"."kind" IN ('domain', 'person'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."probe_blocks" (
	"mx_group" text NOT NULL,
	"egress" text NOT NULL,
	"domain" text DEFAULT '' NOT NULL,
	"finding" text NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "probe_blocks_mx_group_egress_domain_pk" PRIMARY KEY("mx_group","egress","domain")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."probe_budgets" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"slices" bigint[] NOT NULL,
	"uses" integer[] NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	CONSTRAINT "probe_budgets_scope_key_pk" PRIMARY KEY("scope","key"),
	CONSTRAINT "probe_budgets_scope" CHECK ("nightshift"."probe_budgets"."scope" IN ('group', 'domain', 'egress'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."probe_controls" (
	"domain" text NOT NULL,
	"hosts" text NOT NULL,
	"local_part" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "probe_controls_domain_hosts_pk" PRIMARY KEY("domain","hosts")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."probe_sessions" (
	"mx_group" text PRIMARY KEY NOT NULL,
	"token" uuid NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."batch_facets" (
	"batch_id" bigint PRIMARY KEY NOT NULL,
	"finished_at" timestamp with time zone NOT NULL,
	"facets" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."row_blocks" (
	"batch_id" bigint NOT NULL,
	"block_no" integer NOT NULL,
	"row_text" text NOT NULL,
	"ad_text" text NOT NULL,
	"marks" text[] NOT NULL,
	"advertisers" text[] NOT NULL,
	"last_seen" date,
	CONSTRAINT "row_blocks_batch_id_block_no_pk" PRIMARY KEY("batch_id","block_no")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."lookup_advertisers" (
	"lookup_id" bigint NOT NULL,
	"subject" text NOT NULL,
	"account_id" bigint NOT NULL,
	CONSTRAINT "lookup_advertisers_lookup_id_subject_pk" PRIMARY KEY("lookup_id","subject")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."ad_changes" (
	"scan_id" bigint NOT NULL,
	"company_key" text NOT NULL,
	"ad_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"schedule_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"reason" text,
	"version_id" bigint NOT NULL,
	"version_before" bigint,
	"is_active" boolean NOT NULL,
	"ran_from" date,
	"ran_to" date,
	"rests_on" bigint[] NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ad_changes_scan_id_company_key_ad_id_pk" PRIMARY KEY("scan_id","company_key","ad_id"),
	CONSTRAINT "ad_changes_kind" CHECK ("nightshift"."ad_changes"."kind" IN ('baseline', 'new', 'reactivated', 'ended', 'changed')),
	CONSTRAINT "ad_changes_ends" CHECK (CASE "nightshift"."ad_changes"."kind" WHEN 'ended' THEN NOT "nightshift"."ad_changes"."is_active" WHEN 'baseline' THEN true ELSE "nightshift"."ad_changes"."is_active" END)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."ad_version_hashes" (
	"version_id" bigint PRIMARY KEY NOT NULL,
	"content_hash" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."scan_companies" (
	"scan_id" bigint NOT NULL,
	"company_key" text NOT NULL,
	"schedule_id" bigint NOT NULL,
	"lookup_id" bigint NOT NULL,
	"completeness" text NOT NULL,
	"is_baseline" boolean NOT NULL,
	"source" text,
	"observed_at" timestamp with time zone NOT NULL,
	"day" date NOT NULL,
	"ads_active" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "scan_companies_scan_id_company_key_pk" PRIMARY KEY("scan_id","company_key"),
	CONSTRAINT "scan_companies_completeness" CHECK ("nightshift"."scan_companies"."completeness" IN ('complete', 'truncated', 'partial', 'unconfirmed_empty'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."scans" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."scans_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"schedule_id" bigint NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"cause" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"ticks" integer DEFAULT 1 NOT NULL,
	"batch_id" bigint,
	"tries" integer DEFAULT 0 NOT NULL,
	"try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"begun_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"evaluated_at" timestamp with time zone,
	"evaluations" integer DEFAULT 0 NOT NULL,
	"misses_to_end" integer,
	"stale_days" integer,
	"retried_at" timestamp with time zone,
	"purged_at" timestamp with time zone,
	CONSTRAINT "scans_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "scans_cause" CHECK ("nightshift"."scans"."cause" IN ('tick', 'catch_up', 'manual')),
	CONSTRAINT "scans_state" CHECK ("nightshift"."scans"."state" IN ('waiting', 'running', 'finished', 'cancelled', 'skipped', 'missed')),
	CONSTRAINT "scans_begun" CHECK (("nightshift"."scans"."state" IN ('running', 'finished', 'cancelled')) = ("nightshift"."scans"."batch_id" IS NOT NULL)
        AND ("nightshift"."scans"."batch_id" IS NULL) = ("nightshift"."scans"."begun_at" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."schedules" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."schedules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"name" text NOT NULL,
	"cron" text NOT NULL,
	"time_zone" text NOT NULL,
	"file_name" text NOT NULL,
	"file_content" "bytea" NOT NULL,
	"file_options" jsonb NOT NULL,
	"companies" integer NOT NULL,
	"sources" text[] NOT NULL,
	"search" jsonb,
	"max_credits_micro" bigint,
	"day_credits_micro" bigint,
	"overlap" text DEFAULT 'skip' NOT NULL,
	"catch_up" text DEFAULT 'once' NOT NULL,
	"misses_to_end" integer DEFAULT 2 NOT NULL,
	"stale_days" integer DEFAULT 14 NOT NULL,
	"notify" bigint[],
	"state" text DEFAULT 'active' NOT NULL,
	"state_since" timestamp with time zone DEFAULT now() NOT NULL,
	"ticked_to" timestamp with time zone DEFAULT now() NOT NULL,
	"next_at" timestamp with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	"revised_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"purged_at" timestamp with time zone,
	CONSTRAINT "schedules_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "schedules_state" CHECK ("nightshift"."schedules"."state" IN ('active', 'paused', 'removed')),
	CONSTRAINT "schedules_overlap" CHECK ("nightshift"."schedules"."overlap" IN ('skip', 'queue')),
	CONSTRAINT "schedules_catch_up" CHECK ("nightshift"."schedules"."catch_up" IN ('none', 'once')),
	CONSTRAINT "schedules_next" CHECK (("nightshift"."schedules"."state" = 'active') = ("nightshift"."schedules"."next_at" IS NOT NULL)),
	CONSTRAINT "schedules_bounds" CHECK ("nightshift"."schedules"."max_credits_micro" >= 0 AND "nightshift"."schedules"."day_credits_micro" >= 0 AND "nightshift"."schedules"."misses_to_end" BETWEEN 1 AND 30
        AND "nightshift"."schedules"."stale_days" BETWEEN 1 AND 3650 AND "nightshift"."schedules"."companies" > 0)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."tracked_ads" (
	"schedule_id" bigint NOT NULL,
	"company_key" text NOT NULL,
	"ad_id" bigint NOT NULL,
	"is_active" boolean NOT NULL,
	"first_scan_id" bigint NOT NULL,
	"last_scan_id" bigint NOT NULL,
	"version_id" bigint NOT NULL,
	"source" text,
	"content_hash" "bytea" NOT NULL,
	"other_sources" jsonb,
	"day" date NOT NULL,
	"start" date,
	"last_seen" date,
	"missed_in" bigint[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "tracked_ads_schedule_id_company_key_ad_id_pk" PRIMARY KEY("schedule_id","company_key","ad_id")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."tracked_companies" (
	"schedule_id" bigint NOT NULL,
	"company_key" text NOT NULL,
	"baseline_scan_id" bigint NOT NULL,
	"last_scan_id" bigint NOT NULL,
	"last_observed_at" timestamp with time zone NOT NULL,
	"last_day" date NOT NULL,
	"last_outcome" text NOT NULL,
	"last_sources" text[] NOT NULL,
	"conclusive_day" date NOT NULL,
	"conclusive_completeness" text NOT NULL,
	"conclusive_sources" text[] NOT NULL,
	CONSTRAINT "tracked_companies_schedule_id_company_key_pk" PRIMARY KEY("schedule_id","company_key")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."sessions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"user_id" bigint NOT NULL,
	"method" text NOT NULL,
	"address" text NOT NULL,
	"agent" text NOT NULL,
	"began_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "sessions_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "sessions_digest_unique" UNIQUE("digest"),
	CONSTRAINT "sessions_digest_length" CHECK (length("nightshift"."sessions"."digest") = 32),
	CONSTRAINT "sessions_method" CHECK ("nightshift"."sessions"."method" IN ('password', 'link', 'provider'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."sign_in_links" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "sign_in_links_digest_length" CHECK (length("nightshift"."sign_in_links"."digest") = 32)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"login" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp with time zone,
	"last_sign_in_at" timestamp with time zone,
	CONSTRAINT "users_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "users_login_unique" UNIQUE("login"),
	CONSTRAINT "users_login" CHECK (length("nightshift"."users"."login") BETWEEN 1 AND 254 AND "nightshift"."users"."login" = lower("nightshift"."users"."login")),
	CONSTRAINT "users_role" CHECK ("nightshift"."users"."role" IN ('viewer', 'member', 'admin', 'operator'))
);
--> statement-breakpoint
ALTER TABLE "nightshift"."api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."audit_log" ADD CONSTRAINT "audit_log_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."account_limits" ADD CONSTRAINT "account_limits_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."account_logins" ADD CONSTRAINT "account_logins_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."batch_events" ADD CONSTRAINT "batch_events_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "nightshift"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD CONSTRAINT "batches_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."credit_balances" ADD CONSTRAINT "credit_balances_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."figures" ADD CONSTRAINT "figures_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "nightshift"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."figures" ADD CONSTRAINT "figures_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "nightshift"."schedules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD CONSTRAINT "chunks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."webhooks" ADD CONSTRAINT "webhooks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."batch_facets" ADD CONSTRAINT "batch_facets_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "nightshift"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."scans" ADD CONSTRAINT "scans_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "nightshift"."schedules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."schedules" ADD CONSTRAINT "schedules_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "nightshift"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."sign_in_links" ADD CONSTRAINT "sign_in_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "nightshift"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."users" ADD CONSTRAINT "users_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_by_account" ON "nightshift"."api_keys" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "api_keys_by_creator" ON "nightshift"."api_keys" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "audit_log_by_account" ON "nightshift"."audit_log" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_age" ON "nightshift"."idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "ads_identity_by_text" ON "nightshift"."ads" USING btree ("text_hash") WHERE "nightshift"."ads"."text_hash" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "advertiser_names_by_label" ON "nightshift"."advertiser_names" USING btree (replace("name_key", ' ', ''),"snapshot_id");--> statement-breakpoint
CREATE INDEX "advertiser_names_by_advertiser" ON "nightshift"."advertiser_names" USING btree ("advertiser_key");--> statement-breakpoint
CREATE INDEX "batch_events_by_batch" ON "nightshift"."batch_events" USING btree ("batch_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "batches_same_file" ON "nightshift"."batches" USING btree ("account_id","identity") WHERE "nightshift"."batches"."is_current";--> statement-breakpoint
CREATE UNIQUE INDEX "batches_unfinished" ON "nightshift"."batches" USING btree ("id") WHERE "nightshift"."batches"."state" NOT IN ('finished', 'cancelled');--> statement-breakpoint
CREATE INDEX "batches_in_blocks" ON "nightshift"."batches" USING btree ("id") WHERE "nightshift"."batches"."rows_total" > 2000 AND "nightshift"."batches"."state" IN ('finished', 'cancelled') AND "nightshift"."batches"."purged_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_grant_once" ON "nightshift"."ledger_entries" USING btree ("account_id","grant_key") WHERE "nightshift"."ledger_entries"."grant_key" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "chunks_by_batch" ON "nightshift"."chunks" USING btree ("batch_id","id");--> statement-breakpoint
CREATE INDEX "chunks_of_requests" ON "nightshift"."chunks" USING btree ("account_id","last_ended_at") WHERE "nightshift"."chunks"."batch_id" IS NULL;--> statement-breakpoint
CREATE INDEX "chunks_open" ON "nightshift"."chunks" USING btree ("state","id") WHERE "nightshift"."chunks"."state" <> 'done';--> statement-breakpoint
CREATE UNIQUE INDEX "lookups_one_per_request" ON "nightshift"."lookups" USING btree ("request_id") WHERE "nightshift"."lookups"."request_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "ads_lookups_by_account" ON "nightshift"."lookups" USING btree ("account_id","id") WHERE "nightshift"."lookups"."operation" = 'ads_search';--> statement-breakpoint
CREATE INDEX "email_lookups_by_account" ON "nightshift"."lookups" USING btree ("account_id","id") WHERE "nightshift"."lookups"."operation" = 'email_validation';--> statement-breakpoint
CREATE INDEX "truncated_lookups" ON "nightshift"."lookups" USING btree ("batch_id") WHERE "nightshift"."lookups"."truncated";--> statement-breakpoint
CREATE INDEX "raw_responses_by_age" ON "nightshift"."raw_responses" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "source_calls_by_lookup" ON "nightshift"."source_calls" USING btree ("lookup_id");--> statement-breakpoint
CREATE INDEX "source_calls_in_flight" ON "nightshift"."source_calls" USING btree ("bucket","sent_at") WHERE "nightshift"."source_calls"."answered_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "events_once" ON "nightshift"."events" USING btree ("account_id","event","subject");--> statement-breakpoint
CREATE INDEX "events_by_account" ON "nightshift"."events" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "nightshift"."webhook_deliveries" USING btree ("next_at") WHERE "nightshift"."webhook_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_webhook" ON "nightshift"."webhook_deliveries" USING btree ("webhook_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "nightshift"."webhook_deliveries" USING btree ("webhook_id","event_id") WHERE "nightshift"."webhook_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_one_name" ON "nightshift"."webhooks" USING btree ("account_id","name") WHERE "nightshift"."webhooks"."state" <> 'removed';--> statement-breakpoint
CREATE INDEX "mailbox_rechecks_by_due" ON "nightshift"."mailbox_rechecks" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "mailboxes_by_age" ON "nightshift"."mailboxes" USING btree ("asked_at");--> statement-breakpoint
CREATE INDEX "lookup_advertisers_by_subject" ON "nightshift"."lookup_advertisers" USING btree ("account_id","subject","lookup_id");--> statement-breakpoint
CREATE INDEX "ad_changes_by_company" ON "nightshift"."ad_changes" USING btree ("schedule_id","company_key","ad_id","scan_id");--> statement-breakpoint
CREATE INDEX "ad_changes_without_baseline" ON "nightshift"."ad_changes" USING btree ("account_id","scan_id","company_key","ad_id") WHERE "nightshift"."ad_changes"."kind" <> 'baseline';--> statement-breakpoint
CREATE INDEX "scan_companies_by_company" ON "nightshift"."scan_companies" USING btree ("schedule_id","company_key","scan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "scans_one_per_tick" ON "nightshift"."scans" USING btree ("schedule_id","due_at") WHERE "nightshift"."scans"."cause" <> 'manual';--> statement-breakpoint
CREATE UNIQUE INDEX "scans_batch" ON "nightshift"."scans" USING btree ("batch_id") WHERE "nightshift"."scans"."batch_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "scans_one_waiting" ON "nightshift"."scans" USING btree ("schedule_id") WHERE "nightshift"."scans"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "scans_by_schedule" ON "nightshift"."scans" USING btree ("schedule_id","id");--> statement-breakpoint
CREATE INDEX "scans_by_account" ON "nightshift"."scans" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "scans_open" ON "nightshift"."scans" USING btree ("state","id") WHERE "nightshift"."scans"."state" IN ('waiting', 'running') OR "nightshift"."scans"."evaluated_at" IS NULL;--> statement-breakpoint
CREATE INDEX "scans_retried" ON "nightshift"."scans" USING btree ("id") WHERE "nightshift"."scans"."retried_at" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "schedules_one_name" ON "nightshift"."schedules" USING btree ("account_id","name") WHERE "nightshift"."schedules"."state" <> 'removed';--> statement-breakpoint
CREATE INDEX "schedules_by_next" ON "nightshift"."schedules" USING btree ("next_at") WHERE "nightshift"."schedules"."state" = 'active';--> statement-breakpoint
CREATE INDEX "sessions_by_user" ON "nightshift"."sessions" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "sign_in_links_by_user" ON "nightshift"."sign_in_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_by_account" ON "nightshift"."users" USING btree ("account_id","id");
--> statement-breakpoint
-- From here on, definitions that db/schema cannot express: storage, expression indexes, unlogged tables.
-- Free space in each page keeps updates HOT: no new index entries, no bloat.
ALTER TABLE nightshift.lookups SET (fillfactor = 60);
--> statement-breakpoint
ALTER TABLE nightshift.chunks SET (fillfactor = 60);
--> statement-breakpoint
ALTER TABLE nightshift.credit_balances SET (fillfactor = 50);
--> statement-breakpoint
-- Lookup ids are allocated in blocks of 1,000, so that the loader assigns them without a round trip per row.
CREATE SEQUENCE nightshift.lookup_id_blocks AS bigint INCREMENT BY 1000 START WITH 1000;
--> statement-breakpoint
-- Recent requests per key, account and address, without Redis. Unlogged: the counts are worthless after a crash, and counting must not wait for
-- the disk. The columns are those of rate-limiter-flexible.
CREATE UNLOGGED TABLE nightshift.rate_limits (
  key text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
) WITH (fillfactor = 50);
--> statement-breakpoint
-- Single searches by company; searches of batches are found by batch. No column that a commit updates, so that updates stay HOT.
CREATE INDEX lookups_of_requests ON nightshift.lookups (account_id, subject_key, id) WHERE request_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX batches_by_account ON nightshift.batches (account_id, id);
--> statement-breakpoint
-- Validations by address, for erasure.
CREATE INDEX lookups_by_address ON nightshift.lookups (lower(subject_key)) WHERE operation = 'email_validation';
--> statement-breakpoint
-- Ad versions that a running sweep deletes; empty otherwise.
CREATE TABLE nightshift.swept_versions (version_id bigint PRIMARY KEY, ad_id bigint NOT NULL);
--> statement-breakpoint
-- Single requests that are not purged, oldest first. No column that a commit updates.
CREATE INDEX lookups_to_purge ON nightshift.lookups (operation, id) WHERE request_id IS NOT NULL AND purged_at IS NULL;
--> statement-breakpoint
CREATE INDEX events_to_purge ON nightshift.events (id) WHERE purged_at IS NULL;
--> statement-breakpoint
-- The account that a session of the shared login reads, for one statement. The application writes it on its own connection; the session
-- cannot. Unlogged: no session survives a crash.
CREATE UNLOGGED TABLE nightshift.reading_backends (
  pid integer PRIMARY KEY,
  began_at timestamptz NOT NULL,
  account_id bigint NOT NULL,
  bound_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
-- Uncompressed: searches read these columns often.
ALTER TABLE nightshift.row_blocks ALTER COLUMN row_text SET STORAGE EXTERNAL, ALTER COLUMN ad_text SET STORAGE EXTERNAL;
--> statement-breakpoint
-- Hashes of the applied definitions of db/sql (db/definitions.ts).
CREATE TABLE nightshift.definitions (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  hash text NOT NULL UNIQUE,
  applied_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
INSERT INTO nightshift.prices (operation, amount_micro, effective_from, note) VALUES
  ('ads_search', 200000, '2020-01-01T00:00:00Z', '0.2 credits for an answer with ads; free without ads'),
  ('email_validation', 0, '2020-01-01T00:00:00Z', 'free until an operator sets a price');
--> statement-breakpoint
INSERT INTO nightshift.accounts (name) VALUES ('default');
--> statement-breakpoint
INSERT INTO nightshift.credit_balances (account_id) SELECT id FROM nightshift.accounts;
--> statement-breakpoint
INSERT INTO nightshift.snapshots (name, is_generated) VALUES ('snapshot', false), ('sample', true);
--> statement-breakpoint
INSERT INTO nightshift.installation DEFAULT VALUES;
--> statement-breakpoint
-- The application owns the schema of the queue: it migrates it, and creates it again after a drop. Emptying it loses nothing
-- (docs/architecture/decisions/0003-postgres-is-the-record.md). BullMQ adds jobs through a temporary table.
DO $$
BEGIN
  EXECUTE format('GRANT CREATE, TEMPORARY ON DATABASE %I TO nightshift_app', current_database());
END $$;
--> statement-breakpoint
CREATE SCHEMA IF NOT EXISTS bullmq AUTHORIZATION nightshift_app;
--> statement-breakpoint
-- Public views. Names and columns are stable; the tables behind them may change.
CREATE SCHEMA reports;
--> statement-breakpoint
CREATE SCHEMA account_reports;
--> statement-breakpoint
REVOKE ALL ON SCHEMA nightshift, reports, account_reports FROM PUBLIC;
--> statement-breakpoint
GRANT USAGE ON SCHEMA nightshift TO nightshift_app;
--> statement-breakpoint
GRANT USAGE ON SCHEMA reports TO nightshift_reader, nightshift_app;
--> statement-breakpoint
GRANT USAGE ON SCHEMA account_reports TO nightshift_account;
--> statement-breakpoint
COMMENT ON SCHEMA reports IS 'Results of Nightshift. Amounts are in credits; one credit is 1,000,000 microcredits.';
--> statement-breakpoint
COMMENT ON SCHEMA account_reports IS
  'The views of reports, restricted to the account of the login. Created by nightshift.make_account_views().';
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON
  nightshift.account_limits, nightshift.advertisers, nightshift.batch_facets, nightshift.chunks,
  nightshift.company_mapping_changes, nightshift.scans, nightshift.schedules, nightshift.snapshots,
  nightshift.source_buckets, nightshift.source_calls, nightshift.tracked_ads, nightshift.tracked_companies,
  nightshift.webhook_deliveries, nightshift.webhooks
  TO nightshift_app;
--> statement-breakpoint
GRANT SELECT ON
  nightshift.account_logins, nightshift.accounts, nightshift.batch_events, nightshift.credit_balances,
  nightshift.installation, nightshift.ledger_blocks, nightshift.ledger_entries
  TO nightshift_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON
  nightshift.ad_changes, nightshift.ad_version_hashes, nightshift.ad_variants, nightshift.ad_versions, nightshift.ads,
  nightshift.api_keys, nightshift.audit_log, nightshift.email_results, nightshift.lookup_ads,
  nightshift.events, nightshift.prices, nightshift.row_blocks, nightshift.scan_companies,
  nightshift.lookup_advertisers, nightshift.source_prices, nightshift.users
  TO nightshift_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON
  nightshift.advertiser_names, nightshift.batches, nightshift.catch_alls, nightshift.company_advertisers,
  nightshift.figures, nightshift.idempotency_keys, nightshift.lookups, nightshift.mail_domains,
  nightshift.mailbox_rechecks, nightshift.mailboxes, nightshift.opt_outs, nightshift.probe_blocks,
  nightshift.probe_budgets, nightshift.probe_controls, nightshift.probe_sessions, nightshift.rate_limits,
  nightshift.raw_responses, nightshift.reading_backends, nightshift.snapshot_ads, nightshift.source_smokes,
  nightshift.source_states
  TO nightshift_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON
  nightshift.batch_rows, nightshift.sessions, nightshift.sign_in_links
  TO nightshift_app;
--> statement-breakpoint
GRANT SELECT ON nightshift.migrations, nightshift.definitions TO nightshift_app;
--> statement-breakpoint
GRANT UPDATE (last_used_at, revoked_at) ON nightshift.api_keys TO nightshift_app;
--> statement-breakpoint
-- A retry links rows to the successor of a failed lookup. Other columns of a row never change.
GRANT UPDATE (ads_lookup_id, email_lookup_id) ON nightshift.batch_rows TO nightshift_app;
--> statement-breakpoint
GRANT UPDATE (ended_at, seen_at) ON nightshift.sessions TO nightshift_app;
--> statement-breakpoint
GRANT UPDATE (expires_at, used_at) ON nightshift.sign_in_links TO nightshift_app;
--> statement-breakpoint
GRANT UPDATE (disabled_at, last_sign_in_at, password_hash, role) ON nightshift.users TO nightshift_app;
--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA nightshift TO nightshift_app;
--> statement-breakpoint
REVOKE ALL ON SEQUENCE nightshift.batch_events_id_seq FROM nightshift_app;
--> statement-breakpoint
-- Defaults for convenience. The grants are the boundary; a session can change its settings.
DO $$
BEGIN
  EXECUTE 'ALTER ROLE nightshift_reader SET default_transaction_read_only = on';
  EXECUTE 'ALTER ROLE nightshift_reader SET statement_timeout = ''5min''';
  EXECUTE 'ALTER ROLE nightshift_reader SET search_path = reports';
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'Settings of nightshift_reader are unchanged: the migrating role lacks the right to alter it.';
END $$;
