CREATE TABLE "nightshift"."notices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"event" text NOT NULL,
	"subject" text NOT NULL,
	"about" jsonb NOT NULL,
	"for_webhooks" bigint[],
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"purged_at" timestamp with time zone,
	CONSTRAINT "notices_public_id_unique" UNIQUE("public_id")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."webhook_deliveries" (
	"notice_id" bigint NOT NULL,
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
	CONSTRAINT "webhook_deliveries_notice_id_webhook_id_pk" PRIMARY KEY("notice_id","webhook_id"),
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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhooks_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "webhooks_kind" CHECK ("nightshift"."webhooks"."kind" IN ('webhook', 'slack', 'email')),
	CONSTRAINT "webhooks_state" CHECK ("nightshift"."webhooks"."state" IN ('active', 'disabled', 'removed')),
	CONSTRAINT "webhooks_secret" CHECK (("nightshift"."webhooks"."kind" = 'webhook') = ("nightshift"."webhooks"."secret" IS NOT NULL))
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
CREATE TABLE "nightshift"."ad_looks" (
	"version_id" bigint PRIMARY KEY NOT NULL,
	"look" "bytea" NOT NULL
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
	"list" "bytea" NOT NULL,
	"reading" jsonb NOT NULL,
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
	"look" "bytea" NOT NULL,
	"elsewhere" jsonb,
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
	"firm_day" date NOT NULL,
	"firm_completeness" text NOT NULL,
	"firm_sources" text[] NOT NULL,
	CONSTRAINT "tracked_companies_schedule_id_company_key_pk" PRIMARY KEY("schedule_id","company_key")
);
--> statement-breakpoint
ALTER TABLE "nightshift"."batches" ADD COLUMN "purged_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nightshift"."credit_balances" ADD COLUMN "low_micro" bigint DEFAULT 100000000 NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "purged_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nightshift"."webhooks" ADD CONSTRAINT "webhooks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."scans" ADD CONSTRAINT "scans_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "nightshift"."schedules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."schedules" ADD CONSTRAINT "schedules_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notices_once" ON "nightshift"."notices" USING btree ("account_id","event","subject");--> statement-breakpoint
CREATE INDEX "notices_by_account" ON "nightshift"."notices" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "nightshift"."webhook_deliveries" USING btree ("next_at") WHERE "nightshift"."webhook_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_webhook" ON "nightshift"."webhook_deliveries" USING btree ("webhook_id","notice_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "nightshift"."webhook_deliveries" USING btree ("webhook_id","notice_id") WHERE "nightshift"."webhook_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_one_name" ON "nightshift"."webhooks" USING btree ("account_id","name") WHERE "nightshift"."webhooks"."state" <> 'removed';--> statement-breakpoint
CREATE INDEX "ad_changes_by_company" ON "nightshift"."ad_changes" USING btree ("schedule_id","company_key","ad_id","scan_id");--> statement-breakpoint
CREATE INDEX "ad_changes_news" ON "nightshift"."ad_changes" USING btree ("account_id","scan_id","company_key","ad_id") WHERE "nightshift"."ad_changes"."kind" <> 'baseline';--> statement-breakpoint
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
ALTER TABLE "nightshift"."credit_balances" ADD CONSTRAINT "credit_balances_low" CHECK ("nightshift"."credit_balances"."low_micro" >= 0);