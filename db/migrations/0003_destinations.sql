CREATE TABLE "nightshift"."destinations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."destinations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"name" text NOT NULL,
	"schedule_id" bigint,
	"batch_id" bigint,
	"location" jsonb NOT NULL,
	"credentials" jsonb,
	"is_of_account" boolean NOT NULL,
	"format" text NOT NULL,
	"shapes" text[] NOT NULL,
	"options" jsonb NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"state_reason" text,
	"takes_since" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "destinations_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "destinations_scope" CHECK ("nightshift"."destinations"."schedule_id" IS NULL OR "nightshift"."destinations"."batch_id" IS NULL),
	CONSTRAINT "destinations_format" CHECK ("nightshift"."destinations"."format" IN ('csv', 'xlsx', 'ndjson', 'json', 'parquet', 'table')),
	CONSTRAINT "destinations_state" CHECK ("nightshift"."destinations"."state" IN ('active', 'disabled', 'removed')),
	CONSTRAINT "destinations_credentials" CHECK ("nightshift"."destinations"."state" <> 'removed' OR "nightshift"."destinations"."credentials" IS NULL)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."landing_parts" (
	"landing_id" bigint NOT NULL,
	"part" integer NOT NULL,
	"path" text NOT NULL,
	"rows" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text,
	"written_at" timestamp with time zone,
	CONSTRAINT "landing_parts_landing_id_part_pk" PRIMARY KEY("landing_id","part"),
	CONSTRAINT "landing_parts_numbers" CHECK ("nightshift"."landing_parts"."part" >= 0 AND "nightshift"."landing_parts"."rows" >= 0 AND "nightshift"."landing_parts"."bytes" >= 0)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."landings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."landings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"destination_id" bigint NOT NULL,
	"batch_id" bigint NOT NULL,
	"shape" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"content_key" text NOT NULL,
	"day" date NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"token" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_until" timestamp with time zone,
	"tried_at" timestamp with time zone,
	"last_error" text,
	"landed_at" timestamp with time zone,
	"note" text,
	"rows" bigint,
	"bytes" bigint,
	"parts" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "landings_state" CHECK ("nightshift"."landings"."state" IN ('pending', 'landed', 'dead')),
	CONSTRAINT "landings_time" CHECK (("nightshift"."landings"."state" = 'landed') = ("nightshift"."landings"."landed_at" IS NOT NULL)),
	CONSTRAINT "landings_lease" CHECK ("nightshift"."landings"."state" = 'pending' OR "nightshift"."landings"."lease_until" IS NULL),
	CONSTRAINT "landings_size" CHECK ("nightshift"."landings"."state" <> 'landed' OR num_nonnulls("nightshift"."landings"."rows", "nightshift"."landings"."bytes", "nightshift"."landings"."parts") = 3)
);
--> statement-breakpoint
ALTER TABLE "nightshift"."destinations" ADD CONSTRAINT "destinations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."landing_parts" ADD CONSTRAINT "landing_parts_landing_id_landings_id_fk" FOREIGN KEY ("landing_id") REFERENCES "nightshift"."landings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."landings" ADD CONSTRAINT "landings_destination_id_destinations_id_fk" FOREIGN KEY ("destination_id") REFERENCES "nightshift"."destinations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "destinations_one_name" ON "nightshift"."destinations" USING btree ("account_id","name") WHERE "nightshift"."destinations"."state" <> 'removed';--> statement-breakpoint
CREATE UNIQUE INDEX "landings_once" ON "nightshift"."landings" USING btree ("destination_id","batch_id","shape");--> statement-breakpoint
CREATE INDEX "landings_due" ON "nightshift"."landings" USING btree ("destination_id","id") WHERE "nightshift"."landings"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "landings_by_batch" ON "nightshift"."landings" USING btree ("batch_id");--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON nightshift.destinations, nightshift.landings TO nightshift_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.landing_parts TO nightshift_app;
--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA nightshift TO nightshift_app;
--> statement-breakpoint
REVOKE ALL ON SEQUENCE nightshift.batch_events_id_seq FROM nightshift_app;
