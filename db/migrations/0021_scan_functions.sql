-- Schedules, their scans, and what was told of them.
GRANT SELECT, INSERT, UPDATE ON nightshift.schedules, nightshift.scans, nightshift.tracked_companies, nightshift.tracked_ads,
  nightshift.webhooks, nightshift.webhook_deliveries TO nightshift_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON nightshift.scan_companies, nightshift.ad_changes, nightshift.ad_looks TO nightshift_app;
--> statement-breakpoint
GRANT SELECT ON nightshift.notices TO nightshift_app;
--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA nightshift TO nightshift_app;
