-- Mapped advertisers carry their platform. Only Google's ids can be recognized by their form; others were of platforms that the mapping did not
-- name. No two ids become equal, so the primary key holds.
UPDATE nightshift.company_advertisers
SET advertiser_id = CASE WHEN advertiser_id ~ '^AR[0-9]{20}$' THEN 'google:' ELSE 'other:' END || advertiser_id;--> statement-breakpoint
-- Its result has the column platform now (db/sql/report-schedules.sql).
DROP FUNCTION IF EXISTS reports.ads_as_of(date, timestamptz);--> statement-breakpoint
DROP FUNCTION IF EXISTS account_reports.ads_as_of(date, timestamptz);
