CREATE TABLE "nightshift"."archive" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"location" jsonb NOT NULL,
	"credentials" jsonb,
	"every_seconds" integer,
	"keep" smallint NOT NULL,
	"version" bigint NOT NULL,
	"has_backups" boolean NOT NULL,
	"backed_up_at" timestamp with time zone,
	"tried_at" timestamp with time zone,
	"failure" text,
	CONSTRAINT "archive_one" CHECK ("nightshift"."archive"."id" = 1),
	CONSTRAINT "archive_keep" CHECK ("nightshift"."archive"."keep" > 0),
	CONSTRAINT "archive_every" CHECK ("nightshift"."archive"."every_seconds" > 0)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."restored_calls" (
	"id" bigint PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"source" text NOT NULL,
	"bucket" text NOT NULL,
	"description" text NOT NULL,
	"units" numeric NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	"answer" text,
	"source_charge" numeric,
	"response_hash" "bytea",
	"restored_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "restored_calls_by_description" ON "nightshift"."restored_calls" USING btree ("account_id","source","description");--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.archive TO nightshift_app;--> statement-breakpoint
GRANT SELECT, UPDATE, DELETE ON nightshift.restored_calls TO nightshift_app;
