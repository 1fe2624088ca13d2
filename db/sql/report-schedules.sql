-- The views of reports: schedules, scans, changes and webhooks.

-- What people see of schedules, their scans and what those changed.
CREATE OR REPLACE VIEW reports.schedules AS
  SELECT s.name AS schedule, s.public_id AS schedule_id, a.name AS account, s.cron, s.time_zone, s.state, s.state_since, s.next_at,
    s.file_name, s.companies, s.sources, trim_scale(s.max_credits_micro / 1000000.0) AS max_credits,
    trim_scale(s.day_credits_micro / 1000000.0) AS day_credits, s.overlap, s.catch_up, s.misses_to_end, s.stale_days, s.created_at
  FROM nightshift.schedules s JOIN nightshift.accounts a ON a.id = s.account_id;

COMMENT ON VIEW reports.schedules IS
  'One line per list of companies that is scanned again and again, removed ones too: their name may be taken anew, their schedule_id not.';
COMMENT ON COLUMN reports.schedules.state IS 'active, paused or removed.';
COMMENT ON COLUMN reports.schedules.next_at IS 'The next tick; null while it is not active.';
COMMENT ON COLUMN reports.schedules.max_credits IS
  'What a scan may be charged, and in day_credits what the scans of a day may be charged together, by time_zone; null: no limit.';
COMMENT ON COLUMN reports.schedules.overlap IS 'What becomes of a tick while a scan still runs: skip or queue.';
COMMENT ON COLUMN reports.schedules.catch_up IS 'What becomes of ticks that nobody was there for: none, or once (one scan for all of them).';
COMMENT ON COLUMN reports.schedules.misses_to_end IS 'Complete scans in a row that must miss an ad to end it.';
COMMENT ON COLUMN reports.schedules.stale_days IS 'An ad that its source last saw more than so many days ago has ended.';

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
  'One line per run of a schedule, and per tick that made none, with the reason. How complete its answers are, and how many ads changed.';
COMMENT ON COLUMN reports.scans.due_at IS 'The tick it is for; of a run by hand, when that was asked for; of missed ticks the last.';
COMMENT ON COLUMN reports.scans.cause IS 'tick, catch_up (one scan for ticks that were missed) or manual.';
COMMENT ON COLUMN reports.scans.state IS
  'waiting: not begun; running: its batch is not finished; finished, cancelled; skipped and missed made no batch, reason says why.';
COMMENT ON COLUMN reports.scans.ticks IS 'Ticks that it stands for: more than one only where they were missed together.';
COMMENT ON COLUMN reports.scans.batch IS 'The scan as a batch: its rows, lookups and ads stand under this in the other views.';
COMMENT ON COLUMN reports.scans.evaluated_at IS 'When its changes were last computed: once its batch had ended, and again after each retry.';
COMMENT ON COLUMN reports.scans.companies_failed IS 'Companies that nothing can be said of; retry of the batch looks them up again.';

CREATE OR REPLACE VIEW reports.scan_companies AS
  SELECT n.public_id AS scan, s.name AS schedule, s.public_id AS schedule_id, a.name AS account, c.company_key,
    CASE WHEN c.company_key LIKE 'd:%' THEN substr(c.company_key, 3) END AS company_domain, CASE WHEN c.company_key LIKE 'n:%' THEN substr(c.company_key, 3) END AS company_name,
    c.lookup_id, c.completeness, c.is_baseline, c.source, c.observed_at, c.day, c.ads_active, c.created_at
  FROM nightshift.scan_companies c
  JOIN nightshift.schedules s ON s.id = c.schedule_id
  JOIN nightshift.accounts a ON a.id = s.account_id
  JOIN nightshift.scans n ON n.id = c.scan_id;

COMMENT ON COLUMN reports.scan_companies.company_name IS
  'Of a company without a domain, its name as names are compared: in small letters, without its legal form. The same in the other views of scans.';
COMMENT ON VIEW reports.scan_companies IS
  'One line per scan and company that it says something about: how complete that is, and how many ads run, as far as is known then.';
COMMENT ON COLUMN reports.scan_companies.completeness IS
  'complete; truncated: there are more ads than were asked for; partial: a part could not be had; unconfirmed_empty: nothing found where ads ran, or nobody could identify the company. Only a complete scan can end an ad that it does not contain.';
COMMENT ON COLUMN reports.scan_companies.is_baseline IS 'The first scan that says something about the company: what was there already is no news.';
COMMENT ON COLUMN reports.scan_companies.day IS 'The UTC day that the answer speaks of: of a snapshot, the newest that it knows.';
COMMENT ON COLUMN reports.scan_companies.created_at IS 'When this became known here; observed_at is when the source said it.';

CREATE OR REPLACE VIEW reports.ads_current AS
  SELECT s.name AS schedule, s.public_id AS schedule_id, a.name AS account, t.company_key,
    CASE WHEN t.company_key LIKE 'd:%' THEN substr(t.company_key, 3) END AS company_domain, CASE WHEN t.company_key LIKE 'n:%' THEN substr(t.company_key, 3) END AS company_name,
    i.advertiser_id, i.creative_id, v.advertiser_name, v.format, v.headline, v.original_url, t.version_id, t.source, k.observed_at AS known_since, t.start,
    t.last_seen, f.public_id AS first_scan, l.public_id AS last_scan, cardinality(t.missed_in) AS misses
  FROM nightshift.tracked_ads t
  JOIN nightshift.schedules s ON s.id = t.schedule_id
  JOIN nightshift.accounts a ON a.id = s.account_id
  JOIN nightshift.ads i ON i.id = t.ad_id
  JOIN nightshift.ad_versions v ON v.id = t.version_id
  LEFT JOIN nightshift.scans f ON f.id = t.first_scan_id
  LEFT JOIN nightshift.scans l ON l.id = t.last_scan_id
  LEFT JOIN nightshift.scan_companies k ON k.scan_id = t.first_scan_id AND k.company_key = t.company_key
  WHERE t.is_active AND s.state <> 'removed';

COMMENT ON VIEW reports.ads_current IS
  'One line per ad that runs now, by schedule and company, as far as is known; as it was last seen.';
COMMENT ON COLUMN reports.ads_current.known_since IS 'When a scan first saw it; start is since when it runs, as its source says.';
COMMENT ON COLUMN reports.ads_current.last_seen IS 'The UTC day on which its source last saw it; last_scan is the scan that last did.';
COMMENT ON COLUMN reports.ads_current.misses IS 'Complete scans in a row that have not seen it since. It ends with misses_to_end of its schedule.';

-- The looks of a company stand in the order of its scans. An answer that is shown again is older than the look before and says nothing
-- new: it counts on the day of that one.
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
  'One line per schedule, company and UTC day: how many ads ran, as the last scan of the day had it. From the day of the company''s first answer to today, or to the day on which the schedule was removed; a day without a scan carries on the last number. Later knowledge does not change it: reports.ads_as_of has that.';

CREATE OR REPLACE VIEW reports.ads_changes AS
  SELECT s.name AS schedule, s.public_id AS schedule_id, a.name AS account, c.company_key,
    CASE WHEN c.company_key LIKE 'd:%' THEN substr(c.company_key, 3) END AS company_domain, CASE WHEN c.company_key LIKE 'n:%' THEN substr(c.company_key, 3) END AS company_name,
    c.kind, c.reason, c.kind = 'baseline' AS is_baseline, i.advertiser_id, i.creative_id, v.advertiser_name, v.format, v.headline, v.original_url,
    c.version_id, c.version_before, c.is_active, c.ran_from, c.ran_to,
    ARRAY(
      SELECT r.public_id FROM unnest(c.rests_on) WITH ORDINALITY AS o(scan_id, position)
      JOIN nightshift.scans r ON r.id = o.scan_id ORDER BY o.position
    ) AS rests_on,
    n.public_id AS scan, c.observed_at, c.created_at
  FROM nightshift.ad_changes c
  JOIN nightshift.schedules s ON s.id = c.schedule_id
  JOIN nightshift.accounts a ON a.id = c.account_id
  JOIN nightshift.scans n ON n.id = c.scan_id
  JOIN nightshift.ads i ON i.id = c.ad_id
  JOIN nightshift.ad_versions v ON v.id = c.version_id;

COMMENT ON VIEW reports.ads_changes IS
  'One line per ad and scan that changed what is known of it. Append-only: nothing of it is ever taken back.';
COMMENT ON COLUMN reports.ads_changes.kind IS
  'new, reactivated (it had ended), changed (it looks otherwise), ended; or baseline: there before we looked, or missed then, and no news.';
COMMENT ON COLUMN reports.ads_changes.reason IS
  'Of a baseline: first_scan, missed_earlier (an earlier scan may have missed it) or long_ago (it does not run any more). Of an end: not_seen (in as many complete scans in a row as the schedule asks for) or last_seen_long_ago (by its own source).';
COMMENT ON COLUMN reports.ads_changes.version_id IS
  'What the ad looks like, or looked like last; version_before of a changed one. Both join reports.ads and reports.ad_variants.';
COMMENT ON COLUMN reports.ads_changes.ran_from IS 'The first UTC day that it is known to have run, of an ad that runs now and did not before.';
COMMENT ON COLUMN reports.ads_changes.ran_to IS 'The last UTC day that it is known to have run, of an ad that does not run any more.';
COMMENT ON COLUMN reports.ads_changes.rests_on IS
  'The scans it follows from, oldest first: of an ad that was not seen those that missed it, else the one that says so.';
COMMENT ON COLUMN reports.ads_changes.created_at IS 'When this became known here; observed_at is when the source said it.';

-- Within a company and schedule the changes of an ad are ordered by observed_at: a scan that was observed no later than the one before
-- changes nothing. A run begins with a change that says from when, and ends with the one that says until when.
CREATE OR REPLACE FUNCTION reports.ads_as_of(day date, known_at timestamptz DEFAULT now())
RETURNS TABLE (schedule text, schedule_id text, account text, company_key text, company_domain text, company_name text,
  advertiser_id text, creative_id text, advertiser_name text, format text, headline text, original_url text, version_id bigint, ran_from date, ran_to date, is_active boolean)
LANGUAGE sql STABLE AS $$
  SELECT s.schedule, s.schedule_id, s.account, r.company_key, r.company_domain, r.company_name, r.advertiser_id, r.creative_id, r.advertiser_name,
    r.format, r.headline, r.original_url, r.version_id, r.run_from, r.run_to, r.is_open
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
  'The ads that ran on a UTC day, as far as was known at a moment; default: now. Only changes with created_at up to known_at count. An ad runs from the first day that it is known to have run, which may lie before the first scan, to the last day that it is known to have run; as long as nothing says that it has ended, it runs on, also on days after known_at; but not after its schedule was removed. So an ad last seen on the 4th, missed on the 5th and, for the second time, on the 6th, ran on the 5th as far as was known on the 5th, and did not as far as was known on the 6th. version_id is how it looked by then: as it was first seen in that run, or as the last change up to that day has it. ran_to is null while it runs (is_active).';

CREATE OR REPLACE VIEW reports.events AS
  SELECT n.public_id AS event_id, a.name AS account, n.event, n.payload, n.created_at
  FROM nightshift.events n JOIN nightshift.accounts a ON a.id = n.account_id;

COMMENT ON VIEW reports.events IS 'Everything that accounts were to be told of, whether or not anybody was; payload is what webhooks are sent as data.';

CREATE OR REPLACE VIEW reports.webhook_deliveries AS
  SELECT n.public_id AS event_id, n.event, a.name AS account, w.public_id AS webhook, w.name AS webhook_name, w.kind,
    w.state AS webhook_state, d.state, d.attempts, d.tried_at, CASE WHEN d.state = 'pending' THEN d.next_at END AS next_at,
    d.delivered_at, d.last_status, d.last_error, n.created_at
  FROM nightshift.webhook_deliveries d
  JOIN nightshift.events n ON n.id = d.event_id
  JOIN nightshift.webhooks w ON w.id = d.webhook_id
  JOIN nightshift.accounts a ON a.id = n.account_id;

COMMENT ON VIEW reports.webhook_deliveries IS 'One line per event and webhook: pending (on its way), delivered, or dead (given up, until it is replayed).';
COMMENT ON COLUMN reports.webhook_deliveries.last_status IS 'The HTTP status of the last attempt, or the SMTP code; null without an answer.';

GRANT EXECUTE ON FUNCTION reports.ads_as_of
  TO nightshift_app, nightshift_reader;
GRANT SELECT ON reports.schedules, reports.scans, reports.scan_companies, reports.ads_current, reports.ads_daily, reports.ads_changes, reports.events, reports.webhook_deliveries
  TO nightshift_app, nightshift_reader;
