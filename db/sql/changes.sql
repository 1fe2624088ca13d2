-- States of the ads of schedules.

-- The state of every ad. The row of an ad that the newest answer of its company has refers to that answer: `is_carried`; and where the answer
-- saw it on its newest day, so does its last day: `is_newest` (`db/schema/schedules.ts`).
CREATE OR REPLACE VIEW nightshift.tracked_ads AS
  SELECT r.schedule_id, r.company_key, r.ad_id, r.is_active, r.first_scan_id, coalesce(r.last_scan_id, c.seen_scan_id) AS last_scan_id,
    r.version_id, r.source, r.content_hash, r.other_sources, coalesce(r.day, c.seen_day) AS day, r.start,
    CASE WHEN r.last_seen = 'infinity' THEN c.seen_newest_day ELSE r.last_seen END AS last_seen, r.missed_in,
    r.last_scan_id IS NULL AS is_carried, coalesce(r.last_seen = 'infinity', false) AS is_newest
  FROM nightshift.tracked_ad_rows r
  LEFT JOIN nightshift.tracked_companies c ON c.schedule_id = r.schedule_id AND c.company_key = r.company_key;

GRANT SELECT ON nightshift.tracked_ads TO nightshift_app;
