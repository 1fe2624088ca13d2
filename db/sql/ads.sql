-- Ads, their versions and variants, and answers. Each is stored once for all accounts.

-- The hash of an ad's content: all fields but its dates. STABLE and not IMMUTABLE, as are the functions it calls: only then does Postgres
-- inline it, which halves its cost in a load of a million ads.
CREATE OR REPLACE FUNCTION nightshift.ad_content_hash(p_advertiser_name text, p_format text, p_original_url text, p_headline text,
  p_description text, p_display_url text, p_final_url text, p_ad_type text, p_variants jsonb)
RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT substring(sha256(convert_to(jsonb_build_array(p_advertiser_name, p_format, p_original_url, p_headline,
    p_description, p_display_url, p_final_url, p_ad_type, p_variants)::text, 'UTF8')) FOR 16)
$$;

-- The same hash for an ad of a snapshot, whose other fields are empty: half the cost, in a load of a million ads. The page of an ad has no
-- character that JSON escapes: the ids in it are letters and digits.
CREATE OR REPLACE FUNCTION nightshift.snapshot_ad_hash(p_advertiser_name text, p_format text, p_original_url text) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT substring(sha256(convert_to('[' || coalesce(to_json(p_advertiser_name)::text, 'null') || ', ' ||
    coalesce(to_json(p_format)::text, 'null') || ', "' || p_original_url || '", null, null, null, null, null, []]', 'UTF8')) FOR 16)
$$;

-- The hash of an ad's details, or of a removed ad, in their stored form.
CREATE OR REPLACE FUNCTION nightshift.details_hash(p_details jsonb) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT substring(sha256(convert_to(p_details::text, 'UTF8')) FOR 16)
$$;

-- The page of an ad in Google's Ads Transparency Center. The same text as `adPageUrl` (src/core/ads/ad.ts).
CREATE OR REPLACE FUNCTION nightshift.ad_page_url(p_advertiser_id text, p_creative_id text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 'https://adstransparency.google.com/advertiser/' || p_advertiser_id || '/creative/' || p_creative_id || '?region=anywhere'
$$;

-- The versions of ads with their identity and URL. An empty stored URL stands for the page of the ad, which follows from its ids and would take
-- a quarter of the row. The view does not call the function: readers of reports may not.
CREATE OR REPLACE VIEW nightshift.ad_contents AS
  SELECT v.id, v.ad_id, i.advertiser_id, i.creative_id, i.text_hash, v.content_hash, v.advertiser_name, v.format,
    CASE v.original_url WHEN ''
      THEN 'https://adstransparency.google.com/advertiser/' || i.advertiser_id || '/creative/' || i.creative_id || '?region=anywhere'
      ELSE v.original_url END AS original_url,
    v.headline, v.description, v.display_url, v.final_url, v.ad_type, v.variants_count
  FROM nightshift.ad_versions v
  JOIN nightshift.ads i ON i.id = v.ad_id;

DROP FUNCTION IF EXISTS nightshift.parse_ads(jsonb);
DROP FUNCTION IF EXISTS nightshift.ad_identity(text, text, bytea);
CREATE OR REPLACE FUNCTION nightshift.parse_ads(p_ads jsonb)
RETURNS TABLE (ord integer, advertiser_id text, creative_id text, text_hash bytea, content_hash bytea)
LANGUAGE sql IMMUTABLE SET search_path = nightshift, pg_temp AS $$
  SELECT a.ord, a.advertiser_id, a.creative_id,
    CASE WHEN a.advertiser_id IS NULL THEN
      ad_content_hash(NULL, NULL, NULL, a.headline, a.description, a.display_url, a.final_url, a.ad_type, '[]') END,
    ad_content_hash(a.advertiser_name, a.format, a.original_url, a.headline, a.description, a.display_url, a.final_url,
      a.ad_type, a.variants)
  FROM jsonb_to_recordset(p_ads) AS a(ord integer, advertiser_id text, creative_id text, advertiser_name text, format text,
    original_url text, headline text, description text, display_url text, final_url text, ad_type text, variants jsonb)
$$;

-- The ids of ads by their identity, in the given order: null for one that is not stored. Reads indexes only, whatever the statistics say.
CREATE OR REPLACE FUNCTION nightshift.find_ads(p_advertisers text[], p_creatives text[], p_text_hashes bytea[]) RETURNS bigint[]
LANGUAGE sql STABLE AS $$
  SELECT array_agg(CASE WHEN a.text_hash IS NULL
    THEN (SELECT i.id FROM nightshift.ads i WHERE i.advertiser_id = a.advertiser_id AND i.creative_id = a.creative_id)
    ELSE (SELECT i.id FROM nightshift.ads i WHERE i.text_hash = a.text_hash) END ORDER BY a.ord)
  FROM unnest(p_advertisers, p_creatives, p_text_hashes) WITH ORDINALITY AS a(advertiser_id, creative_id, text_hash, ord)
$$;

-- The same for the versions of ads, by the hash of their content.
CREATE OR REPLACE FUNCTION nightshift.find_versions(p_ads bigint[], p_content_hashes bytea[]) RETURNS bigint[]
LANGUAGE sql STABLE AS $$
  SELECT array_agg((SELECT v.id FROM nightshift.ad_versions v WHERE v.ad_id = a.ad_id AND v.content_hash = a.content_hash) ORDER BY a.ord)
  FROM unnest(p_ads, p_content_hashes) WITH ORDINALITY AS a(ad_id, content_hash, ord)
$$;

-- Stores ads as a source reported them and returns the version of each, in the given order. Existing ads are found by identity and content
-- hash, so a repeated answer stores nothing. Rows are inserted in sorted order, which prevents deadlocks between workers. The planner does not know
-- how many ads there are: a nested loop would compare each with each.
-- p_ads: [{ord, advertiser_id, creative_id, advertiser_name, format, original_url, headline, description, display_url,
--   final_url, ad_type, variants: [{content, height, width}]}]
CREATE OR REPLACE FUNCTION nightshift.store_ads(p_ads jsonb) RETURNS TABLE (ord integer, version_id bigint)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp SET enable_nestloop = off AS $$
#variable_conflict use_column
DECLARE
  v_ords integer[];
  v_advertisers text[];
  v_creatives text[];
  v_text_hashes bytea[];
  v_content_hashes bytea[];
  v_ads bigint[];
  v_versions bigint[];
BEGIN
  SELECT array_agg(a.ord), array_agg(a.advertiser_id), array_agg(a.creative_id), array_agg(a.text_hash), array_agg(a.content_hash)
    INTO v_ords, v_advertisers, v_creatives, v_text_hashes, v_content_hashes
    FROM parse_ads(p_ads) a;
  -- With the lock, no sweep deletes a version that is found here. Without it, every ad goes through the unique indexes, where a deletion is
  -- waited for (`sweep_versions`).
  IF pg_try_advisory_xact_lock_shared(7303119) THEN
    v_versions := find_versions(find_ads(v_advertisers, v_creatives, v_text_hashes), v_content_hashes);
    IF array_position(v_versions, NULL) IS NULL THEN
      RETURN QUERY SELECT * FROM unnest(v_ords, v_versions);
      RETURN;
    END IF;
  END IF;

  INSERT INTO ads (advertiser_id, creative_id, text_hash)
  SELECT DISTINCT n.advertiser_id, n.creative_id, n.text_hash
  FROM unnest(v_advertisers, v_creatives, v_text_hashes, v_versions) AS n(advertiser_id, creative_id, text_hash, version_id)
  WHERE n.version_id IS NULL
  ORDER BY 1, 2, 3
  ON CONFLICT DO NOTHING;
  v_ads := find_ads(v_advertisers, v_creatives, v_text_hashes);

  WITH missing AS (
    SELECT DISTINCT ON (n.ad_id, n.content_hash) n.ad_id, n.content_hash, n.ord
    FROM unnest(v_ords, v_ads, v_content_hashes, v_versions) AS n(ord, ad_id, content_hash, version_id)
    WHERE n.version_id IS NULL
    ORDER BY 1, 2
  ), given AS MATERIALIZED (
    SELECT m.ad_id, m.content_hash, a.* FROM missing m
    JOIN jsonb_to_recordset(p_ads) AS a(ord integer, advertiser_id text, creative_id text, advertiser_name text, format text,
      original_url text, headline text, description text, display_url text, final_url text, ad_type text, variants jsonb) ON a.ord = m.ord
  ), fresh AS (
    INSERT INTO ad_versions (ad_id, content_hash, advertiser_name, format, original_url, headline, description, display_url,
      final_url, ad_type, variants_count)
    SELECT g.ad_id, g.content_hash, g.advertiser_name, g.format,
      CASE WHEN g.original_url = ad_page_url(g.advertiser_id, g.creative_id) THEN '' ELSE g.original_url END, g.headline, g.description,
      g.display_url, g.final_url, g.ad_type, jsonb_array_length(g.variants)
    FROM given g ORDER BY g.ad_id, g.content_hash
    ON CONFLICT DO NOTHING
    RETURNING id, ad_id, content_hash
  )
  INSERT INTO ad_variants (version_id, position, content, height, width)
  SELECT f.id, v.position, v.variant ->> 'content', (v.variant ->> 'height')::integer, (v.variant ->> 'width')::integer
  FROM given g
  JOIN fresh f USING (ad_id, content_hash)
  CROSS JOIN LATERAL jsonb_array_elements(g.variants) WITH ORDINALITY AS v(variant, position)
  WHERE g.variants <> '[]';

  RETURN QUERY SELECT * FROM unnest(v_ords, find_versions(v_ads, v_content_hashes));
END $$;

-- The hash of an answer's content.
CREATE OR REPLACE FUNCTION nightshift.answer_hash(p_versions bigint[], p_starts date[], p_last_days date[]) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT substring(sha256(array_send(p_versions) || array_send(p_starts) || array_send(p_last_days)) FOR 16)
$$;

-- Stores ads as answers, one for each key, with the ads of a key in the given order. Returns the answer of each key with its number of ads and its
-- newest day. Equal answers are found by their hash; new ones are inserted in sorted order, which prevents deadlocks between workers.
CREATE OR REPLACE FUNCTION nightshift.store_answers(p_keys bigint[], p_versions bigint[], p_starts date[], p_last_days date[])
RETURNS TABLE (key bigint, answer_id bigint, ads integer, newest_day date)
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
#variable_conflict use_column
DECLARE
  v_keys bigint[];
  v_hashes bytea[];
  v_days date[];
BEGIN
  WITH packed AS (
    SELECT p.*, h.content_hash FROM (
      SELECT s.key, max(s.newest_day) AS newest_day, count(*)::integer AS ads, array_agg(s.version ORDER BY s.ord) AS versions,
        array_agg(s.start ORDER BY s.ord) AS starts,
        array_agg(CASE WHEN s.last_day = s.newest_day THEN 'infinity' ELSE s.last_day END ORDER BY s.ord) AS last_days
      FROM (
        SELECT u.*, max(u.last_day) OVER (PARTITION BY u.key) AS newest_day
        FROM unnest(p_keys, p_versions, p_starts, p_last_days) WITH ORDINALITY AS u(key, version, start, last_day, ord)
      ) s GROUP BY s.key
    ) p CROSS JOIN LATERAL (SELECT answer_hash(p.versions, p.starts, p.last_days)) h(content_hash)
  ), fresh AS (
    INSERT INTO answers (content_hash, ads, versions, starts, last_days)
    SELECT DISTINCT ON (p.content_hash) p.content_hash, p.ads, p.versions, p.starts, p.last_days FROM packed p ORDER BY p.content_hash
    ON CONFLICT DO NOTHING
    RETURNING id, versions
  ), whose AS (
    INSERT INTO answer_advertisers (answer_id, subject)
    SELECT DISTINCT f.id, coalesce(i.advertiser_id, encode(i.text_hash, 'hex'))
    FROM fresh f CROSS JOIN LATERAL unnest(f.versions) AS u(version_id)
    JOIN ad_versions v ON v.id = u.version_id
    JOIN nightshift.ads i ON i.id = v.ad_id
  )
  SELECT array_agg(p.key), array_agg(p.content_hash), array_agg(p.newest_day) INTO v_keys, v_hashes, v_days FROM packed p;

  RETURN QUERY
  SELECT k.key, a.id, a.ads, k.newest_day FROM unnest(v_keys, v_hashes, v_days) AS k(key, content_hash, newest_day)
  JOIN answers a ON a.content_hash = k.content_hash;
END $$;

-- The answers of lookups that found ads.
CREATE OR REPLACE VIEW nightshift.lookup_answers AS
  SELECT l.id AS lookup_id, l.answer_id, l.account_id, l.ads_count AS ads, l.newest_day, l.relations, l.matches
  FROM nightshift.lookups l WHERE l.answer_id IS NOT NULL;

-- The relations of the ads of an answer, as `lookups` stores them.
CREATE OR REPLACE FUNCTION nightshift.packed_relations(p_relations text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_relations <@ ARRAY['own'] THEN NULL WHEN p_relations <@ p_relations[1:1] THEN p_relations[1:1] ELSE p_relations END
$$;

-- The evaluations of the ads of an answer, as `lookups` stores them.
CREATE OR REPLACE FUNCTION nightshift.packed_matches(p_matches bigint[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_matches <@ p_matches[1:1] THEN p_matches[1:1] WHEN array_remove(p_matches, NULL) <> '{}' THEN p_matches END
$$;

-- The ads of lookups, from their answers. match_id: evaluation of its advertiser, in advertiser_matches.
CREATE OR REPLACE VIEW nightshift.lookup_ads AS
  SELECT r.lookup_id, u.position::integer AS position, u.version_id, u.start,
    CASE WHEN u.last_day = 'infinity' THEN r.newest_day ELSE u.last_day END AS last_seen,
    nullif(r.relations[CASE cardinality(r.relations) WHEN 1 THEN 1 ELSE u.position END], 'own') AS relation,
    r.matches[CASE cardinality(r.matches) WHEN 1 THEN 1 ELSE u.position END] AS match_id
  FROM nightshift.lookup_answers r
  JOIN nightshift.answers a ON a.id = r.answer_id
  CROSS JOIN LATERAL unnest(a.versions, a.starts, a.last_days) WITH ORDINALITY AS u(version_id, start, last_day, position)
  WHERE u.position <= r.ads;

-- The advertisers of the ads of lookups. Of an answer that a lookup has only in part, all advertisers are listed.
CREATE OR REPLACE VIEW nightshift.lookup_advertisers AS
  SELECT r.lookup_id, s.subject, r.account_id
  FROM nightshift.lookup_answers r JOIN nightshift.answer_advertisers s ON s.answer_id = r.answer_id;

-- First and last day of an ad of a data set in a region, on a surface, or both, by its current details; no row if it was not shown there. Null
-- for any. The EEA, which contains other regions, counts for the days only if no other region does.
CREATE OR REPLACE FUNCTION nightshift.ad_shown(p_ad bigint, p_source text, p_region text, p_surface text)
RETURNS TABLE (start date, last_seen date)
LANGUAGE sql STABLE AS $$
  SELECT coalesce(min((r ->> 1)::date) FILTER (WHERE r ->> 0 <> 'EEA'), min((r ->> 1)::date)),
    coalesce(max((r ->> 2)::date) FILTER (WHERE r ->> 0 <> 'EEA'), max((r ->> 2)::date))
  FROM (
    SELECT d.regions FROM nightshift.ad_details d WHERE d.ad_id = p_ad AND d.source = p_source AND d.account_id = 0
    ORDER BY d.recorded_at DESC LIMIT 1
  ) d CROSS JOIN LATERAL jsonb_array_elements(d.regions) r
  WHERE (p_region IS NULL OR r ->> 0 = p_region)
    AND (p_surface IS NULL OR EXISTS (SELECT FROM jsonb_array_elements(r -> 8) f WHERE f ->> 0 = p_surface))
  HAVING count(*) > 0
$$;

-- Updates planner statistics after a load. ANALYZE requires the owner's rights.
CREATE OR REPLACE FUNCTION nightshift.analyze_snapshots() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
BEGIN
  ANALYZE ads, ad_versions, advertisers, advertiser_names, advertiser_words, snapshot_ads, answers, answer_advertisers, ad_details, removed_ads;
END $$;

GRANT EXECUTE ON FUNCTION nightshift.ad_content_hash,
  nightshift.snapshot_ad_hash,
  nightshift.ad_page_url,
  nightshift.details_hash,
  nightshift.find_ads,
  nightshift.find_versions,
  nightshift.parse_ads,
  nightshift.store_ads,
  nightshift.answer_hash,
  nightshift.store_answers,
  nightshift.packed_relations,
  nightshift.ad_shown,
  nightshift.packed_matches,
  nightshift.analyze_snapshots
  TO nightshift_app;
GRANT SELECT ON nightshift.ad_contents,
  nightshift.lookup_answers,
  nightshift.lookup_ads,
  nightshift.lookup_advertisers
  TO nightshift_app;
