-- Views of reports: ads, their variants, details, and removed ads.

-- Details are read by a subquery for each column, and only for the columns that a query uses: a join would cost every query, and would be one more
-- of the eight that the planner reorders.
CREATE OR REPLACE VIEW reports.ads AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.subject_key AS company_key, l.company_domain, l.company_name,
    la.position, coalesce(CASE WHEN v.advertiser_id LIKE '%:%' THEN v.advertiser_id ELSE 'google:' || v.advertiser_id END, '') AS advertiser_id,
    coalesce(CASE WHEN v.creative_id LIKE '%:%' THEN v.creative_id ELSE 'google:' || v.creative_id END, '') AS creative_id,
    v.advertiser_name, v.format, v.original_url, la.start, la.last_seen, v.headline, v.description, v.display_url,
    v.final_url, v.ad_type, v.variants_count, v.id AS version_id, l.source, coalesce(l.observed_at, l.ended_at) AS observed_at,
    coalesce(la.relation, 'own') AS relation,
    CASE WHEN v.advertiser_id LIKE '%:%' THEN split_part(v.advertiser_id, ':', 1) ELSE 'google' END AS platform,
    (SELECT d.payer FROM nightshift.ad_details d WHERE d.ad_id = v.ad_id AND d.source = l.source
      AND d.account_id = CASE WHEN l.source IN ('snapshot', 'sample') THEN 0 ELSE l.account_id END
      AND d.recorded_at <= coalesce(l.observed_at, l.ended_at) ORDER BY d.recorded_at DESC LIMIT 1) AS payer,
    (SELECT d.topic FROM nightshift.ad_details d WHERE d.ad_id = v.ad_id AND d.source = l.source
      AND d.account_id = CASE WHEN l.source IN ('snapshot', 'sample') THEN 0 ELSE l.account_id END
      AND d.recorded_at <= coalesce(l.observed_at, l.ended_at) ORDER BY d.recorded_at DESC LIMIT 1) AS topic,
    (SELECT d.times_shown_lower FROM nightshift.ad_details d WHERE d.ad_id = v.ad_id AND d.source = l.source
      AND d.account_id = CASE WHEN l.source IN ('snapshot', 'sample') THEN 0 ELSE l.account_id END
      AND d.recorded_at <= coalesce(l.observed_at, l.ended_at) ORDER BY d.recorded_at DESC LIMIT 1) AS times_shown_lower,
    (SELECT d.times_shown_upper FROM nightshift.ad_details d WHERE d.ad_id = v.ad_id AND d.source = l.source
      AND d.account_id = CASE WHEN l.source IN ('snapshot', 'sample') THEN 0 ELSE l.account_id END
      AND d.recorded_at <= coalesce(l.observed_at, l.ended_at) ORDER BY d.recorded_at DESC LIMIT 1) AS times_shown_upper,
    (SELECT nullif(ARRAY(SELECT r ->> 0 FROM jsonb_array_elements(d.regions) WITH ORDINALITY AS u(r, n) ORDER BY u.n), '{}')
      FROM nightshift.ad_details d WHERE d.ad_id = v.ad_id AND d.source = l.source
      AND d.account_id = CASE WHEN l.source IN ('snapshot', 'sample') THEN 0 ELSE l.account_id END
      AND d.recorded_at <= coalesce(l.observed_at, l.ended_at) ORDER BY d.recorded_at DESC LIMIT 1) AS regions,
    (SELECT nullif(ARRAY(SELECT DISTINCT f ->> 0 FROM jsonb_array_elements(d.regions) r CROSS JOIN jsonb_array_elements(r -> 8) f ORDER BY 1), '{}')
      FROM nightshift.ad_details d WHERE d.ad_id = v.ad_id AND d.source = l.source
      AND d.account_id = CASE WHEN l.source IN ('snapshot', 'sample') THEN 0 ELSE l.account_id END
      AND d.recorded_at <= coalesce(l.observed_at, l.ended_at) ORDER BY d.recorded_at DESC LIMIT 1) AS surfaces,
    (SELECT coalesce(la.last_seen - la.start + 1, 0) - d.days_not_shown FROM nightshift.ad_details d WHERE d.ad_id = v.ad_id AND d.source = l.source
      AND d.account_id = CASE WHEN l.source IN ('snapshot', 'sample') THEN 0 ELSE l.account_id END
      AND d.recorded_at <= coalesce(l.observed_at, l.ended_at) ORDER BY d.recorded_at DESC LIMIT 1) AS days_shown,
    (SELECT d.target_domain FROM nightshift.ad_details d WHERE d.ad_id = v.ad_id AND d.source = l.source
      AND d.account_id = CASE WHEN l.source IN ('snapshot', 'sample') THEN 0 ELSE l.account_id END
      AND d.recorded_at <= coalesce(l.observed_at, l.ended_at) ORDER BY d.recorded_at DESC LIMIT 1) AS target_domain,
    (SELECT d.preview_url FROM nightshift.ad_details d WHERE d.ad_id = v.ad_id AND d.source = l.source
      AND d.account_id = CASE WHEN l.source IN ('snapshot', 'sample') THEN 0 ELSE l.account_id END
      AND d.recorded_at <= coalesce(l.observed_at, l.ended_at) ORDER BY d.recorded_at DESC LIMIT 1) AS preview_url,
    round(m.confidence_percent / 100.0, 2) AS confidence, m.reasons AS relation_reasons
  FROM nightshift.lookup_ads la
  JOIN nightshift.lookups l ON l.id = la.lookup_id
  JOIN nightshift.ad_contents v ON v.id = la.version_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id
  LEFT JOIN nightshift.advertiser_matches m ON m.id = la.match_id;

COMMENT ON VIEW reports.ads IS
  'One row per ad that a lookup found, as of that lookup. start and last_seen are UTC days, as reported by the source.';
COMMENT ON COLUMN reports.ads.advertiser_id IS
  'Id of the advertiser with its platform, such as google:AR01234567890123456789 or meta:123; the same for creative_id. Empty if the source returned no ids.';
COMMENT ON COLUMN reports.ads.platform IS 'Platform of the ad, the prefix of its ids: google, meta or another.';
COMMENT ON COLUMN reports.ads.relation IS
  'Relation of the ad to the company: own, third_party (an agency, a reseller or a namesake), or unknown. Derived from your company mapping, then from what is known about the advertiser.';
COMMENT ON COLUMN reports.ads.payer IS 'Who paid for the ad. This column and those after it are what the source reported beside the content, as of the lookup.';
COMMENT ON COLUMN reports.ads.topic IS 'Subject of the ad by the classification of the platform, such as Health.';
COMMENT ON COLUMN reports.ads.times_shown_lower IS
  'Number of times shown, at least: in the EEA if the source counts it, else the sum over the regions. Since the beginning of the source''s records.';
COMMENT ON COLUMN reports.ads.times_shown_upper IS 'Number of times shown, at most; null where that of a region is unknown.';
COMMENT ON COLUMN reports.ads.regions IS 'Regions in which the ad was shown: countries (ISO 3166-1 alpha-2), and EEA for the European Economic Area together.';
COMMENT ON COLUMN reports.ads.surfaces IS 'Surfaces on which the ad was shown: SEARCH, YOUTUBE, MAPS, PLAY, SHOPPING.';
COMMENT ON COLUMN reports.ads.days_shown IS 'Number of days on which the ad was really shown, as the source counts them.';
COMMENT ON COLUMN reports.ads.target_domain IS 'Domain that the ad points to.';
COMMENT ON COLUMN reports.ads.preview_url IS 'Address that renders an ad without a picture: a video, an HTML5 bundle or a preview script.';
COMMENT ON COLUMN reports.ads.confidence IS
  'Probability that relation is right; with unknown, that the advertiser is the company''s own. Null: relation follows from your company mapping, or the ad has no advertiser.';
COMMENT ON COLUMN reports.ads.relation_reasons IS 'Reasons of relation, in the words of docs/guides/advertisers.md. Null as confidence.';

CREATE OR REPLACE VIEW reports.ad_variants AS
  SELECT version_id, position, content, height, width FROM nightshift.ad_variants;

COMMENT ON VIEW reports.ad_variants IS
  'Renderings of an ad version (join on version_id). content is untrusted markup: sanitise it before you render it. height and width are in pixels.';

CREATE OR REPLACE VIEW reports.advertiser_candidates AS
  SELECT a.name AS account, c.company_key, c.advertiser_id, c.name, c.legal_name, c.location, c.verification, c.ads_count,
    round(c.confidence_percent / 100.0, 2) AS confidence, c.reasons, c.source, m.role AS decision, c.first_seen_at, c.last_seen_at, c.lookup_id
  FROM nightshift.advertiser_candidates c
  JOIN nightshift.accounts a ON a.id = c.account_id
  LEFT JOIN nightshift.company_advertisers m
    ON m.account_id = c.account_id AND m.company_key = c.company_key AND m.advertiser_id = c.advertiser_id;

COMMENT ON VIEW reports.advertiser_candidates IS
  'One row per company and advertiser of which the evidence did not decide whether they belong together, as the last lookup reported it. Decide with companies review.';
COMMENT ON COLUMN reports.advertiser_candidates.company_key IS 'd: and the domain of the company, or n: and its normalized name.';
COMMENT ON COLUMN reports.advertiser_candidates.legal_name IS 'Name in the register, if the source has it.';
COMMENT ON COLUMN reports.advertiser_candidates.location IS 'Country of the advertiser, as the source gives it.';
COMMENT ON COLUMN reports.advertiser_candidates.verification IS 'VERIFIED, UNVERIFIED or another word of the source. Null: the source does not say.';
COMMENT ON COLUMN reports.advertiser_candidates.ads_count IS 'Number of its ads at the source. Null if unknown.';
COMMENT ON COLUMN reports.advertiser_candidates.confidence IS 'Probability that the advertiser is the company''s own.';
COMMENT ON COLUMN reports.advertiser_candidates.reasons IS 'Reasons, in the words of docs/guides/advertisers.md.';
COMMENT ON COLUMN reports.advertiser_candidates.decision IS 'Role in your company mapping: allow, agency or deny. Null: not decided.';
COMMENT ON COLUMN reports.advertiser_candidates.lookup_id IS 'Lookup that reported the advertiser last. The row is purged with it.';

GRANT SELECT ON reports.ads, reports.ad_variants, reports.advertiser_candidates
  TO nightshift_app, nightshift_reader;

-- Views of reports: what sources report about ads beside their content, and removed ads. A row is valid from its day until the day before the
-- next one; the last of several of one day counts, so a row whose day is that of the next one is left out.

CREATE OR REPLACE VIEW reports.ad_details AS
  SELECT d.ad_id, CASE WHEN i.advertiser_id LIKE '%:%' THEN i.advertiser_id ELSE 'google:' || i.advertiser_id END AS advertiser_id,
    CASE WHEN i.creative_id LIKE '%:%' THEN i.creative_id ELSE 'google:' || i.creative_id END AS creative_id, d.source, a.name AS account, d.as_of AS valid_from, n.as_of AS valid_to, d.recorded_at,
    d.payer, d.topic, d.is_grant_funded, d.times_shown_lower, d.times_shown_upper,
    nullif(ARRAY(SELECT r ->> 0 FROM jsonb_array_elements(d.regions) WITH ORDINALITY AS u(r, n) ORDER BY u.n), '{}') AS regions,
    nullif(ARRAY(SELECT DISTINCT f ->> 0 FROM jsonb_array_elements(d.regions) r CROSS JOIN jsonb_array_elements(r -> 8) f ORDER BY 1), '{}') AS surfaces,
    d.days_not_shown, d.target_domain, d.preview_url, d.legal_name, d.location, d.verification, d.targeting[1] AS demographic_info,
    d.targeting[2] AS geo_location, d.targeting[3] AS contextual_signals, d.targeting[4] AS customer_lists, d.targeting[5] AS topics_of_interest
  FROM nightshift.ad_details d
  JOIN nightshift.ads i ON i.id = d.ad_id
  LEFT JOIN nightshift.accounts a ON a.id = d.account_id
  LEFT JOIN LATERAL (SELECT o.as_of FROM nightshift.ad_details o
    WHERE o.ad_id = d.ad_id AND o.source = d.source AND o.account_id = d.account_id AND o.recorded_at > d.recorded_at
    ORDER BY o.recorded_at LIMIT 1) n ON true
  WHERE n.as_of IS DISTINCT FROM d.as_of;

COMMENT ON VIEW reports.ad_details IS
  'What a source reported about an ad beside its content, one row per period in which it was the same. As of a day: valid_from <= day and (valid_to is null or valid_to > day).';
COMMENT ON COLUMN reports.ad_details.ad_id IS 'The ad; joins ad_regions.';
COMMENT ON COLUMN reports.ad_details.account IS 'Account whose lookup observed it; null for the snapshot.';
COMMENT ON COLUMN reports.ad_details.valid_from IS 'First day of the period: the day of the export, or of the observation. UTC.';
COMMENT ON COLUMN reports.ad_details.valid_to IS 'Day on which the next period begins; null for the current one.';
COMMENT ON COLUMN reports.ad_details.is_grant_funded IS 'True if Google Ad Grants funded the ad.';
COMMENT ON COLUMN reports.ad_details.times_shown_lower IS
  'Number of times shown, at least: in the EEA if the source counts it, else the sum over the regions. Since the beginning of the source''s records.';
COMMENT ON COLUMN reports.ad_details.times_shown_upper IS 'Number of times shown, at most; null where that of a region is unknown.';
COMMENT ON COLUMN reports.ad_details.days_not_shown IS 'Number of days from the first to the last day of the ad on which it was not shown.';
COMMENT ON COLUMN reports.ad_details.legal_name IS 'Name of the advertiser in the register.';
COMMENT ON COLUMN reports.ad_details.location IS 'Country of the advertiser.';
COMMENT ON COLUMN reports.ad_details.verification IS 'State of the verification of the advertiser, such as VERIFIED.';
COMMENT ON COLUMN reports.ad_details.demographic_info IS
  'How the audience was selected by demographic data: CRITERIA_INCLUDED, CRITERIA_EXCLUDED, CRITERIA_INCLUDED_AND_EXCLUDED or CRITERIA_UNUSED. The next columns in the same way.';

CREATE OR REPLACE VIEW reports.ad_regions AS
  SELECT d.ad_id, CASE WHEN i.advertiser_id LIKE '%:%' THEN i.advertiser_id ELSE 'google:' || i.advertiser_id END AS advertiser_id,
    CASE WHEN i.creative_id LIKE '%:%' THEN i.creative_id ELSE 'google:' || i.creative_id END AS creative_id, d.source, a.name AS account, d.as_of AS valid_from, n.as_of AS valid_to,
    u.region ->> 0 AS region, (u.region ->> 1)::date AS first_shown,
    (u.region ->> 2)::date AS last_shown, (u.region ->> 3)::bigint AS times_shown_lower, (u.region ->> 4)::bigint AS times_shown_upper,
    (u.region ->> 5)::date AS times_shown_available_on, (u.region ->> 6)::date AS times_shown_from, (u.region ->> 7)::date AS times_shown_to,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('surface', f.surface ->> 0, 'times_shown_lower', f.surface -> 1,
        'times_shown_upper', f.surface -> 2, 'times_shown_available_on', f.surface -> 3) ORDER BY f.n), '[]')
      FROM jsonb_array_elements(u.region -> 8) WITH ORDINALITY AS f(surface, n)) AS surfaces
  FROM nightshift.ad_details d
  JOIN nightshift.ads i ON i.id = d.ad_id
  LEFT JOIN nightshift.accounts a ON a.id = d.account_id
  LEFT JOIN LATERAL (SELECT o.as_of FROM nightshift.ad_details o
    WHERE o.ad_id = d.ad_id AND o.source = d.source AND o.account_id = d.account_id AND o.recorded_at > d.recorded_at
    ORDER BY o.recorded_at LIMIT 1) n ON true
  CROSS JOIN LATERAL jsonb_array_elements(d.regions) WITH ORDINALITY AS u(region, n)
  WHERE n.as_of IS DISTINCT FROM d.as_of;

COMMENT ON VIEW reports.ad_regions IS
  'Regions in which an ad was shown, one row per region and period of ad_details. surfaces is an array of objects: surface, times_shown_lower, times_shown_upper, times_shown_available_on.';
COMMENT ON COLUMN reports.ad_regions.region IS 'Country (ISO 3166-1 alpha-2), or EEA for the European Economic Area together.';
COMMENT ON COLUMN reports.ad_regions.times_shown_lower IS 'Number of times shown in the region, at least; null where unknown.';
COMMENT ON COLUMN reports.ad_regions.times_shown_upper IS 'Number of times shown in the region, at most; null where unknown or unbounded.';
COMMENT ON COLUMN reports.ad_regions.times_shown_available_on IS 'Day on which the number becomes available; null if it is.';
COMMENT ON COLUMN reports.ad_regions.times_shown_from IS 'First day of the period that is counted.';
COMMENT ON COLUMN reports.ad_regions.times_shown_to IS 'Last day of the period that is counted.';

CREATE OR REPLACE VIEW reports.removed_ads AS
  SELECT 'google:' || d.advertiser_id AS advertiser_id, 'google:' || d.creative_id AS creative_id,
    'https://adstransparency.google.com/advertiser/' || d.advertiser_id || '/creative/' || d.creative_id || '?region=anywhere' AS original_url,
    d.source, d.as_of AS valid_from, n.as_of AS valid_to, u.n AS position, u.decision ->> 0 AS removal_reason,
    u.decision ->> 1 AS violation_category, (u.decision ->> 2)::boolean AS is_automated, u.decision ->> 3 AS removal_location,
    u.decision ->> 4 AS decision_type, nullif(ARRAY(SELECT r ->> 0 FROM jsonb_array_elements(d.regions) WITH ORDINALITY AS u(r, n) ORDER BY u.n), '{}') AS regions,
    nullif(ARRAY(SELECT DISTINCT f ->> 0 FROM jsonb_array_elements(d.regions) r CROSS JOIN jsonb_array_elements(r -> 8) f ORDER BY 1), '{}') AS surfaces, d.targeting[1] AS demographic_info,
    d.targeting[2] AS geo_location, d.targeting[3] AS contextual_signals, d.targeting[4] AS customer_lists, d.targeting[5] AS topics_of_interest,
    (SELECT jsonb_agg(jsonb_build_object('region', r.region -> 0, 'first_shown', r.region -> 1, 'last_shown', r.region -> 2,
        'times_shown_lower', r.region -> 3, 'times_shown_upper', r.region -> 4, 'times_shown_available_on', r.region -> 5,
        'times_shown_from', r.region -> 6, 'times_shown_to', r.region -> 7, 'surfaces', (
          SELECT coalesce(jsonb_agg(jsonb_build_object('surface', f.surface -> 0, 'times_shown_lower', f.surface -> 1,
            'times_shown_upper', f.surface -> 2, 'times_shown_available_on', f.surface -> 3) ORDER BY f.n), '[]')
          FROM jsonb_array_elements(r.region -> 8) WITH ORDINALITY AS f(surface, n))) ORDER BY r.n)
      FROM jsonb_array_elements(d.regions) WITH ORDINALITY AS r(region, n)) AS region_stats
  FROM nightshift.removed_ads d
  LEFT JOIN LATERAL (SELECT o.as_of FROM nightshift.removed_ads o
    WHERE o.advertiser_id = d.advertiser_id AND o.creative_id = d.creative_id AND o.source = d.source AND o.recorded_at > d.recorded_at
    ORDER BY o.recorded_at LIMIT 1) n ON true
  LEFT JOIN LATERAL jsonb_array_elements(d.disapprovals) WITH ORDINALITY AS u(decision, n) ON true
  WHERE n.as_of IS DISTINCT FROM d.as_of;

COMMENT ON VIEW reports.removed_ads IS
  'Ads that the platform removed, one row per decision and period in which the export said the same. From exports of removed_creative_stats.';
COMMENT ON COLUMN reports.removed_ads.valid_from IS 'First day of the period: the day of the export. UTC.';
COMMENT ON COLUMN reports.removed_ads.valid_to IS 'Day on which the next period begins; null for the current one.';
COMMENT ON COLUMN reports.removed_ads.position IS 'Position of the decision in the export, from 1; null for an ad without a decision.';
COMMENT ON COLUMN reports.removed_ads.is_automated IS 'True if automated means were used for the decision.';
COMMENT ON COLUMN reports.removed_ads.removal_location IS 'Country (ISO 3166-1 alpha-2) in which the ad was removed, or GLOBAL.';
COMMENT ON COLUMN reports.removed_ads.region_stats IS 'Regions in which the ad was shown: an array of objects with the columns of ad_regions.';

-- The advertiser as its ads name it: the newest details of any of its ads, as of the lookup.
CREATE OR REPLACE VIEW reports.advertisers AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.subject_key AS company_key, l.company_domain, l.company_name,
    CASE WHEN g.advertiser_id = '' OR g.advertiser_id LIKE '%:%' THEN g.advertiser_id ELSE 'google:' || g.advertiser_id END AS advertiser_id,
    g.advertiser_name, d.legal_name, d.location, d.verification, g.relation, g.ads, l.source, coalesce(l.observed_at, l.ended_at) AS observed_at
  FROM nightshift.lookups l
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id
  CROSS JOIN LATERAL (
    SELECT coalesce(i.advertiser_id, '') AS advertiser_id, (array_agg(v.advertiser_name ORDER BY la.position))[1] AS advertiser_name,
      min(coalesce(la.relation, 'own')) AS relation, count(*)::integer AS ads, array_agg(i.id) AS ad_ids
    FROM nightshift.lookup_ads la
    JOIN nightshift.ad_versions v ON v.id = la.version_id
    JOIN nightshift.ads i ON i.id = v.ad_id
    WHERE la.lookup_id = l.id
    GROUP BY coalesce(i.advertiser_id, '')
  ) g
  LEFT JOIN LATERAL (
    SELECT e.legal_name, e.location, e.verification FROM nightshift.ad_details e
    WHERE e.ad_id = ANY (g.ad_ids) AND e.source = l.source
      AND e.account_id = CASE WHEN l.source IN ('snapshot', 'sample') THEN 0 ELSE l.account_id END
      AND e.recorded_at <= coalesce(l.observed_at, l.ended_at) AND num_nonnulls(e.legal_name, e.location, e.verification) > 0
    ORDER BY e.recorded_at DESC, e.ad_id DESC LIMIT 1
  ) d ON true
  WHERE l.answer_id IS NOT NULL;

COMMENT ON VIEW reports.advertisers IS 'Advertisers of the ads that a lookup found, one row per lookup and advertiser, as of that lookup.';
COMMENT ON COLUMN reports.advertisers.advertiser_id IS 'Empty for ads without an advertiser id, which are one row.';
COMMENT ON COLUMN reports.advertisers.legal_name IS 'Name of the advertiser in the register, if the source reported it.';
COMMENT ON COLUMN reports.advertisers.location IS 'Country of the advertiser, if the source reported it.';
COMMENT ON COLUMN reports.advertisers.verification IS 'State of the verification of the advertiser, such as VERIFIED, if the source reported it.';
COMMENT ON COLUMN reports.advertisers.relation IS 'Relation of the advertiser to the company: own, third_party or unknown.';
COMMENT ON COLUMN reports.advertisers.ads IS 'Number of its ads in the answer.';

GRANT SELECT ON reports.ad_details, reports.ad_regions, reports.removed_ads, reports.advertisers
  TO nightshift_app, nightshift_reader;
