import { sql, type SQL } from 'drizzle-orm';
import { countOf, type Clause } from './clause.ts';
import type { Scope } from './scope/scope.ts';
import { appendOnly } from './triggers.ts';

/** Ads of answers. */
function answerAds(answers: SQL): SQL {
  return sql`(SELECT a.id, u.version_id, u.position FROM ${answers} a
    CROSS JOIN LATERAL unnest(a.versions) WITH ORDINALITY AS u(version_id, position))`;
}

/** Invariant 6. The original answers are in the source's own log; this checks that the stored ads are complete and unchanged. */
export function adClauses(scope: Scope): readonly Clause[] {
  return [
    lookupsHaveTheirAds(scope),
    answersAreUnchanged(scope),
    versionsExist(scope),
    variantsAreWhole(scope),
    versionsAreUnchanged(scope),
    advertisersAreComplete(scope),
    snapshotAnswersAreCurrent(scope),
    appendOnly(['answers', 'answer_advertisers', 'ad_versions', 'ad_variants', 'ad_details', 'removed_ads']),
  ];
}

/** A lookup with the outcome found refers to an answer with at least as many ads as it states; no other lookup does. */
const lookupsHaveTheirAds = ({ lookups, usedAnswers }: Scope): Clause => ({
  part: 'lookups',
  checked: sql`SELECT count(answer_id) AS n FROM ${lookups} s`,
  broken: sql`SELECT CASE
      WHEN l.answer_id IS NOT NULL AND a.id IS NULL THEN format('lookup %s refers to answer %s, which does not exist', l.id, l.answer_id)
      ELSE format('lookup %s (%s) says it saw %s ads; stored are %s', l.id, coalesce(l.outcome, 'open'), l.ads_count,
        coalesce(a.ads, 0)) END AS finding
    FROM ${lookups} l LEFT JOIN ${usedAnswers} a ON a.id = l.answer_id
    WHERE CASE WHEN l.outcome IS NOT DISTINCT FROM 'found' THEN a.id IS NULL OR l.ads_count > a.ads
      ELSE l.ads_count > 0 OR l.answer_id IS NOT NULL END`,
});

/** An answer was stored with the hash of its content, which reveals later edits. */
const answersAreUnchanged = ({ answers }: Scope): Clause => ({
  part: 'answers',
  checked: countOf(sql`${answers} s`),
  broken: sql`SELECT CASE
      WHEN ARRAY[cardinality(a.versions), cardinality(a.starts), cardinality(a.last_days)] <> array_fill(a.ads, ARRAY[3])
        THEN format('answer %s says it has %s ads; stored are %s versions, %s starts and %s last days', a.id, a.ads,
          cardinality(a.versions), cardinality(a.starts), cardinality(a.last_days))
      ELSE format('answer %s no longer fits the hash of its content', a.id) END AS finding
    FROM ${answers} a
    WHERE ARRAY[cardinality(a.versions), cardinality(a.starts), cardinality(a.last_days)] <> array_fill(a.ads, ARRAY[3])
      OR a.content_hash <> nightshift.answer_hash(a.versions, a.starts, a.last_days)`,
});

const versionsExist = ({ answers }: Scope): Clause => ({
  part: 'answers',
  checked: null,
  broken: sql`SELECT format('answer %s has version %s at position %s, and %s', s.id, s.version_id, s.position,
        CASE WHEN v.id IS NULL THEN 'there is no such version' ELSE format('its ad %s does not exist', v.ad_id) END) AS finding
    FROM ${answerAds(answers)} s
    LEFT JOIN nightshift.ad_versions v ON v.id = s.version_id
    LEFT JOIN nightshift.ads i ON i.id = v.ad_id
    WHERE i.id IS NULL`,
});

const variantsAreWhole = ({ versions, variants }: Scope): Clause => ({
  part: 'versions',
  checked: countOf(sql`${variants} s`),
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
        FROM ${versions} s WHERE variants_count <> 0
        UNION ALL
        SELECT version_id, 0, count(*), min(position), max(position) FROM ${variants} s GROUP BY version_id
      ) s GROUP BY version_id
    ) t
    WHERE said <> variants OR (variants > 0 AND (first_position <> 1 OR last_position <> variants))`,
});

/** A version was stored with the hash of its content, which reveals later edits. */
const versionsAreUnchanged = ({ versions, contents, variants }: Scope): Clause => ({
  part: 'versions',
  checked: countOf(sql`${versions} s`),
  broken: sql`SELECT format('version %s of ad %s no longer fits the hash of its content', v.id, v.ad_id) AS finding
    FROM ${contents} v
    LEFT JOIN (
      SELECT version_id, jsonb_agg(jsonb_build_object('content', content, 'height', height, 'width', width) ORDER BY position)
        AS variants
      FROM ${variants} s GROUP BY version_id
    ) r ON r.version_id = v.id
    WHERE v.content_hash <> nightshift.ad_content_hash(v.advertiser_name, v.format, v.original_url, v.headline, v.description,
      v.display_url, v.final_url, v.ad_type, coalesce(r.variants, '[]'::jsonb))`,
});

/** Every answer records the advertisers of its ads, by which the ads are found. */
const advertisersAreComplete = ({ answers, answerAdvertisers }: Scope): Clause => ({
  part: 'answers',
  checked: countOf(sql`${answerAdvertisers} s`),
  broken: sql`SELECT CASE
      WHEN a.id IS NULL THEN format('advertiser %s is recorded for answer %s, which does not exist', w.subject, w.answer_id)
      WHEN w.subject IS NULL THEN format('answer %s has ads of %s, and does not record it', n.id, n.subject)
      ELSE format('answer %s records %s, and has no ads of it', w.answer_id, w.subject) END AS finding
    FROM (
      SELECT DISTINCT s.id, coalesce(i.advertiser_id, encode(i.text_hash, 'hex')) AS subject
      FROM ${answerAds(answers)} s
      JOIN nightshift.ad_versions v ON v.id = s.version_id
      JOIN nightshift.ads i ON i.id = v.ad_id
    ) n
    FULL JOIN ${answerAdvertisers} w ON w.answer_id = n.id AND w.subject = n.subject
    LEFT JOIN ${answers} a ON a.id = coalesce(n.id, w.answer_id)
    WHERE n.id IS NULL OR w.subject IS NULL`,
});

/** The answer of an advertiser of a snapshot has all its ads, newest first. */
const snapshotAnswersAreCurrent = ({ advertisers }: Scope): Clause => ({
  checked: countOf(sql`${advertisers} s`),
  broken: sql`SELECT format('the answer of advertiser %s of snapshot %s is not that of its ads', d.advertiser_id, d.snapshot_id) AS finding
    FROM ${advertisers} d
    LEFT JOIN (
      SELECT s.advertiser_key, max(s.newest_day) AS newest_day, nightshift.answer_hash(
          array_agg(s.version_id ORDER BY s.last_seen DESC NULLS LAST, s.ad_id), array_agg(s.start ORDER BY s.last_seen DESC NULLS LAST, s.ad_id),
          array_agg(CASE WHEN s.last_seen = s.newest_day THEN 'infinity' ELSE s.last_seen END ORDER BY s.last_seen DESC NULLS LAST, s.ad_id)
        ) AS content_hash
      FROM (SELECT *, max(last_seen) OVER (PARTITION BY advertiser_key) AS newest_day FROM nightshift.snapshot_ads WHERE EXISTS (SELECT FROM ${advertisers} s)) s
      GROUP BY s.advertiser_key
    ) n ON n.advertiser_key = d.id
    LEFT JOIN nightshift.answers a ON a.id = d.answer_id
    WHERE (n.content_hash, n.newest_day) IS DISTINCT FROM (a.content_hash, d.newest_day)`,
});
