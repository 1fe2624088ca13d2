CREATE TABLE "nightshift"."report_links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."report_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"digest" "bytea" NOT NULL,
	"batch_id" bigint,
	"schedule_id" bigint,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"opened" integer DEFAULT 0 NOT NULL,
	"opened_at" timestamp with time zone,
	CONSTRAINT "report_links_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "report_links_digest_unique" UNIQUE("digest"),
	CONSTRAINT "report_links_digest_length" CHECK (length("nightshift"."report_links"."digest") = 32),
	CONSTRAINT "report_links_subject" CHECK (num_nonnulls("nightshift"."report_links"."batch_id", "nightshift"."report_links"."schedule_id") = 1),
	CONSTRAINT "report_links_opened" CHECK ("nightshift"."report_links"."opened" >= 0 AND ("nightshift"."report_links"."opened" > 0) = ("nightshift"."report_links"."opened_at" IS NOT NULL))
);
--> statement-breakpoint
ALTER TABLE "nightshift"."report_links" ADD CONSTRAINT "report_links_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."report_links" ADD CONSTRAINT "report_links_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "nightshift"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."report_links" ADD CONSTRAINT "report_links_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "nightshift"."schedules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_links_by_account" ON "nightshift"."report_links" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "report_links_by_batch" ON "nightshift"."report_links" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "report_links_by_schedule" ON "nightshift"."report_links" USING btree ("schedule_id");--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON nightshift.report_links TO nightshift_app;--> statement-breakpoint
GRANT UPDATE (revoked_at, opened, opened_at) ON nightshift.report_links TO nightshift_app;
