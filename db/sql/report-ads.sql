-- Views of reports: ads and their variants.

CREATE OR REPLACE VIEW reports.ads AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.subject_key AS company_key, l.company_domain, l.company_name,
    la.position, coalesce(CASE WHEN v.advertiser_id LIKE '%:%' THEN v.advertiser_id ELSE 'google:' || v.advertiser_id END, '') AS advertiser_id,
    coalesce(CASE WHEN v.creative_id LIKE '%:%' THEN v.creative_id ELSE 'google:' || v.creative_id END, '') AS creative_id,
    v.advertiser_name, v.format, v.original_url, la.start, la.last_seen, v.headline, v.description, v.display_url,
    v.final_url, v.ad_type, v.variants_count, v.id AS version_id, l.source, coalesce(l.observed_at, l.ended_at) AS observed_at,
    coalesce(la.relation, 'own') AS relation,
    CASE WHEN v.advertiser_id LIKE '%:%' THEN split_part(v.advertiser_id, ':', 1) ELSE 'google' END AS platform
  FROM nightshift.lookup_ads la
  JOIN nightshift.lookups l ON l.id = la.lookup_id
  JOIN nightshift.ad_contents v ON v.id = la.version_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id;

COMMENT ON VIEW reports.ads IS
  'One row per ad that a lookup found, as of that lookup. start and last_seen are UTC days, as reported by the source.';
COMMENT ON COLUMN reports.ads.advertiser_id IS
  'Id of the advertiser with its platform, such as google:AR01234567890123456789 or meta:123; the same for creative_id. Empty if the source returned no ids.';
COMMENT ON COLUMN reports.ads.platform IS 'Platform of the ad, the prefix of its ids: google, meta or another.';
COMMENT ON COLUMN reports.ads.relation IS
  'Relation of the ad to the company: own, third_party (an agency or reseller), or unknown. Derived from your company mapping, then from the name of the advertiser.';

CREATE OR REPLACE VIEW reports.ad_variants AS
  SELECT version_id, position, content, height, width FROM nightshift.ad_variants;

COMMENT ON VIEW reports.ad_variants IS
  'Renderings of an ad version (join on version_id). content is untrusted markup: sanitise it before you render it. height and width are in pixels.';

GRANT SELECT ON reports.ads, reports.ad_variants
  TO nightshift_app, nightshift_reader;
