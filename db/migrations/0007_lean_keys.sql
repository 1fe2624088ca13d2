ALTER TABLE "nightshift"."ads" DROP CONSTRAINT "ads_text_hash_unique";--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" DROP CONSTRAINT "lookups_request_id_unique";--> statement-breakpoint
CREATE UNIQUE INDEX "ads_identity_by_text" ON "nightshift"."ads" USING btree ("text_hash") WHERE "nightshift"."ads"."text_hash" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "lookups_one_per_request" ON "nightshift"."lookups" USING btree ("request_id") WHERE "nightshift"."lookups"."request_id" IS NOT NULL;