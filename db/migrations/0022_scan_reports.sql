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
--> statement-breakpoint

CREATE VIEW reports.schedules AS
  SELECT c.name AS schedule, c.public_id AS schedule_id, a.name AS account, c.state, c.cron, c.time_zone, c.next_at, c.file_name,
    c.companies, c.sources, trim_scale(c.max_credits_micro / 1000000.0) AS max_credits,
    trim_scale(c.day_credits_micro / 1000000.0) AS day_credits, c.overlap, c.catch_up, c.misses_to_end, c.stale_days, c.created_at,
    c.state_since
  FROM nightshift.schedules c JOIN nightshift.accounts a ON a.id = c.account_id;
--> statement-breakpoint
COMMENT ON VIEW reports.schedules IS
  'One line per schedule: which list it looks at, when, and how sure it wants to be. Those that were removed stay, with their history.';
--> statement-breakpoint
COMMENT ON COLUMN reports.schedules.schedule IS 'Its name; a removed schedule may have left it to another. schedule_id is its own for ever.';
--> statement-breakpoint
COMMENT ON COLUMN reports.schedules.max_credits IS 'What a scan may be charged; day_credits: all scans of a day together. Null: no limit of its own.';
--> statement-breakpoint
COMMENT ON COLUMN reports.schedules.misses_to_end IS 'Complete looks in a row that must miss an ad to end it.';
--> statement-breakpoint
COMMENT ON COLUMN reports.schedules.stale_days IS 'An ad that its source last saw longer ago has ended.';
--> statement-breakpoint

CREATE VIEW reports.scans AS
  SELECT s.public_id AS scan, s.id AS scan_no, c.name AS schedule, c.public_id AS schedule_id, a.name AS account, s.due_at, s.cause,
    s.state, s.reason, s.ticks, b.public_id AS batch, s.begun_at, s.finished_at, s.evaluated_at,
    b.lookups_total - b.email_lookups_total AS companies, k.complete, k.truncated, k.partial, k.unconfirmed_empty,
    CASE WHEN s.evaluated_at IS NOT NULL THEN b.lookups_total - b.email_lookups_total - k.heard END AS failed,
    n.ads_new, n.ads_reactivated, n.ads_ended, n.ads_changed, n.ads_baseline, trim_scale(p.charged_micro / 1000000.0) AS credits
  FROM nightshift.scans s
  JOIN nightshift.schedules c ON c.id = s.schedule_id
  JOIN nightshift.accounts a ON a.id = s.account_id
  LEFT JOIN nightshift.batches b ON b.id = s.batch_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS heard, count(*) FILTER (WHERE completeness = 'complete') AS complete,
      count(*) FILTER (WHERE completeness = 'truncated') AS truncated, count(*) FILTER (WHERE completeness = 'partial') AS partial,
      count(*) FILTER (WHERE completeness = 'unconfirmed_empty') AS unconfirmed_empty
    FROM nightshift.scan_companies WHERE scan_id = s.id
  ) k
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE kind = 'new') AS ads_new, count(*) FILTER (WHERE kind = 'reactivated') AS ads_reactivated,
      count(*) FILTER (WHERE kind = 'ended') AS ads_ended, count(*) FILTER (WHERE kind = 'changed') AS ads_changed,
      count(*) FILTER (WHERE kind = 'baseline') AS ads_baseline
    FROM nightshift.ad_changes WHERE scan_id = s.id
  ) n
  CROSS JOIN LATERAL (SELECT coalesce(sum(charged_micro), 0) AS charged_micro FROM nightshift.chunks WHERE batch_id = s.batch_id) p;
--> statement-breakpoint
COMMENT ON VIEW reports.scans IS
  'One line per run of a schedule, and per tick that made none (skipped, missed): how complete it was, what it changed, what it cost.';
--> statement-breakpoint
COMMENT ON COLUMN reports.scans.scan_no IS 'Grows with time: the order in which the scans of a schedule are evaluated.';
--> statement-breakpoint
COMMENT ON COLUMN reports.scans.evaluated_at IS 'When its changes were worked out; null: not yet. A retry has it done once more.';
--> statement-breakpoint
COMMENT ON COLUMN reports.scans.companies IS
  'Distinct companies of its list: complete, truncated, partial and unconfirmed_empty by what they were heard to have; failed: nothing was.';
--> statement-breakpoint

CREATE VIEW reports.scan_companies AS
  SELECT s.public_id AS scan, k.scan_id AS scan_no, c.name AS schedule, c.public_id AS schedule_id, a.name AS account, k.company_key,
    l.company_domain, l.company_name, k.completeness, k.is_baseline, l.outcome, k.source, k.observed_at, k.day, k.ads_active,
    k.lookup_id, k.created_at
  FROM nightshift.scan_companies k
  JOIN nightshift.scans s ON s.id = k.scan_id
  JOIN nightshift.schedules c ON c.id = k.schedule_id
  JOIN nightshift.accounts a ON a.id = c.account_id
  LEFT JOIN nightshift.lookups l ON l.id = k.lookup_id;
--> statement-breakpoint
COMMENT ON VIEW reports.scan_companies IS
  'What a scan heard of a company, one line each: how complete the answer is, and how many ads run as far as is known after it.';
--> statement-breakpoint
COMMENT ON COLUMN reports.scan_companies.completeness IS
  'complete; truncated: there is more than was asked for; partial: a part could not be had; unconfirmed_empty: an empty answer that nothing confirms yet, or nobody could tell which company. Only complete ones can end an ad by not having it.';
--> statement-breakpoint
COMMENT ON COLUMN reports.scan_companies.day IS 'The UTC day that the answer speaks of: that of observed_at, or the newest that a snapshot knows.';
--> statement-breakpoint

CREATE VIEW reports.ads_current AS
  SELECT c.name AS schedule, c.public_id AS schedule_id, a.name AS account, t.company_key, l.company_domain, l.company_name,
    i.advertiser_id, i.creative_id, v.advertiser_name, v.format, v.original_url, v.headline, v.description, v.display_url, v.final_url,
    t.start, t.last_seen, t.source, t.version_id, f.public_id AS first_scan, s.public_id AS last_scan, e.observed_at AS seen_at,
    k.last_observed_at AS looked_at, cardinality(t.missed_in) AS misses
  FROM nightshift.tracked_ads t
  JOIN nightshift.schedules c ON c.id = t.schedule_id
  JOIN nightshift.accounts a ON a.id = c.account_id
  JOIN nightshift.ads i ON i.id = t.ad_id
  JOIN nightshift.ad_versions v ON v.id = t.version_id
  LEFT JOIN nightshift.scans f ON f.id = t.first_scan_id
  LEFT JOIN nightshift.scans s ON s.id = t.last_scan_id
  LEFT JOIN nightshift.scan_companies e ON e.scan_id = t.last_scan_id AND e.company_key = t.company_key
  LEFT JOIN nightshift.lookups l ON l.id = e.lookup_id
  LEFT JOIN nightshift.tracked_companies k ON k.schedule_id = t.schedule_id AND k.company_key = t.company_key
  WHERE t.is_active;
--> statement-breakpoint
COMMENT ON VIEW reports.ads_current IS 'The ads that run now as far as is known, one line per schedule, company and ad, as they looked last.';
--> statement-breakpoint
COMMENT ON COLUMN reports.ads_current.start IS 'First and last day (last_seen) that its source saw it, by UTC; null where that does not say.';
--> statement-breakpoint
COMMENT ON COLUMN reports.ads_current.seen_at IS 'When a scan last saw it; looked_at: when its company was last looked at.';
--> statement-breakpoint
COMMENT ON COLUMN reports.ads_current.misses IS 'Complete looks since then that did not have it; misses_to_end of them end it.';
--> statement-breakpoint

CREATE VIEW reports.ads_changes AS
  SELECT c.name AS schedule, c.public_id AS schedule_id, a.name AS account, s.public_id AS scan, h.scan_id AS scan_no, h.company_key,
    l.company_domain, l.company_name, h.kind, h.reason, h.kind <> 'baseline' AS is_news, i.advertiser_id, i.creative_id,
    v.advertiser_name, v.format, v.headline, v.original_url, h.version_id, h.version_before, h.is_active, h.ran_from, h.ran_to,
    ARRAY(SELECT r.public_id FROM nightshift.scans r WHERE r.id = ANY (h.rests_on) ORDER BY r.id) AS rests_on, h.observed_at,
    h.created_at
  FROM nightshift.ad_changes h
  JOIN nightshift.schedules c ON c.id = h.schedule_id
  JOIN nightshift.accounts a ON a.id = c.account_id
  JOIN nightshift.ads i ON i.id = h.ad_id
  JOIN nightshift.ad_versions v ON v.id = h.version_id
  JOIN nightshift.scans s ON s.id = h.scan_id
  LEFT JOIN nightshift.scan_companies k ON k.scan_id = h.scan_id AND k.company_key = h.company_key
  LEFT JOIN nightshift.lookups l ON l.id = k.lookup_id;
--> statement-breakpoint
COMMENT ON VIEW reports.ads_changes IS
  'Every change of an ad, one line each, append-only: baseline (no news), new, reactivated, ended, changed; and the scans it rests on.';
--> statement-breakpoint
COMMENT ON COLUMN reports.ads_changes.reason IS
  'Of a baseline: first_scan, missed_earlier (it ran before, earlier looks may have missed it), long_ago (it does not run). Of an end: not_seen, last_seen_long_ago.';
--> statement-breakpoint
COMMENT ON COLUMN reports.ads_changes.ran_from IS
  'Of an ad that runs from now on: the first day that it is known to have run. ran_to, of one that does not: the last.';
--> statement-breakpoint
COMMENT ON COLUMN reports.ads_changes.rests_on IS 'The scans that it follows from, the oldest first: of an ad that was not seen those that missed it.';
--> statement-breakpoint
COMMENT ON COLUMN reports.ads_changes.observed_at IS 'When the source said what it follows from; created_at: when it was worked out.';
--> statement-breakpoint

CREATE VIEW reports.ads_daily AS
  SELECT c.name AS schedule, c.public_id AS schedule_id, a.name AS account, p.company_key, l.company_domain, l.company_name,
    d.day::date AS day, p.ads_active, d.day::date = p.day AS is_scanned, p.completeness
  FROM nightshift.schedules c
  JOIN nightshift.accounts a ON a.id = c.account_id
  CROSS JOIN LATERAL (
    SELECT e.*, lead(e.day) OVER (PARTITION BY e.company_key ORDER BY e.day) AS next_day
    FROM (
      -- The last look of each day. An answer that is shown again is as old as when it was given, and says nothing of a day since.
      SELECT DISTINCT ON (n.company_key, n.on_day) n.company_key, n.on_day AS day, n.ads_active, n.completeness, n.lookup_id
      FROM (
        SELECT k.*, (k.observed_at AT TIME ZONE 'UTC')::date AS on_day, max(k.observed_at) OVER (PARTITION BY k.company_key
          ORDER BY k.scan_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
        FROM nightshift.scan_companies k WHERE k.schedule_id = c.id
      ) n
      WHERE n.before IS NULL OR n.observed_at > n.before
      ORDER BY n.company_key, n.on_day, n.scan_id DESC
    ) e
  ) p
  LEFT JOIN nightshift.lookups l ON l.id = p.lookup_id
  CROSS JOIN LATERAL generate_series(p.day::timestamp, coalesce(p.next_day - 1,
    greatest(p.day, (CASE c.state WHEN 'removed' THEN least(c.state_since, now()) ELSE now() END AT TIME ZONE 'UTC')::date))::timestamp,
    interval '1 day') AS d(day);
--> statement-breakpoint
COMMENT ON VIEW reports.ads_daily IS
  'How many ads of a company ran at the end of each UTC day, as was known then: from its first scan to today, or until the schedule was removed. Days without a scan carry on the last.';
--> statement-breakpoint
COMMENT ON COLUMN reports.ads_daily.completeness IS 'Of the last answer up to then. While it is not complete, more ads may run.';
--> statement-breakpoint

-- Which ads ran on a day, as far as was known at a moment. Over the view, not the tables, so that it may be read by whoever may read that:
-- it is inlined, and so the planner sees which schedule is asked about.
CREATE FUNCTION reports.ads_as_of(day date, known_at timestamptz DEFAULT now())
RETURNS TABLE (schedule text, schedule_id text, account text, company_key text, company_domain text, company_name text,
  advertiser_id text, creative_id text, advertiser_name text, format text, original_url text, version_id bigint, ran_from date,
  ran_to date, first_scan text)
LANGUAGE sql STABLE AS $$
  SELECT r.schedule, r.schedule_id, r.account, r.company_key, r.company_domain, r.company_name, r.advertiser_id, r.creative_id,
    r.advertiser_name, r.format, r.original_url,
    coalesce((
      SELECT h.version_id FROM reports.ads_changes h
      WHERE h.schedule_id = r.schedule_id AND h.company_key = r.company_key AND h.advertiser_id = r.advertiser_id
        AND h.creative_id = r.creative_id AND h.kind = 'changed' AND h.created_at <= ads_as_of.known_at
        AND h.scan_no > r.scan_no AND (r.ended_in IS NULL OR h.scan_no < r.ended_in)
        AND (h.observed_at AT TIME ZONE 'UTC')::date <= ads_as_of.day
      ORDER BY h.scan_no DESC LIMIT 1), r.version_id),
    r.ran_from, r.ran_to, r.scan
  FROM (
    SELECT DISTINCT ON (b.account, b.schedule, b.schedule_id, b.company_key, b.advertiser_id, b.creative_id) b.*
    FROM (
      SELECT h.account, h.schedule, h.schedule_id, h.company_key, h.company_domain, h.company_name, h.advertiser_id, h.creative_id,
        h.advertiser_name, h.format, h.original_url, h.version_id, h.kind, h.scan, h.scan_no, h.ran_from,
        coalesce(h.ran_to, lead(h.ran_to) OVER ad) AS ran_to, h.ran_to IS NULL AND lead(h.scan_no) OVER ad IS NULL AS still_runs,
        lead(h.scan_no) OVER ad AS ended_in
      FROM reports.ads_changes h
      WHERE h.kind <> 'changed' AND h.created_at <= ads_as_of.known_at
      WINDOW ad AS (PARTITION BY h.account, h.schedule, h.schedule_id, h.company_key, h.advertiser_id, h.creative_id ORDER BY h.scan_no)
    ) b
    WHERE b.kind <> 'ended' AND b.ran_from <= ads_as_of.day AND (b.still_runs OR b.ran_to >= ads_as_of.day)
    ORDER BY b.account, b.schedule, b.schedule_id, b.company_key, b.advertiser_id, b.creative_id, b.scan_no DESC
  ) r
$$;
--> statement-breakpoint
COMMENT ON FUNCTION reports.ads_as_of(date, timestamptz) IS
  'The ads that ran on a UTC day as far as was known at a moment (by default now): what was stored later plays no part. One line per schedule, company and ad; ran_to is null while it was not known to have ended. version_id: how it looked that day.';
--> statement-breakpoint
REVOKE ALL ON FUNCTION reports.ads_as_of(date, timestamptz) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION reports.ads_as_of(date, timestamptz) TO nightshift_reader, nightshift_app;
--> statement-breakpoint
GRANT SELECT ON reports.schedules, reports.scans, reports.scan_companies, reports.ads_current, reports.ads_changes, reports.ads_daily
  TO nightshift_reader, nightshift_app;
