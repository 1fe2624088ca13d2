import { sql } from 'drizzle-orm';
import type { InvariantReport } from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { countOf, evaluate, type Clause } from './clause.ts';
import { appendOnly } from './triggers.ts';

/** Invariant 6. The original answers are in the source's own log; this checks that the stored ads are complete and unchanged. */
export function checkAds(db: Sql): Promise<InvariantReport> {
  return evaluate(db, 6, [
    lookupsHaveTheirAds,
    versionsExist,
    variantsAreWhole,
    versionsAreUnchanged,
    lookupAdvertisersAreComplete,
    appendOnly(['lookup_ads', 'ad_versions', 'ad_variants']),
  ]);
}

/**
 * A lookup with the outcome found has as many ads as it states, at positions 1 to n; no other lookup has ads, and neither has a
 * purged one.
 */
const lookupsHaveTheirAds: Clause = {
  checked: countOf(sql`nightshift.lookup_ads`),
  broken: sql`SELECT CASE
      WHEN lookups = 0 THEN format('%s ads are stored for lookup %s, which does not exist', ads, lookup_id)
      ELSE format('lookup %s (%s) says it saw %s ads; stored are %s, at positions %s to %s', lookup_id,
        coalesce(outcome, 'open'), said, ads, coalesce(first_position, 0), coalesce(last_position, 0)) END AS finding
    FROM (
      SELECT lookup_id, sum(lookups) AS lookups, max(outcome) AS outcome, sum(said) AS said, sum(ads) AS ads,
        min(first_position) AS first_position, max(last_position) AS last_position
      FROM (
        SELECT id AS lookup_id, 1 AS lookups, CASE WHEN purged_at IS NULL THEN outcome ELSE 'purged' END AS outcome,
          CASE WHEN purged_at IS NULL THEN ads_count ELSE 0 END AS said, 0 AS ads, NULL::integer AS first_position,
          NULL::integer AS last_position
        FROM nightshift.lookups
        UNION ALL
        SELECT lookup_id, 0, NULL, 0, count(*), min(position), max(position) FROM nightshift.lookup_ads GROUP BY lookup_id
      ) s GROUP BY lookup_id
    ) t
    WHERE lookups = 0 OR said <> ads OR (outcome IS NOT DISTINCT FROM 'found') <> (ads > 0)
      OR (ads > 0 AND (first_position <> 1 OR last_position <> ads))`,
};

const versionsExist: Clause = {
  checked: null,
  broken: sql`SELECT format('lookup %s saw version %s at position %s, and %s', la.lookup_id, la.version_id, la.position,
        CASE WHEN v.id IS NULL THEN 'there is no such version' ELSE format('its ad %s does not exist', v.ad_id) END) AS finding
    FROM nightshift.lookup_ads la
    LEFT JOIN nightshift.ad_versions v ON v.id = la.version_id
    LEFT JOIN nightshift.ads i ON i.id = v.ad_id
    WHERE i.id IS NULL`,
};

const variantsAreWhole: Clause = {
  checked: countOf(sql`nightshift.ad_variants`),
  broken: sql`SELECT CASE
      WHEN said = 0 THEN format('%s variants are stored for version %s, which says it has none or does not exist', variants,
        version_id)
      ELSE format('version %s says it has %s variants; stored are %s, at positions %s to %s', version_id, said, variants,
        coalesce(first_position, 0), coalesce(last_position, 0)) END AS finding
    FROM (
      SELECT version_id, sum(said) AS said, sum(variants) AS variants, min(first_position) AS first_position,
        max(last_position) AS last_position
      FROM (
        SELECT id AS version_id, variants_count AS said, 0 AS variants, NULL::integer AS first_position,
          NULL::integer AS last_position
        FROM nightshift.ad_versions WHERE variants_count <> 0
        UNION ALL
        SELECT version_id, 0, count(*), min(position), max(position) FROM nightshift.ad_variants GROUP BY version_id
      ) s GROUP BY version_id
    ) t
    WHERE said <> variants OR (variants > 0 AND (first_position <> 1 OR last_position <> variants))`,
};

/** A version was stored with the hash of its content, which reveals later edits. Covers the versions of lookups. */
const versionsAreUnchanged: Clause = {
  checked: countOf(sql`(SELECT DISTINCT version_id FROM nightshift.lookup_ads) v`),
  broken: sql`SELECT format('version %s of ad %s no longer fits the hash of its content', v.id, v.ad_id) AS finding
    FROM nightshift.ad_versions v
    JOIN (SELECT DISTINCT version_id FROM nightshift.lookup_ads) s ON s.version_id = v.id
    LEFT JOIN (
      SELECT version_id, jsonb_agg(jsonb_build_object('content', content, 'height', height, 'width', width) ORDER BY position)
        AS variants
      FROM nightshift.ad_variants GROUP BY version_id
    ) r ON r.version_id = v.id
    WHERE v.content_hash <> nightshift.ad_content_hash(v.advertiser_name, v.format, v.original_url, v.headline, v.description,
      v.display_url, v.final_url, v.ad_type, coalesce(r.variants, '[]'::jsonb))`,
};

/** Every lookup records the advertisers of its ads, by which the ads are found. For a snapshot it may record more than were linked. */
const lookupAdvertisersAreComplete: Clause = {
  checked: countOf(sql`nightshift.lookup_advertisers`),
  broken: sql`SELECT format('lookup %s saw ads of %s, and no sighting says so', n.lookup_id, n.subject) AS finding
    FROM (
      SELECT DISTINCT la.lookup_id, coalesce(i.advertiser_id, encode(i.text_hash, 'hex')) AS subject
      FROM nightshift.lookup_ads la
      JOIN nightshift.ad_versions v ON v.id = la.version_id
      JOIN nightshift.ads i ON i.id = v.ad_id
    ) n
    JOIN nightshift.lookups l ON l.id = n.lookup_id AND l.outcome = 'found'
    LEFT JOIN nightshift.lookup_advertisers s ON s.lookup_id = n.lookup_id AND s.subject = n.subject
    WHERE s.lookup_id IS NULL
    UNION ALL
    SELECT format('lookup %s is sighted with ads of %s, and %s', s.lookup_id, s.subject,
      CASE WHEN l.id IS NULL THEN 'does not exist' ELSE 'was purged' END)
    FROM nightshift.lookup_advertisers s LEFT JOIN nightshift.lookups l ON l.id = s.lookup_id
    WHERE l.id IS NULL OR l.purged_at IS NOT NULL`,
};
