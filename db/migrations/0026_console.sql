CREATE TABLE "nightshift"."account_limits" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"requests_per_minute" integer,
	"open_lookups" integer,
	"rows_per_list" integer,
	CONSTRAINT "account_limits_positive" CHECK (least("nightshift"."account_limits"."requests_per_minute", "nightshift"."account_limits"."open_lookups", "nightshift"."account_limits"."rows_per_list") > 0)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."account_logins" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"role_name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_logins_role_name_unique" UNIQUE("role_name")
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
CREATE TABLE "nightshift"."sightings" (
	"lookup_id" bigint NOT NULL,
	"subject" text NOT NULL,
	"account_id" bigint NOT NULL,
	CONSTRAINT "sightings_lookup_id_subject_pk" PRIMARY KEY("lookup_id","subject")
);
--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD COLUMN "first_ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nightshift"."chunks" ADD COLUMN "last_ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nightshift"."account_limits" ADD CONSTRAINT "account_limits_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."account_logins" ADD CONSTRAINT "account_logins_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."batch_events" ADD CONSTRAINT "batch_events_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "nightshift"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."figures" ADD CONSTRAINT "figures_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "nightshift"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."figures" ADD CONSTRAINT "figures_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "nightshift"."schedules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."batch_facets" ADD CONSTRAINT "batch_facets_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "nightshift"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batch_events_by_batch" ON "nightshift"."batch_events" USING btree ("batch_id","id");--> statement-breakpoint
CREATE INDEX "sightings_by_subject" ON "nightshift"."sightings" USING btree ("account_id","subject","lookup_id");--> statement-breakpoint
CREATE INDEX "batches_in_blocks" ON "nightshift"."batches" USING btree ("id") WHERE "nightshift"."batches"."rows_total" > 2000 AND "nightshift"."batches"."state" IN ('finished', 'cancelled') AND "nightshift"."batches"."purged_at" IS NULL;--> statement-breakpoint
CREATE INDEX "chunks_of_requests" ON "nightshift"."chunks" USING btree ("account_id","last_ended_at") WHERE "nightshift"."chunks"."batch_id" IS NULL;--> statement-breakpoint
CREATE INDEX "ads_lookups_by_account" ON "nightshift"."lookups" USING btree ("account_id","id") WHERE "nightshift"."lookups"."operation" = 'ads_search';--> statement-breakpoint
CREATE INDEX "email_lookups_by_account" ON "nightshift"."lookups" USING btree ("account_id","id") WHERE "nightshift"."lookups"."operation" = 'email_validation';