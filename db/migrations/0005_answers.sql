CREATE TABLE "nightshift"."answer_advertisers" (
	"answer_id" bigint NOT NULL,
	"subject" text NOT NULL,
	CONSTRAINT "answer_advertisers_answer_id_subject_pk" PRIMARY KEY("answer_id","subject")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."answers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."answers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"content_hash" "bytea" NOT NULL,
	"ads" integer NOT NULL,
	"versions" bigint[] NOT NULL,
	"starts" date[] NOT NULL,
	"last_days" date[] NOT NULL,
	CONSTRAINT "answers_content" UNIQUE("content_hash")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."lookup_answers" (
	"lookup_id" bigint PRIMARY KEY NOT NULL,
	"answer_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"ads" integer NOT NULL,
	"newest_day" date,
	"relations" text[],
	CONSTRAINT "lookup_answers_ads" CHECK ("nightshift"."lookup_answers"."ads" > 0),
	CONSTRAINT "lookup_answers_relations" CHECK (cardinality("nightshift"."lookup_answers"."relations") IN (1, "nightshift"."lookup_answers"."ads"))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."answer_summaries" (
	"answer_id" bigint NOT NULL,
	"ads" integer NOT NULL,
	"texts" text NOT NULL,
	"formats" text[] NOT NULL,
	"format_ads" integer[] NOT NULL,
	"advertisers" text[] NOT NULL,
	"advertiser_names" text[] NOT NULL,
	"advertiser_ads" integer[] NOT NULL,
	CONSTRAINT "answer_summaries_answer_id_ads_pk" PRIMARY KEY("answer_id","ads")
);
--> statement-breakpoint
-- The dispatcher makes blocks and facets again.
DELETE FROM nightshift.row_blocks;
--> statement-breakpoint
DELETE FROM nightshift.batch_facets;
--> statement-breakpoint
ALTER TABLE "nightshift"."row_blocks" ADD COLUMN "answers" bigint[] NOT NULL;--> statement-breakpoint
ALTER TABLE "nightshift"."row_blocks" DROP COLUMN "ad_text";--> statement-breakpoint
ALTER TABLE "nightshift"."advertisers" ADD COLUMN "answer_id" bigint;--> statement-breakpoint
ALTER TABLE "nightshift"."advertisers" ADD COLUMN "newest_day" date;--> statement-breakpoint
CREATE INDEX "answer_advertisers_by_subject" ON "nightshift"."answer_advertisers" USING btree ("subject","answer_id");--> statement-breakpoint
CREATE INDEX "lookup_answers_by_answer" ON "nightshift"."lookup_answers" USING btree ("account_id","answer_id","lookup_id");
--> statement-breakpoint
-- Answers that a sweep deletes (`db/sql/purge.sql`).
CREATE TABLE nightshift.swept_answers (answer_id bigint PRIMARY KEY);
--> statement-breakpoint
GRANT SELECT, INSERT ON nightshift.answers, nightshift.answer_advertisers, nightshift.answer_summaries, nightshift.lookup_answers TO nightshift_app;
--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA nightshift TO nightshift_app;
--> statement-breakpoint
REVOKE ALL ON SEQUENCE nightshift.batch_events_id_seq FROM nightshift_app;
--> statement-breakpoint
-- The ads of lookups and of advertisers become answers (`db/schema/ads.ts`), with the hashes of `nightshift.answer_hash`.
CREATE TEMPORARY TABLE moved_lookups ON COMMIT DROP AS
SELECT s.lookup_id, count(*)::integer AS ads, max(s.newest_day) AS newest_day, array_agg(s.version_id ORDER BY s.position) AS versions,
  array_agg(s.start ORDER BY s.position) AS starts,
  array_agg(CASE WHEN s.last_seen = s.newest_day THEN 'infinity' ELSE s.last_seen END ORDER BY s.position) AS last_days,
  array_agg(coalesce(s.relation, 'own') ORDER BY s.position) AS relations, NULL::bytea AS content_hash
FROM (SELECT *, max(last_seen) OVER (PARTITION BY lookup_id) AS newest_day FROM nightshift.lookup_ads) s
GROUP BY s.lookup_id;
--> statement-breakpoint
CREATE TEMPORARY TABLE moved_advertisers ON COMMIT DROP AS
SELECT s.advertiser_key, count(*)::integer AS ads, max(s.newest_day) AS newest_day,
  array_agg(s.version_id ORDER BY s.last_seen DESC NULLS LAST, s.ad_id) AS versions,
  array_agg(s.start ORDER BY s.last_seen DESC NULLS LAST, s.ad_id) AS starts,
  array_agg(CASE WHEN s.last_seen = s.newest_day THEN 'infinity' ELSE s.last_seen END ORDER BY s.last_seen DESC NULLS LAST, s.ad_id)
    AS last_days, NULL::bytea AS content_hash
FROM (SELECT *, max(last_seen) OVER (PARTITION BY advertiser_key) AS newest_day FROM nightshift.snapshot_ads) s
GROUP BY s.advertiser_key;
--> statement-breakpoint
UPDATE moved_lookups SET content_hash = substring(sha256(array_send(versions) || array_send(starts) || array_send(last_days)) FOR 16);
--> statement-breakpoint
UPDATE moved_advertisers SET content_hash = substring(sha256(array_send(versions) || array_send(starts) || array_send(last_days)) FOR 16);
--> statement-breakpoint
INSERT INTO nightshift.answers (content_hash, ads, versions, starts, last_days)
SELECT DISTINCT ON (content_hash) content_hash, ads, versions, starts, last_days
FROM (
  SELECT content_hash, ads, versions, starts, last_days FROM moved_advertisers
  UNION ALL SELECT content_hash, ads, versions, starts, last_days FROM moved_lookups
) m ORDER BY content_hash;
--> statement-breakpoint
INSERT INTO nightshift.answer_advertisers (answer_id, subject)
SELECT DISTINCT a.id, coalesce(i.advertiser_id, encode(i.text_hash, 'hex'))
FROM nightshift.answers a CROSS JOIN LATERAL unnest(a.versions) AS u(version_id)
JOIN nightshift.ad_versions v ON v.id = u.version_id
JOIN nightshift.ads i ON i.id = v.ad_id;
--> statement-breakpoint
INSERT INTO nightshift.lookup_answers (lookup_id, answer_id, account_id, ads, newest_day, relations)
SELECT m.lookup_id, a.id, l.account_id, m.ads, m.newest_day,
  CASE WHEN m.relations <@ ARRAY['own'] THEN NULL WHEN m.relations <@ m.relations[1:1] THEN m.relations[1:1] ELSE m.relations END
FROM moved_lookups m
JOIN nightshift.answers a USING (content_hash)
JOIN nightshift.lookups l ON l.id = m.lookup_id
ORDER BY m.lookup_id;
--> statement-breakpoint
UPDATE nightshift.advertisers d SET answer_id = a.id, newest_day = m.newest_day
FROM moved_advertisers m JOIN nightshift.answers a USING (content_hash)
WHERE d.id = m.advertiser_key;
--> statement-breakpoint
DROP TRIGGER IF EXISTS lookup_advertisers_follow_purge ON nightshift.lookups;
--> statement-breakpoint
DROP FUNCTION IF EXISTS nightshift.delete_lookup_advertisers();
--> statement-breakpoint
-- Views of these names follow (`db/sql/ads.sql`).
DROP TABLE nightshift.lookup_ads CASCADE;
--> statement-breakpoint
DROP TABLE nightshift.lookup_advertisers CASCADE;
