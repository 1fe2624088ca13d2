CREATE TABLE "nightshift"."inbox_files" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."inbox_files_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"inbox_id" bigint NOT NULL,
	"path" text NOT NULL,
	"version" text NOT NULL,
	"bytes" bigint NOT NULL,
	"modified_at" timestamp with time zone,
	"state" text NOT NULL,
	"reason" text,
	"content_sha256" "bytea",
	"batch_id" bigint,
	"place" text,
	"pending" text,
	"target" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL,
	"first_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"unchanged_since" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "inbox_files_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "inbox_files_state" CHECK ("nightshift"."inbox_files"."state" IN ('waiting', 'ready', 'loading', 'loaded', 'joined', 'failed', 'ignored')),
	CONSTRAINT "inbox_files_settled" CHECK (("nightshift"."inbox_files"."state" IN ('waiting', 'ready', 'loading')) = ("nightshift"."inbox_files"."settled_at" IS NULL)),
	CONSTRAINT "inbox_files_has_batch" CHECK (("nightshift"."inbox_files"."state" IN ('loaded', 'joined')) = ("nightshift"."inbox_files"."batch_id" IS NOT NULL)),
	CONSTRAINT "inbox_files_reason" CHECK ("nightshift"."inbox_files"."state" NOT IN ('failed', 'ignored') OR "nightshift"."inbox_files"."reason" IS NOT NULL),
	CONSTRAINT "inbox_files_pending" CHECK ("nightshift"."inbox_files"."pending" IN ('move', 'delete')),
	CONSTRAINT "inbox_files_target" CHECK (("nightshift"."inbox_files"."pending" IS NOT DISTINCT FROM 'move') = ("nightshift"."inbox_files"."target" IS NOT NULL)
        AND ("nightshift"."inbox_files"."pending" IS NULL OR "nightshift"."inbox_files"."place" IS NOT NULL)),
	CONSTRAINT "inbox_files_counts" CHECK ("nightshift"."inbox_files"."bytes" >= 0 AND "nightshift"."inbox_files"."attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."inboxes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."inboxes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"name" text NOT NULL,
	"location" jsonb NOT NULL,
	"credentials" jsonb,
	"is_operators" boolean DEFAULT false NOT NULL,
	"cron" text NOT NULL,
	"time_zone" text NOT NULL,
	"pattern" text,
	"settle_ms" integer NOT NULL,
	"after" text DEFAULT 'keep' NOT NULL,
	"query" text,
	"newer_by" text,
	"cursor" jsonb,
	"file_options" jsonb NOT NULL,
	"operations" text[],
	"sources" text[] NOT NULL,
	"search" jsonb,
	"max_credits_micro" bigint,
	"again" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"state_since" timestamp with time zone DEFAULT now() NOT NULL,
	"next_at" timestamp with time zone,
	"lease_token" uuid,
	"claimed_at" timestamp with time zone,
	"lease_until" timestamp with time zone,
	"looked_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp with time zone,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"purged_at" timestamp with time zone,
	CONSTRAINT "inboxes_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "inboxes_state" CHECK ("nightshift"."inboxes"."state" IN ('active', 'paused', 'removed')),
	CONSTRAINT "inboxes_after" CHECK ("nightshift"."inboxes"."after" IN ('keep', 'move', 'delete')),
	CONSTRAINT "inboxes_next" CHECK (("nightshift"."inboxes"."state" = 'active') = ("nightshift"."inboxes"."next_at" IS NOT NULL)),
	CONSTRAINT "inboxes_lease" CHECK (("nightshift"."inboxes"."lease_token" IS NULL) = ("nightshift"."inboxes"."lease_until" IS NULL)
        AND ("nightshift"."inboxes"."lease_token" IS NULL OR "nightshift"."inboxes"."claimed_at" IS NOT NULL)),
	CONSTRAINT "inboxes_credentials" CHECK ("nightshift"."inboxes"."state" <> 'removed' OR "nightshift"."inboxes"."credentials" IS NULL),
	CONSTRAINT "inboxes_query" CHECK (("nightshift"."inboxes"."location" ->> 'kind' = 'postgres') = ("nightshift"."inboxes"."query" IS NOT NULL)),
	CONSTRAINT "inboxes_newer_by" CHECK ("nightshift"."inboxes"."newer_by" IS NULL OR "nightshift"."inboxes"."query" IS NOT NULL),
	CONSTRAINT "inboxes_failing" CHECK (("nightshift"."inboxes"."failures" = 0) = ("nightshift"."inboxes"."failing_since" IS NULL)
        AND ("nightshift"."inboxes"."failures" = 0) = ("nightshift"."inboxes"."last_error" IS NULL)),
	CONSTRAINT "inboxes_bounds" CHECK ("nightshift"."inboxes"."max_credits_micro" >= 0 AND "nightshift"."inboxes"."settle_ms" BETWEEN 0 AND 3600000 AND "nightshift"."inboxes"."failures" >= 0)
);
--> statement-breakpoint
ALTER TABLE "nightshift"."inbox_files" ADD CONSTRAINT "inbox_files_inbox_id_inboxes_id_fk" FOREIGN KEY ("inbox_id") REFERENCES "nightshift"."inboxes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."inboxes" ADD CONSTRAINT "inboxes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_files_one_version" ON "nightshift"."inbox_files" USING btree ("inbox_id","path","version");--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_files_batch" ON "nightshift"."inbox_files" USING btree ("batch_id") WHERE "nightshift"."inbox_files"."state" = 'loaded';--> statement-breakpoint
CREATE INDEX "inbox_files_by_inbox" ON "nightshift"."inbox_files" USING btree ("inbox_id","id");--> statement-breakpoint
CREATE INDEX "inbox_files_open" ON "nightshift"."inbox_files" USING btree ("inbox_id","id") WHERE "nightshift"."inbox_files"."settled_at" IS NULL OR "nightshift"."inbox_files"."pending" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "inboxes_one_name" ON "nightshift"."inboxes" USING btree ("account_id","name") WHERE "nightshift"."inboxes"."state" <> 'removed';--> statement-breakpoint
CREATE INDEX "inboxes_by_next" ON "nightshift"."inboxes" USING btree ("next_at") WHERE "nightshift"."inboxes"."state" = 'active';--> statement-breakpoint
-- Only a purge deletes files of inboxes (db/sql/purge.sql).
GRANT SELECT, INSERT, UPDATE ON nightshift.inboxes, nightshift.inbox_files TO nightshift_app;
--> statement-breakpoint
GRANT USAGE ON SEQUENCE nightshift.inboxes_id_seq, nightshift.inbox_files_id_seq TO nightshift_app;
