-- Ads, their versions and variants. Each is stored once for all accounts.

-- The hash of an ad's content: all fields but its dates. STABLE and not IMMUTABLE, as are the functions it calls: only then does Postgres
-- inline it, which halves its cost in a load of a million ads.
CREATE OR REPLACE FUNCTION nightshift.ad_content_hash(p_advertiser_name text, p_format text, p_original_url text, p_headline text,
  p_description text, p_display_url text, p_final_url text, p_ad_type text, p_variants jsonb)
RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT substring(sha256(convert_to(jsonb_build_array(p_advertiser_name, p_format, p_original_url, p_headline,
    p_description, p_display_url, p_final_url, p_ad_type, p_variants)::text, 'UTF8')) FOR 16)
$$;

CREATE OR REPLACE FUNCTION nightshift.ad_identity(p_advertiser_id text, p_creative_id text, p_text_hash bytea) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_text_hash IS NULL
    THEN (SELECT id FROM nightshift.ads WHERE advertiser_id = p_advertiser_id AND creative_id = p_creative_id)
    ELSE (SELECT id FROM nightshift.ads WHERE text_hash = p_text_hash) END
$$;

CREATE OR REPLACE FUNCTION nightshift.parse_ads(p_ads jsonb)
RETURNS TABLE (ord integer, advertiser_id text, creative_id text, text_hash bytea, content_hash bytea, advertiser_name text,
  format text, original_url text, headline text, description text, display_url text, final_url text, ad_type text,
  variants jsonb)
LANGUAGE sql IMMUTABLE SET search_path = nightshift, pg_temp AS $$
  SELECT a.ord, a.advertiser_id, a.creative_id,
    CASE WHEN a.advertiser_id IS NULL THEN
      ad_content_hash(NULL, NULL, NULL, a.headline, a.description, a.display_url, a.final_url, a.ad_type, '[]') END,
    ad_content_hash(a.advertiser_name, a.format, a.original_url, a.headline, a.description, a.display_url, a.final_url,
      a.ad_type, a.variants),
    a.advertiser_name, a.format, a.original_url, a.headline, a.description, a.display_url, a.final_url, a.ad_type, a.variants
  FROM jsonb_to_recordset(p_ads) AS a(ord integer, advertiser_id text, creative_id text, advertiser_name text, format text,
    original_url text, headline text, description text, display_url text, final_url text, ad_type text, variants jsonb)
$$;

-- Stores ads as a source reported them and returns the version of each, in the given order. Existing ads are found by identity and content
-- hash, so a repeated answer stores nothing. Rows are inserted in sorted order, which prevents deadlocks between workers.
-- p_ads: [{ord, advertiser_id, creative_id, advertiser_name, format, original_url, headline, description, display_url,
--   final_url, ad_type, variants: [{content, height, width}]}]
CREATE OR REPLACE FUNCTION nightshift.store_ads(p_ads jsonb) RETURNS TABLE (ord integer, version_id bigint)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO ads (advertiser_id, creative_id, text_hash)
  SELECT DISTINCT a.advertiser_id, a.creative_id, a.text_hash FROM parse_ads(p_ads) a
  ORDER BY 1, 2, 3
  ON CONFLICT DO NOTHING;

  WITH fresh AS (
    INSERT INTO ad_versions (ad_id, content_hash, advertiser_name, format, original_url, headline, description, display_url,
      final_url, ad_type, variants_count)
    SELECT DISTINCT ON (i.ad_id, a.content_hash) i.ad_id, a.content_hash, a.advertiser_name, a.format, a.original_url,
      a.headline, a.description, a.display_url, a.final_url, a.ad_type, jsonb_array_length(a.variants)
    FROM parse_ads(p_ads) a CROSS JOIN LATERAL (SELECT ad_identity(a.advertiser_id, a.creative_id, a.text_hash)) i(ad_id)
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING
    RETURNING id, ad_id, content_hash
  )
  INSERT INTO ad_variants (version_id, position, content, height, width)
  SELECT f.id, v.position, v.variant ->> 'content', (v.variant ->> 'height')::integer, (v.variant ->> 'width')::integer
  FROM (
    SELECT DISTINCT ON (i.ad_id, a.content_hash) i.ad_id, a.content_hash, a.variants
    FROM parse_ads(p_ads) a CROSS JOIN LATERAL (SELECT ad_identity(a.advertiser_id, a.creative_id, a.text_hash)) i(ad_id)
  ) a
  JOIN fresh f USING (ad_id, content_hash)
  CROSS JOIN LATERAL jsonb_array_elements(a.variants) WITH ORDINALITY AS v(variant, position);

  RETURN QUERY
  SELECT a.ord, (SELECT v.id FROM ad_versions v
    WHERE v.ad_id = ad_identity(a.advertiser_id, a.creative_id, a.text_hash) AND v.content_hash = a.content_hash)
  FROM parse_ads(p_ads) a;
END $$;

-- Updates planner statistics after a load. ANALYZE requires the owner's rights.
CREATE OR REPLACE FUNCTION nightshift.analyze_snapshots() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
BEGIN
  ANALYZE ads, ad_versions, advertisers, advertiser_names, snapshot_ads;
END $$;

GRANT EXECUTE ON FUNCTION nightshift.ad_content_hash,
  nightshift.ad_identity,
  nightshift.parse_ads,
  nightshift.store_ads,
  nightshift.analyze_snapshots
  TO nightshift_app;
