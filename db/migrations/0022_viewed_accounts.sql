ALTER TABLE "nightshift"."sessions" ADD COLUMN "viewed_account_id" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."sessions" ADD CONSTRAINT "sessions_viewed_account_id_accounts_id_fk" FOREIGN KEY ("viewed_account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
GRANT UPDATE (viewed_account_id) ON nightshift.sessions TO nightshift_app;
