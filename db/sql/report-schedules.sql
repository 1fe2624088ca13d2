-- Views of reports: schedules, scans, changes, events and webhooks.

CREATE OR REPLACE VIEW reports.schedules AS
  SELECT s.name AS schedule, s.public_id AS schedule_id, a.name AS account, s.cron, s.time_zone, s.state, s.state_since, s.next_at,
    s.file_name, s.companies, s.sources, trim_scale(s.max_credits_micro / 1000000.0) AS max_credits,
    trim_scale(s.day_credits_micro / 1000000.0) AS day_credits, s.overlap, s.catch_up, s.misses_to_end, s.stale_days, s.created_at
  FROM nightshift.schedules s JOIN nightshift.accounts a ON a.id = s.account_id;

COMMENT ON VIEW reports.schedules IS
  'One row per schedule, including removed ones. The name of a removed schedule can be used again; schedule_id is unique.';
COMMENT ON COLUMN reports.schedules.state IS 'active, paused or removed.';
COMMENT ON COLUMN reports.schedules.next_at IS 'Time of the next tick; null unless the schedule is active.';
COMMENT ON COLUMN reports.schedules.max_credits IS
  'Budget of a scan, in credits; day_credits is the budget of all scans of a day in time_zone. Null: no limit.';
COMMENT ON COLUMN reports.schedules.overlap IS 'Policy for a tick while a scan runs: skip or queue.';
COMMENT ON COLUMN reports.schedules.catch_up IS 'Policy for missed ticks: none, or once (one scan for all of them).';
COMMENT ON COLUMN reports.schedules.misses_to_end IS 'Number of consecutive complete scans without an ad after which it counts as ended.';
COMMENT ON COLUMN reports.schedules.stale_days IS 'Days since last_seen after which an ad counts as ended.';

CREATE OR REPLACE VIEW reports.scans AS
  SELECT n.public_id AS scan, s.name AS schedule, s.public_id AS schedule_id, a.name AS account, n.due_at, n.cause, n.state, n.reason,
    n.ticks, b.public_id AS batch, n.begun_at, n.finished_at, n.evaluated_at,
    b.lookups_total - b.email_lookups_total AS companies, c.companies_complete, c.companies_truncated, c.companies_partial,
    c.companies_unconfirmed_empty, k.failed - b.retried AS companies_failed,
    x.ads_baseline, x.ads_new, x.ads_reactivated, x.ads_ended, x.ads_changed, k.credits
  FROM nightshift.scans n
  JOIN nightshift.schedules s ON s.id = n.schedule_id
  JOIN nightshift.accounts a ON a.id = n.account_id
  LEFT JOIN nightshift.batches b ON b.id = n.batch_id
  LEFT JOIN LATERAL (
    SELECT coalesce(sum(h.failed), 0) AS failed, trim_scale(coalesce(sum(h.charged_micro), 0) / 1000000.0) AS credits
    FROM nightshift.chunks h WHERE h.batch_id = n.batch_id
  ) k ON true
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE completeness = 'complete') AS companies_complete,
      count(*) FILTER (WHERE completeness = 'truncated') AS companies_truncated,
      count(*) FILTER (WHERE completeness = 'partial') AS companies_partial,
      count(*) FILTER (WHERE completeness = 'unconfirmed_empty') AS companies_unconfirmed_empty
    FROM nightshift.scan_companies WHERE scan_id = n.id
  ) c
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE kind = 'baseline') AS ads_baseline, count(*) FILTER (WHERE kind = 'new') AS ads_new,
      count(*) FILTER (WHERE kind = 'reactivated') AS ads_reactivated, count(*) FILTER (WHERE kind = 'ended') AS ads_ended,
      count(*) FILTER (WHERE kind = 'changed') AS ads_changed
    FROM nightshift.ad_changes WHERE scan_id = n.id
  ) x;

COMMENT ON VIEW reports.scans IS
  'One row per scan of a schedule, and per tick without a scan, with the reason. Counts companies by completeness and ads by kind of change.';
COMMENT ON COLUMN reports.scans.due_at IS 'The tick of the scan. For a manual scan the time of its request; for missed ticks the last of them.';
COMMENT ON COLUMN reports.scans.cause IS 'tick, catch_up (one scan for missed ticks) or manual.';
COMMENT ON COLUMN reports.scans.state IS
  'waiting, running, finished, cancelled, skipped or missed. Skipped and missed scans have no batch; reason explains them.';
COMMENT ON COLUMN reports.scans.ticks IS 'Number of ticks that the scan covers: more than 1 only for missed ticks.';
COMMENT ON COLUMN reports.scans.batch IS 'Batch of the scan: the key of its rows, lookups and ads in the other views.';
COMMENT ON COLUMN reports.scans.evaluated_at IS 'Time at which its changes were last evaluated: after the batch ended, and after each retry.';
COMMENT ON COLUMN reports.scans.companies_failed IS 'Number of companies without a result. A retry of the batch looks them up again.';

CREATE OR REPLACE VIEW reports.scan_companies AS
  SELECT n.public_id AS scan, s.name AS schedule, s.public_id AS schedule_id, a.name AS account, c.company_key,
    CASE WHEN c.company_key LIKE 'd:%' THEN substr(c.company_key, 3) END AS company_domain, CASE WHEN c.company_key LIKE 'n:%' THEN substr(c.company_key, 3) END AS company_name,
    c.lookup_id, c.completeness, c.is_baseline, c.source, c.observed_at, c.day, c.ads_active, c.created_at
  FROM nightshift.scan_companies c
  JOIN nightshift.schedules s ON s.id = c.schedule_id
  JOIN nightshift.accounts a ON a.id = s.account_id
  JOIN nightshift.scans n ON n.id = c.scan_id;

COMMENT ON COLUMN reports.scan_companies.company_name IS
  'Normalised name of a company without a domain: lower case, without its legal form. Null for a company with a domain.';
COMMENT ON VIEW reports.scan_companies IS
  'One row per scan and company with a result: its completeness, and the number of ads that run as of that scan.';
COMMENT ON COLUMN reports.scan_companies.completeness IS
  'complete; truncated: the company has more ads than the requested maximum; partial: some pages could not be fetched; unconfirmed_empty: no ads where ads ran before, or no source identified the company. Only a complete scan can end an ad that it does not contain.';
COMMENT ON COLUMN reports.scan_companies.is_baseline IS 'True for the first scan with a result for the company: its ads are the baseline.';
COMMENT ON COLUMN reports.scan_companies.day IS 'UTC day of the answer. For a snapshot, its newest day.';
COMMENT ON COLUMN reports.scan_companies.created_at IS 'Time at which Nightshift stored the row; observed_at is the time of the source''s answer.';

CREATE OR REPLACE VIEW reports.ads_current AS
  SELECT s.name AS schedule, s.public_id AS schedule_id, a.name AS account, t.company_key,
    CASE WHEN t.company_key LIKE 'd:%' THEN substr(t.company_key, 3) END AS company_domain, CASE WHEN t.company_key LIKE 'n:%' THEN substr(t.company_key, 3) END AS company_name,
    CASE WHEN v.advertiser_id LIKE '%:%' THEN v.advertiser_id ELSE 'google:' || v.advertiser_id END AS advertiser_id,
    CASE WHEN v.creative_id LIKE '%:%' THEN v.creative_id ELSE 'google:' || v.creative_id END AS creative_id,
    v.advertiser_name, v.format, v.headline, v.original_url, t.version_id, t.source, k.observed_at AS known_since, t.start,
    t.last_seen, f.public_id AS first_scan, l.public_id AS last_scan, cardinality(t.missed_in) AS misses,
    CASE WHEN v.advertiser_id LIKE '%:%' THEN split_part(v.advertiser_id, ':', 1) ELSE 'google' END AS platform
  FROM nightshift.tracked_ads t
  JOIN nightshift.schedules s ON s.id = t.schedule_id
  JOIN nightshift.accounts a ON a.id = s.account_id
  JOIN nightshift.ad_contents v ON v.id = t.version_id
  LEFT JOIN nightshift.scans f ON f.id = t.first_scan_id
  LEFT JOIN nightshift.scans l ON l.id = t.last_scan_id
  LEFT JOIN nightshift.scan_companies k ON k.scan_id = t.first_scan_id AND k.company_key = t.company_key
  WHERE t.is_active AND s.state <> 'removed';

COMMENT ON VIEW reports.ads_current IS
  'One row per running ad of a schedule and company, as last observed.';
COMMENT ON COLUMN reports.ads_current.advertiser_id IS 'Id of the advertiser with its platform, such as google:AR01234567890123456789; the same for creative_id.';
COMMENT ON COLUMN reports.ads_current.platform IS 'Platform of the ad, the prefix of its ids: google, meta or another.';
COMMENT ON COLUMN reports.ads_current.known_since IS 'Time at which a scan first observed it; start is its first day, as reported by the source.';
COMMENT ON COLUMN reports.ads_current.last_seen IS 'UTC day on which the source last saw it; last_scan is the last scan that observed it.';
COMMENT ON COLUMN reports.ads_current.misses IS 'Number of consecutive complete scans without it. At misses_to_end of the schedule it ends.';

-- Observations of a company are in the order of its scans. A repeated answer is older than the observation before it and adds nothing: it
-- counts on the day of that observation.
CREATE OR REPLACE VIEW reports.ads_daily AS
  SELECT s.name AS schedule, s.public_id AS schedule_id, a.name AS account, d.company_key,
    CASE WHEN d.company_key LIKE 'd:%' THEN substr(d.company_key, 3) END AS company_domain, CASE WHEN d.company_key LIKE 'n:%' THEN substr(d.company_key, 3) END AS company_name,
    d.from_day + g.n AS day, d.ads_active
  FROM nightshift.schedules s
  JOIN nightshift.accounts a ON a.id = s.account_id
  CROSS JOIN LATERAL (
    SELECT CASE s.state WHEN 'removed' THEN (s.state_since AT TIME ZONE 'UTC')::date ELSE (now() AT TIME ZONE 'UTC')::date END AS day
  ) u
  CROSS JOIN LATERAL (
    SELECT y.company_key, y.day AS from_day, y.ads_active,
      coalesce(lead(y.day) OVER (PARTITION BY y.company_key ORDER BY y.day) - 1, greatest(u.day, y.day)) AS to_day
    FROM (
      SELECT DISTINCT ON (x.company_key, x.day) x.company_key, x.day, x.ads_active
      FROM (
        SELECT c.company_key, c.scan_id, c.ads_active,
          (max(c.observed_at) OVER (PARTITION BY c.company_key ORDER BY c.scan_id) AT TIME ZONE 'UTC')::date AS day
        FROM nightshift.scan_companies c
        JOIN nightshift.tracked_companies t ON t.schedule_id = c.schedule_id AND t.company_key = c.company_key
        WHERE c.schedule_id = s.id AND c.scan_id >= t.baseline_scan_id
      ) x
      ORDER BY x.company_key, x.day, x.scan_id DESC
    ) y
  ) d
  CROSS JOIN LATERAL generate_series(0, d.to_day - d.from_day) AS g(n);

COMMENT ON VIEW reports.ads_daily IS
  'One row per schedule, company and UTC day: the number of running ads as of the last scan of the day. Days run from the first answer for the company to today, or to the removal of the schedule; a day without a scan repeats the last number. Later scans do not change earlier days; reports.ads_as_of includes them.';

CREATE OR REPLACE VIEW reports.ads_changes AS
  SELECT s.name AS schedule, s.public_id AS schedule_id, a.name AS account, c.company_key,
    CASE WHEN c.company_key LIKE 'd:%' THEN substr(c.company_key, 3) END AS company_domain, CASE WHEN c.company_key LIKE 'n:%' THEN substr(c.company_key, 3) END AS company_name,
    c.kind, c.reason, c.kind = 'baseline' AS is_baseline,
    CASE WHEN v.advertiser_id LIKE '%:%' THEN v.advertiser_id ELSE 'google:' || v.advertiser_id END AS advertiser_id,
    CASE WHEN v.creative_id LIKE '%:%' THEN v.creative_id ELSE 'google:' || v.creative_id END AS creative_id, v.advertiser_name, v.format, v.headline, v.original_url,
    c.version_id, c.version_before, c.is_active, c.ran_from, c.ran_to,
    ARRAY(
      SELECT r.public_id FROM unnest(c.rests_on) WITH ORDINALITY AS o(scan_id, position)
      JOIN nightshift.scans r ON r.id = o.scan_id ORDER BY o.position
    ) AS rests_on,
    n.public_id AS scan, c.observed_at, c.created_at,
    CASE WHEN v.advertiser_id LIKE '%:%' THEN split_part(v.advertiser_id, ':', 1) ELSE 'google' END AS platform
  FROM nightshift.ad_changes c
  JOIN nightshift.schedules s ON s.id = c.schedule_id
  JOIN nightshift.accounts a ON a.id = c.account_id
  JOIN nightshift.scans n ON n.id = c.scan_id
  JOIN nightshift.ad_contents v ON v.id = c.version_id;

COMMENT ON VIEW reports.ads_changes IS
  'One row per change of an ad in a scan. Append-only: rows are never changed or deleted.';
COMMENT ON COLUMN reports.ads_changes.advertiser_id IS 'Id of the advertiser with its platform, such as google:AR01234567890123456789; the same for creative_id.';
COMMENT ON COLUMN reports.ads_changes.platform IS 'Platform of the ad, the prefix of its ids: google, meta or another.';
COMMENT ON COLUMN reports.ads_changes.kind IS
  'new; reactivated (it had ended before); changed (its content differs); ended; or baseline: it ran before the first scan, or an earlier scan missed it.';
COMMENT ON COLUMN reports.ads_changes.reason IS
  'For a baseline: first_scan, missed_earlier (an earlier scan may have missed it) or long_ago (it no longer runs). For an end: not_seen (by misses_to_end complete scans in a row) or last_seen_long_ago (stale_days). Null for other kinds.';
COMMENT ON COLUMN reports.ads_changes.version_id IS
  'Version of the ad after the change; version_before is the version before it, for kind changed. Both join reports.ads and reports.ad_variants.';
COMMENT ON COLUMN reports.ads_changes.ran_from IS 'First known UTC day of a run that begins with this change; null otherwise.';
COMMENT ON COLUMN reports.ads_changes.ran_to IS 'Last known UTC day of a run that ends with this change; null otherwise.';
COMMENT ON COLUMN reports.ads_changes.rests_on IS
  'Scans that are the evidence of the change, oldest first: for not_seen the scans that missed the ad, else one scan.';
COMMENT ON COLUMN reports.ads_changes.created_at IS 'Time at which Nightshift stored the row; observed_at is the time of the source''s answer.';

-- Within a company and schedule, changes of an ad are ordered by observed_at: a scan that was not observed later than its predecessor
-- changes nothing. A run begins with a change that has ran_from, and ends with one that has ran_to.
CREATE OR REPLACE FUNCTION reports.ads_as_of(day date, known_at timestamptz DEFAULT now())
RETURNS TABLE (schedule text, schedule_id text, account text, company_key text, company_domain text, company_name text,
  advertiser_id text, creative_id text, advertiser_name text, format text, headline text, original_url text, version_id bigint, ran_from date, ran_to date, is_active boolean,
  platform text)
LANGUAGE sql STABLE AS $$
  SELECT s.schedule, s.schedule_id, s.account, r.company_key, r.company_domain, r.company_name, r.advertiser_id, r.creative_id, r.advertiser_name,
    r.format, r.headline, r.original_url, r.version_id, r.run_from, r.run_to, r.is_open, r.platform
  FROM reports.schedules s
  CROSS JOIN LATERAL (
    SELECT DISTINCT ON (k.company_key, k.advertiser_id, k.creative_id) k.*
    FROM (
      SELECT c.*, least(min(c.ran_from) OVER w, max(c.ran_to) OVER w) AS run_from, max(c.ran_to) OVER w AS run_to,
        bool_and(c.is_active) OVER w AS is_open
      FROM (
        SELECT h.*, count(*) FILTER (WHERE h.kind IN ('baseline', 'new', 'reactivated'))
          OVER (PARTITION BY h.company_key, h.advertiser_id, h.creative_id ORDER BY h.observed_at) AS run
        FROM reports.ads_changes h
        WHERE h.schedule_id = s.schedule_id AND h.created_at <= ads_as_of.known_at
      ) c
      WINDOW w AS (PARTITION BY c.company_key, c.advertiser_id, c.creative_id, c.run)
    ) k
    WHERE k.run_from <= ads_as_of.day AND (k.is_open OR k.run_to >= ads_as_of.day)
      AND (k.kind IN ('baseline', 'new', 'reactivated')
        OR k.kind = 'changed' AND (k.observed_at AT TIME ZONE 'UTC')::date <= ads_as_of.day)
    ORDER BY k.company_key, k.advertiser_id, k.creative_id, k.run DESC, k.observed_at DESC
  ) r
  WHERE s.state <> 'removed' OR s.state_since > ads_as_of.known_at OR (s.state_since AT TIME ZONE 'UTC')::date >= ads_as_of.day
$$;

COMMENT ON FUNCTION reports.ads_as_of(date, timestamptz) IS
  'The ads that ran on a UTC day, according to what was known at known_at (default: now). Only changes with created_at up to known_at count. An ad runs from its first to its last known day; the first may precede the first scan. An ad without a known end runs on, also on days after known_at, until its schedule is removed. Example: an ad is last seen on the 4th, and missed on the 5th and the 6th, which ends it. As known on the 5th it ran on the 5th; as known on the 6th it did not. version_id is the version of that day: the first of the run, or that of the last change up to that day. ran_to is null while it runs (is_active).';

CREATE OR REPLACE VIEW reports.events AS
  SELECT n.public_id AS event_id, a.name AS account, n.event, n.payload, n.created_at
  FROM nightshift.events n JOIN nightshift.accounts a ON a.id = n.account_id;

COMMENT ON VIEW reports.events IS 'One row per event of an account, with or without deliveries. payload is the data that webhooks receive.';

CREATE OR REPLACE VIEW reports.webhook_deliveries AS
  SELECT n.public_id AS event_id, n.event, a.name AS account, w.public_id AS webhook, w.name AS webhook_name, w.kind,
    w.state AS webhook_state, d.state, d.attempts, d.tried_at, CASE WHEN d.state = 'pending' THEN d.next_at END AS next_at,
    d.delivered_at, d.last_status, d.last_error, n.created_at
  FROM nightshift.webhook_deliveries d
  JOIN nightshift.events n ON n.id = d.event_id
  JOIN nightshift.webhooks w ON w.id = d.webhook_id
  JOIN nightshift.accounts a ON a.id = n.account_id;

COMMENT ON VIEW reports.webhook_deliveries IS 'One row per event and webhook. state: pending, delivered, or dead (no more attempts until a replay).';
COMMENT ON COLUMN reports.webhook_deliveries.last_status IS 'HTTP status or SMTP code of the last attempt; null without a response.';

GRANT EXECUTE ON FUNCTION reports.ads_as_of
  TO nightshift_app, nightshift_reader;
GRANT SELECT ON reports.schedules, reports.scans, reports.scan_companies, reports.ads_current, reports.ads_daily, reports.ads_changes, reports.events, reports.webhook_deliveries
  TO nightshift_app, nightshift_reader;
