-- Schedules, their scans, and what was told of them.
GRANT SELECT, INSERT, UPDATE ON nightshift.schedules, nightshift.scans, nightshift.tracked_companies, nightshift.tracked_ads,
  nightshift.webhooks, nightshift.webhook_deliveries TO nightshift_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON nightshift.scan_companies, nightshift.ad_changes, nightshift.ad_looks TO nightshift_app;
--> statement-breakpoint
GRANT SELECT ON nightshift.notices TO nightshift_app;
--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA nightshift TO nightshift_app;
--> statement-breakpoint

-- What scans said and what changed is append-only, as what the lookups saw is (0001).
DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['scan_companies', 'ad_changes'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON nightshift.%I
      FOR EACH ROW EXECUTE FUNCTION nightshift.refuse_change()', v_table);
    EXECUTE format('CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON nightshift.%I
      FOR EACH STATEMENT EXECUTE FUNCTION nightshift.refuse_change()', v_table);
    EXECUTE format('ALTER TABLE nightshift.%I ENABLE ALWAYS TRIGGER append_only', v_table);
    EXECUTE format('ALTER TABLE nightshift.%I ENABLE ALWAYS TRIGGER append_only_truncate', v_table);
  END LOOP;
END $$;
