CREATE TABLE "nightshift"."account_source_limits" (
	"account_id" bigint NOT NULL,
	"source" text NOT NULL,
	"concurrency" integer,
	"calls_per_day" integer,
	"day" date,
	"day_calls" integer DEFAULT 0 NOT NULL,
	"search_until" timestamp with time zone,
	CONSTRAINT "account_source_limits_account_id_source_pk" PRIMARY KEY("account_id","source"),
	CONSTRAINT "account_source_limits_positive" CHECK (least("nightshift"."account_source_limits"."concurrency", "nightshift"."account_source_limits"."calls_per_day") > 0)
);
--> statement-breakpoint
ALTER TABLE "nightshift"."account_limits" ADD COLUMN "weight" integer;--> statement-breakpoint
ALTER TABLE "nightshift"."source_calls" ADD COLUMN "account_id" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."source_states" ADD COLUMN "search_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nightshift"."account_source_limits" ADD CONSTRAINT "account_source_limits_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."account_limits" ADD CONSTRAINT "account_limits_weight" CHECK ("nightshift"."account_limits"."weight" BETWEEN 1 AND 100);--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.account_source_limits TO nightshift_app;--> statement-breakpoint
DROP FUNCTION IF EXISTS nightshift.admit_calls(text, text, integer, integer, integer, bigint, bigint, bigint[], numeric[], numeric, text);
