ALTER TABLE "nightshift"."api_keys" ADD COLUMN "created_by" text;--> statement-breakpoint
CREATE INDEX "api_keys_by_maker" ON "nightshift"."api_keys" USING btree ("created_by");--> statement-breakpoint
-- Keys of before: who made them stands in the audit log.
UPDATE nightshift.api_keys k SET created_by = a.actor
FROM nightshift.audit_log a
WHERE a.account_id = k.account_id
  AND (a.event = 'key_created' AND a.key_id = k.public_id
    OR a.event = 'key_regenerated' AND a.details ->> 'successor' = k.public_id);
