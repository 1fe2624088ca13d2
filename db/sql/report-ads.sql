-- Views of reports: ads and their variants.

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
