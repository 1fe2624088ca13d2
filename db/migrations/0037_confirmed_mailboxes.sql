ALTER TABLE "nightshift"."webhooks" DROP CONSTRAINT "webhooks_state";--> statement-breakpoint
ALTER TABLE "nightshift"."webhooks" ADD COLUMN "confirm_digest" "bytea";--> statement-breakpoint
ALTER TABLE "nightshift"."webhooks" ADD COLUMN "confirm_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nightshift"."webhooks" ADD CONSTRAINT "webhooks_confirm_digest_unique" UNIQUE("confirm_digest");--> statement-breakpoint
ALTER TABLE "nightshift"."webhooks" ADD CONSTRAINT "webhooks_confirm" CHECK (("nightshift"."webhooks"."state" = 'unconfirmed') = ("nightshift"."webhooks"."confirm_digest" IS NOT NULL));--> statement-breakpoint
ALTER TABLE "nightshift"."webhooks" ADD CONSTRAINT "webhooks_state" CHECK ("nightshift"."webhooks"."state" IN ('unconfirmed', 'active', 'disabled', 'removed'));