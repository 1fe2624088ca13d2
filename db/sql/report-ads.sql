-- The views of reports: ads and their variants.

CREATE OR REPLACE VIEW reports.ads AS
  SELECT l.id AS lookup_id, b.public_id AS batch, l.subject_key AS company_key, l.company_domain, l.company_name,
    la.position, coalesce(i.advertiser_id, '') AS advertiser_id, coalesce(i.creative_id, '') AS creative_id,
    v.advertiser_name, v.format, v.original_url, la.start, la.last_seen, v.headline, v.description, v.display_url,
    v.final_url, v.ad_type, v.variants_count, v.id AS version_id, l.source, coalesce(l.observed_at, l.ended_at) AS observed_at,
    coalesce(la.relation, 'own') AS relation
  FROM nightshift.lookup_ads la
  JOIN nightshift.lookups l ON l.id = la.lookup_id
  JOIN nightshift.ad_versions v ON v.id = la.version_id
  JOIN nightshift.ads i ON i.id = v.ad_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id;

COMMENT ON VIEW reports.ads IS
  'One line per ad that a lookup saw, as it looked then. start and last_seen are UTC days as the source gave them.';
COMMENT ON COLUMN reports.ads.relation IS
  'Whose ad it is: own, third_party (an agency, a reseller), or unknown. Your mapping (companies) decides, then the advertiser''s name.';

CREATE OR REPLACE VIEW reports.ad_variants AS
  SELECT version_id, position, content, height, width FROM nightshift.ad_variants;

COMMENT ON VIEW reports.ad_variants IS
  'The renderings of an ad version (join on version_id). content is foreign markup: never render it as it is. Sizes in pixels.';

GRANT SELECT ON reports.ads, reports.ad_variants
  TO nightshift_app, nightshift_reader;
