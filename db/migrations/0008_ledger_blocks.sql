CREATE TABLE "nightshift"."verify_checkpoints" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."verify_checkpoints_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"scope" bigint NOT NULL,
	"state" text NOT NULL,
	"signature" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "verify_checkpoints_newest" ON "nightshift"."verify_checkpoints" USING btree ("kind","scope","id");
--> statement-breakpoint
ALTER TABLE "nightshift"."installation" ADD COLUMN "secret" "bytea" DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) NOT NULL;
--> statement-breakpoint
-- A view of this name follows (`db/sql/ledger.sql`). Until then, the report that depends on the table has no rows; it keeps what other schemas
-- build on it.
DO $$
BEGIN
  IF to_regclass('reports.credit_ledger') IS NOT NULL THEN
    CREATE OR REPLACE VIEW reports.credit_ledger AS
      SELECT NULL::text AS account, NULL::bigint AS seq, NULL::text AS kind, NULL::bigint AS lookup_id, NULL::numeric AS balance_delta,
        NULL::numeric AS held_delta, NULL::numeric AS balance_after, NULL::numeric AS held_after, NULL::text AS reason,
        NULL::timestamptz AS created_at
      WHERE false;
  END IF;
END $$;
--> statement-breakpoint
ALTER TABLE nightshift.ledger_blocks RENAME TO unpacked_blocks;
--> statement-breakpoint
ALTER TABLE nightshift.unpacked_blocks DROP CONSTRAINT ledger_blocks_account_id_to_seq_pk;
--> statement-breakpoint
CREATE TABLE "nightshift"."ledger_blocks" (
	"account_id" bigint NOT NULL,
	"to_seq" bigint NOT NULL,
	"from_seq" bigint NOT NULL,
	"first_lookup" bigint,
	"last_lookup" bigint,
	"balance_delta_micro" bigint NOT NULL,
	"held_delta_micro" bigint NOT NULL,
	"balance_after_micro" bigint NOT NULL,
	"held_after_micro" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"attempt" smallint,
	"phase" smallint,
	"is_unpacked_hash" boolean DEFAULT false NOT NULL,
	"hash" "bytea",
	"steps" smallint[],
	"grant_key" text,
	"reason" text,
	CONSTRAINT "ledger_blocks_account_id_to_seq_pk" PRIMARY KEY("account_id","to_seq"),
	CONSTRAINT "ledger_blocks_range" CHECK ("nightshift"."ledger_blocks"."from_seq" <= "nightshift"."ledger_blocks"."to_seq"),
	CONSTRAINT "ledger_blocks_lookups" CHECK (CASE WHEN "nightshift"."ledger_blocks"."first_lookup" IS NULL THEN "nightshift"."ledger_blocks"."last_lookup" IS NULL AND "nightshift"."ledger_blocks"."from_seq" = "nightshift"."ledger_blocks"."to_seq"
        WHEN "nightshift"."ledger_blocks"."steps" IS NULL THEN "nightshift"."ledger_blocks"."last_lookup" - "nightshift"."ledger_blocks"."first_lookup" = "nightshift"."ledger_blocks"."to_seq" - "nightshift"."ledger_blocks"."from_seq"
          AND "nightshift"."ledger_blocks"."last_lookup" - "nightshift"."ledger_blocks"."first_lookup" < 1024
        ELSE "nightshift"."ledger_blocks"."last_lookup" - "nightshift"."ledger_blocks"."first_lookup" < 1024
          AND array_lower("nightshift"."ledger_blocks"."steps", 1) = 1 AND "nightshift"."ledger_blocks"."steps"[1] = 0
          AND cardinality("nightshift"."ledger_blocks"."steps") = "nightshift"."ledger_blocks"."to_seq" - "nightshift"."ledger_blocks"."from_seq" + 1
          AND "nightshift"."ledger_blocks"."steps"[cardinality("nightshift"."ledger_blocks"."steps")] = "nightshift"."ledger_blocks"."last_lookup" - "nightshift"."ledger_blocks"."first_lookup" END),
	CONSTRAINT "ledger_blocks_not_negative" CHECK ("nightshift"."ledger_blocks"."balance_after_micro" >= 0 AND "nightshift"."ledger_blocks"."held_after_micro" >= 0),
	CONSTRAINT "ledger_blocks_shape" CHECK (CASE
        WHEN "nightshift"."ledger_blocks"."phase" IS NULL THEN "nightshift"."ledger_blocks"."first_lookup" IS NULL AND "nightshift"."ledger_blocks"."balance_delta_micro" > 0 AND "nightshift"."ledger_blocks"."held_delta_micro" = 0
        WHEN "nightshift"."ledger_blocks"."first_lookup" IS NULL OR "nightshift"."ledger_blocks"."attempt" IS NULL THEN false
        WHEN "nightshift"."ledger_blocks"."phase" = 0 THEN "nightshift"."ledger_blocks"."held_delta_micro" > 0 AND "nightshift"."ledger_blocks"."balance_delta_micro" = -"nightshift"."ledger_blocks"."held_delta_micro"
        WHEN "nightshift"."ledger_blocks"."phase" = 1 THEN "nightshift"."ledger_blocks"."held_delta_micro" < 0 AND "nightshift"."ledger_blocks"."balance_delta_micro" BETWEEN 0 AND -"nightshift"."ledger_blocks"."held_delta_micro"
        ELSE false END)
);
--> statement-breakpoint
-- Entries become blocks, in their order. A block of before becomes several where neighbours differ in more than their lookup, and keeps its
-- hash in the last of them: the chain stays as it was. Entries that do not follow from the one before stay apart, so that what was broken
-- stays broken.
INSERT INTO nightshift.ledger_blocks (account_id, to_seq, from_seq, first_lookup, last_lookup, balance_delta_micro, held_delta_micro,
  balance_after_micro, held_after_micro, created_at, attempt, phase, is_unpacked_hash, hash, steps, grant_key, reason)
SELECT p.account_id, max(p.seq), min(p.seq), p.first_lookup, max(p.lookup_id), p.balance_delta_micro, p.held_delta_micro,
  (array_agg(p.balance_after_micro ORDER BY p.seq DESC))[1], (array_agg(p.held_after_micro ORDER BY p.seq DESC))[1], p.created_at, p.attempt,
  p.phase, true, (array_agg(p.hash ORDER BY p.seq DESC))[1],
  CASE WHEN max(p.lookup_id) - p.first_lookup >= count(*) THEN array_agg((p.lookup_id - p.first_lookup)::smallint ORDER BY p.seq) END,
  p.grant_key, p.reason
FROM (
  SELECT r.*, min(r.lookup_id) OVER (PARTITION BY r.account_id, r.run, r.part) AS first_lookup
  FROM (
    SELECT s.*, (s.lookup_id - min(s.lookup_id) OVER (PARTITION BY s.account_id, s.run)) / 1024 AS part
    FROM (
      SELECT n.*, count(*) FILTER (WHERE n.begins) OVER (PARTITION BY n.account_id ORDER BY n.seq ROWS UNBOUNDED PRECEDING) AS run
      FROM (
        SELECT e.*, k.hash, NOT coalesce(lag(k.hash) OVER w IS NULL AND e.phase IS NOT NULL AND lag(e.seq) OVER w = e.seq - 1
          AND lag(e.lookup_id) OVER w < e.lookup_id
          AND (lag(e.attempt) OVER w, lag(e.phase) OVER w, lag(e.balance_delta_micro) OVER w, lag(e.held_delta_micro) OVER w,
            lag(e.created_at) OVER w) = (e.attempt, e.phase, e.balance_delta_micro, e.held_delta_micro, e.created_at)
          AND lag(e.balance_after_micro) OVER w = e.balance_after_micro - e.balance_delta_micro
          AND lag(e.held_after_micro) OVER w = e.held_after_micro - e.held_delta_micro, false) AS begins
        FROM nightshift.ledger_entries e
        LEFT JOIN nightshift.unpacked_blocks k ON k.account_id = e.account_id AND k.to_seq = e.seq
        WINDOW w AS (PARTITION BY e.account_id ORDER BY e.seq)
      ) n
    ) s
  ) r
) p
GROUP BY p.account_id, p.run, p.part, p.first_lookup, p.balance_delta_micro, p.held_delta_micro, p.created_at, p.attempt, p.phase, p.grant_key, p.reason
ORDER BY p.account_id, max(p.seq);
--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_blocks_once" ON "nightshift"."ledger_blocks" USING btree ("account_id","first_lookup","attempt","phase") WHERE "nightshift"."ledger_blocks"."from_seq" = "nightshift"."ledger_blocks"."to_seq" AND "nightshift"."ledger_blocks"."first_lookup" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "ledger_blocks_by_lookup" ON "nightshift"."ledger_blocks" USING btree ("account_id","first_lookup","last_lookup") WHERE "nightshift"."ledger_blocks"."from_seq" < "nightshift"."ledger_blocks"."to_seq";
--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_blocks_grant_once" ON "nightshift"."ledger_blocks" USING btree ("account_id","grant_key") WHERE "nightshift"."ledger_blocks"."grant_key" IS NOT NULL;
--> statement-breakpoint
DROP TABLE nightshift.unpacked_blocks;
--> statement-breakpoint
DO $$
BEGIN
  IF to_regprocedure('nightshift.ledger_entry_text(nightshift.ledger_entries)') IS NOT NULL THEN
    DROP FUNCTION nightshift.ledger_entry_text(nightshift.ledger_entries);
    DROP FUNCTION nightshift.ledger_close(nightshift.credit_balances, bigint, bigint, bigint, text);
  END IF;
END $$;
--> statement-breakpoint
DROP TABLE "nightshift"."ledger_entries";
--> statement-breakpoint
GRANT SELECT ON nightshift.ledger_blocks TO nightshift_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON nightshift.verify_checkpoints TO nightshift_app;
--> statement-breakpoint
GRANT USAGE ON SEQUENCE nightshift.verify_checkpoints_id_seq TO nightshift_app;
