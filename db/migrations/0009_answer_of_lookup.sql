ALTER TABLE "nightshift"."lookups" ADD COLUMN "answer_id" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "newest_day" date;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD COLUMN "relations" text[];--> statement-breakpoint
-- Ended lookups get the reference that had its own table. The trigger follows again (`db/sql/append-only.sql`).
DROP TRIGGER IF EXISTS outcome_is_final ON nightshift.lookups;
--> statement-breakpoint
UPDATE nightshift.lookups l SET answer_id = r.answer_id, newest_day = r.newest_day, relations = r.relations
FROM nightshift.lookup_answers r WHERE r.lookup_id = l.id;
--> statement-breakpoint
-- The views of ads move to the new columns before the table goes, so that views which an operator has built on them stay.
DO $$
BEGIN
  IF to_regclass('nightshift.lookup_ads') IS NOT NULL THEN
    CREATE OR REPLACE VIEW nightshift.lookup_ads AS
      SELECT l.id AS lookup_id, u.position::integer AS position, u.version_id, u.start,
        CASE WHEN u.last_day = 'infinity' THEN l.newest_day ELSE u.last_day END AS last_seen,
        nullif(l.relations[CASE cardinality(l.relations) WHEN 1 THEN 1 ELSE u.position END], 'own') AS relation
      FROM nightshift.lookups l
      JOIN nightshift.answers a ON a.id = l.answer_id
      CROSS JOIN LATERAL unnest(a.versions, a.starts, a.last_days) WITH ORDINALITY AS u(version_id, start, last_day, position)
      WHERE u.position <= l.ads_count;
    CREATE OR REPLACE VIEW nightshift.lookup_advertisers AS
      SELECT l.id AS lookup_id, s.subject, l.account_id
      FROM nightshift.lookups l JOIN nightshift.answer_advertisers s ON s.answer_id = l.answer_id;
  END IF;
END $$;
--> statement-breakpoint
-- A view of this name follows (`db/sql/ads.sql`).
DROP TABLE nightshift.lookup_answers CASCADE;
--> statement-breakpoint
CREATE INDEX "lookups_by_answer" ON "nightshift"."lookups" USING btree ("account_id","answer_id","id") WHERE "nightshift"."lookups"."answer_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD CONSTRAINT "lookups_answer" CHECK ("nightshift"."lookups"."answer_id" IS NULL OR "nightshift"."lookups"."outcome" = 'found');--> statement-breakpoint
ALTER TABLE "nightshift"."lookups" ADD CONSTRAINT "lookups_relations" CHECK (cardinality("nightshift"."lookups"."relations") IN (1, "nightshift"."lookups"."ads_count"));
