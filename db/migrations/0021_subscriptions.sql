DROP INDEX "nightshift"."webhooks_one_name";--> statement-breakpoint
ALTER TABLE "nightshift"."webhooks" ADD COLUMN "user_id" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."webhooks" ADD COLUMN "batch_id" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."webhooks" ADD COLUMN "schedule_id" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."webhooks" ADD CONSTRAINT "webhooks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "nightshift"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_one_of_batch" ON "nightshift"."webhooks" USING btree ("batch_id","user_id") WHERE "nightshift"."webhooks"."state" <> 'removed' AND "nightshift"."webhooks"."batch_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_one_of_schedule" ON "nightshift"."webhooks" USING btree ("schedule_id","user_id") WHERE "nightshift"."webhooks"."state" <> 'removed' AND "nightshift"."webhooks"."schedule_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "webhooks_by_user" ON "nightshift"."webhooks" USING btree ("user_id") WHERE "nightshift"."webhooks"."state" <> 'removed' AND "nightshift"."webhooks"."user_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_one_name" ON "nightshift"."webhooks" USING btree ("account_id","name") WHERE "nightshift"."webhooks"."state" <> 'removed' AND "nightshift"."webhooks"."user_id" IS NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."webhooks" ADD CONSTRAINT "webhooks_subscription" CHECK (num_nonnulls("nightshift"."webhooks"."batch_id", "nightshift"."webhooks"."schedule_id") = num_nonnulls("nightshift"."webhooks"."user_id")
        AND ("nightshift"."webhooks"."user_id" IS NULL OR "nightshift"."webhooks"."kind" = 'email'));