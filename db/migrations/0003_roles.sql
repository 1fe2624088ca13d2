-- Roles are shared by all databases of a server, so each is made only when it is missing; two databases that are migrated at
-- once may meet here. The private server's launcher makes them with passwords before.
DO $$
DECLARE
  v_role text;
BEGIN
  FOREACH v_role IN ARRAY ARRAY['nightshift_app', 'nightshift_reader'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', v_role);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
    -- So that whoever migrates can act as the role (SET ROLE); a superuser can anyway.
    IF NOT pg_has_role(current_user, v_role, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', v_role);
    END IF;
  END LOOP;
END $$;
--> statement-breakpoint
REVOKE ALL ON SCHEMA nightshift FROM PUBLIC;
--> statement-breakpoint
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA nightshift FROM PUBLIC;
--> statement-breakpoint
GRANT USAGE ON SCHEMA nightshift TO nightshift_app;
--> statement-breakpoint
GRANT SELECT ON ALL TABLES IN SCHEMA nightshift TO nightshift_app;
--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA nightshift TO nightshift_app;
--> statement-breakpoint
GRANT INSERT, UPDATE ON nightshift.batches, nightshift.lookups, nightshift.chunks, nightshift.source_calls,
  nightshift.source_buckets, nightshift.snapshots, nightshift.advertisers TO nightshift_app;
--> statement-breakpoint
GRANT INSERT, DELETE ON nightshift.batch_rows TO nightshift_app;
--> statement-breakpoint
-- A file that turns out to be unreadable in the middle is taken back whole, while its batch still loads.
GRANT DELETE ON nightshift.batches, nightshift.lookups TO nightshift_app;
--> statement-breakpoint
GRANT INSERT, UPDATE, DELETE ON nightshift.snapshot_ads, nightshift.advertiser_names, nightshift.company_advertisers
  TO nightshift_app;
--> statement-breakpoint
GRANT INSERT ON nightshift.ads, nightshift.ad_versions, nightshift.ad_variants, nightshift.lookup_ads, nightshift.prices
  TO nightshift_app;
--> statement-breakpoint
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA nightshift TO nightshift_app;
--> statement-breakpoint
-- These two are the inside of the ledger: called by its functions, with their owner's rights, and by nobody else.
REVOKE EXECUTE ON FUNCTION nightshift.ledger_lock(bigint) FROM nightshift_app;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION nightshift.ledger_close(nightshift.credit_balances, bigint, bigint, bigint, text) FROM nightshift_app;
--> statement-breakpoint
-- The queue's own schema belongs to the application: it migrates it, and makes it again when somebody dropped it. It may be
-- emptied without a loss (docs/architecture/decisions/0003-postgres-is-the-record.md). BullMQ adds jobs through a temporary table.
DO $$
BEGIN
  EXECUTE format('GRANT CREATE, TEMPORARY ON DATABASE %I TO nightshift_app', current_database());
END $$;
--> statement-breakpoint
CREATE SCHEMA IF NOT EXISTS bullmq AUTHORIZATION nightshift_app;
