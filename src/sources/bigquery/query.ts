import { Misconfigured } from '../../core/errors.ts';
import { heldRegion } from './held-regions.ts';
import type { Question } from './jobs.ts';
import { initialsChars, keyWordsMax } from './name-keys.ts';

/** Google's public table of the ads shown in the European Economic Area and Türkiye. */
export const creativeStatsTable = 'bigquery-public-data.google_ads_transparency_center.creative_stats';

/** A column that the query reads. */
export interface ReadColumn {
  /** With dots between a record and its field. */
  readonly path: string;
  readonly type: 'STRING' | 'RECORD';
  readonly isRepeated: boolean;
}

/** All columns that the query reads. They determine the cost, because BigQuery bills by column. */
export const readColumns: readonly ReadColumn[] = [
  ...[
    'advertiser_id',
    'creative_id',
    'ad_format_type',
    'advertiser_disclosed_name',
    'advertiser_legal_name',
    'advertiser_location',
    'advertiser_verification_status',
  ].map((path) => ({ path, type: 'STRING', isRepeated: false }) as const),
  { path: 'region_stats', type: 'RECORD', isRepeated: true },
  ...['region_stats.region_code', 'region_stats.first_shown', 'region_stats.last_shown'].map(
    (path) => ({ path, type: 'STRING', isRepeated: false }) as const,
  ),
];

/** Advertisers of the query, and the number of their ads. */
export interface CreativesWanted {
  /** Ids of advertisers: `AR` and 20 digits. */
  readonly advertiserIds: readonly string[];
  /** Words of names, written together, as `companyKeys` gives them. */
  readonly nameKeys: readonly string[];
  /** ISO codes of countries; ads shown in none of them are left out. Null: everywhere. */
  readonly regions: readonly string[] | null;
  /** Maximum number of ads per advertiser, the most recently shown first. */
  readonly adsPerAdvertiserMax: number;
  /** Maximum number of advertisers per key, those with the shortest names first; for initials, those with the most ads. */
  readonly advertisersPerKeyMax: number;
}

/**
 * Builds one query for a whole window of companies: the scan costs the same for one advertiser as for thousands.
 *
 * Rows are sorted by advertiser, most recently shown first. `name_keys` has the keys that are in the names of the row's advertiser, `ads_count` the
 * number of ads of the advertiser and `advertisers_count` that of the advertisers of its most frequent key, initials aside, both including those
 * beyond the caps. The same parameters in another order give the same query.
 *
 * @throws ValidationError for a region that is not a country of the table: its `EEA` is a sum over countries.
 */
export function askForCreatives(wanted: CreativesWanted, table = creativeStatsTable): Question {
  return {
    query: queryOf(parseTable(table)),
    parameters: {
      ids: inOrder(wanted.advertiserIds),
      name_keys: inOrder(wanted.nameKeys),
      regions: inOrder((wanted.regions ?? []).map(heldRegion)),
      max_ads: wanted.adsPerAdvertiserMax,
      max_advertisers: wanted.advertisersPerKeyMax,
    },
  };
}

/** Letters of the beginning of a word that are compared with a key, at least and at most: an ending may be glued to a name. */
const beginningChars = { min: 4, max: 24 } as const;

/**
 * The words of a name with one space between them, as `foldText` and `canonicalWord` give them, but for abbreviations with dots (`S.A.`), whose
 * letters stay apart. RE2 has no lookarounds, and neighbouring words are compared written together anyway.
 */
const wordsSql = [
  // Signs that NFKD would change into letters, invisible characters, apostrophes
  (text: string) => String.raw`REGEXP_REPLACE(${text}, r"[™℠®©\p{Cf}'’‘ʼ\x60´′]", '')`,
  (text: string) => `NORMALIZE_AND_CASEFOLD(${text}, NFKD)`,
  // Accents only: the marks of other scripts are letters
  (text: string) => String.raw`NORMALIZE(REGEXP_REPLACE(${text}, r'[\x{0300}-\x{036F}]', ''), NFKC)`,
  (text: string) => `TRANSLATE(${text}, 'øđðħłŧı', 'oddhlti')`,
  (text: string) => `REPLACE(REPLACE(REPLACE(${text}, 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')`,
  (text: string) => String.raw`REGEXP_REPLACE(${text}, r"['’‘ʼ\x60´′]", '')`,
  (text: string) => `REPLACE(REPLACE(${text}, '&', ' and '), '+', ' plus ')`,
  (text: string) => String.raw`TRIM(REGEXP_REPLACE(${text}, r'[^\p{L}\p{N}\p{M}]+', ' '))`,
  (text: string) => String.raw`REGEXP_REPLACE(${text}, r'([aou])e', r'\1')`,
].reduce((text, wrap) => wrap(text), 'name');

/**
 * The keys in the names of an advertiser: neighbouring words written together, with and without `and`, the beginnings of words, and the initials of
 * the first words.
 */
const keysSql = `ARRAY(
      SELECT DISTINCT name_key
      FROM (
        SELECT SPLIT(spelling, ' ') AS words
        FROM (
          SELECT ${wordsSql} AS folded
          FROM UNNEST([advertiser_disclosed_name, advertiser_legal_name]) AS name
          WHERE name IS NOT NULL
        ) AS names
        CROSS JOIN UNNEST([folded, REPLACE(folded, ' and ', ' ')]) AS spelling
      ) AS divided
      CROSS JOIN UNNEST(ARRAY_CONCAT(
        ARRAY(
          SELECT ARRAY_TO_STRING(
            ARRAY(SELECT word FROM UNNEST(words) AS word WITH OFFSET AS i WHERE i BETWEEN from_word AND to_word ORDER BY i), '')
          FROM UNNEST(GENERATE_ARRAY(0, ARRAY_LENGTH(words) - 1)) AS from_word
          CROSS JOIN UNNEST(GENERATE_ARRAY(from_word, LEAST(from_word + ${keyWordsMax}, ARRAY_LENGTH(words)) - 1)) AS to_word
        ),
        ARRAY(
          SELECT SUBSTR(word, 1, letters)
          FROM UNNEST(words) AS word
          CROSS JOIN UNNEST(GENERATE_ARRAY(${beginningChars.min}, LEAST(CHAR_LENGTH(word) - 1, ${beginningChars.max}))) AS letters
        ),
        ARRAY(
          SELECT CONCAT('.', ARRAY_TO_STRING(
            ARRAY(SELECT SUBSTR(word, 1, 1) FROM UNNEST(words) AS word WITH OFFSET AS i WHERE i < initials ORDER BY i), ''))
          FROM UNNEST(GENERATE_ARRAY(${initialsChars.min}, LEAST(${initialsChars.max}, ARRAY_LENGTH(words)))) AS initials
        )
      )) AS name_key
      WHERE name_key IN UNNEST(@name_keys)
    ) AS name_keys`;

/** The shown creatives of the chosen advertisers, within both caps. */
const chosenSql = `advertisers AS (
  SELECT
    advertiser_id,
    COUNT(*) AS ads_count,
    MIN(CHAR_LENGTH(IFNULL(advertiser_disclosed_name, advertiser_legal_name))) AS name_letters,
    ARRAY_AGG(
      STRUCT(creative_id, ad_format_type, advertiser_disclosed_name, advertiser_legal_name, advertiser_location,
        advertiser_verification_status, region_stats, name_keys, last_shown)
      ORDER BY last_shown DESC, creative_id LIMIT @max_ads
    ) AS creatives
  FROM shown
  GROUP BY advertiser_id
),
ranked AS (
  SELECT
    advertiser_id,
    ads_count,
    creatives,
    name_key,
    COUNT(*) OVER (PARTITION BY name_key) AS advertisers_count,
    ROW_NUMBER() OVER (
      PARTITION BY name_key ORDER BY IF(STARTS_WITH(name_key, '.'), 0, name_letters), ads_count DESC, advertiser_id
    ) AS place
  FROM advertisers
  CROSS JOIN UNNEST(IF(
    advertiser_id IN UNNEST(@ids),
    [''],
    ARRAY(SELECT DISTINCT each_key FROM UNNEST(creatives) AS creative CROSS JOIN UNNEST(creative.name_keys) AS each_key)
  )) AS name_key
),
chosen AS (
  SELECT
    advertiser_id,
    ANY_VALUE(ads_count) AS ads_count,
    ANY_VALUE(creatives) AS creatives,
    MAX(IF(name_key = '' OR STARTS_WITH(name_key, '.'), 0, advertisers_count)) AS advertisers_count
  FROM ranked
  WHERE name_key = '' OR place <= @max_advertisers
  GROUP BY advertiser_id
)
SELECT
  advertiser_id,
  creative_id,
  ad_format_type,
  advertiser_disclosed_name,
  advertiser_legal_name,
  advertiser_location,
  advertiser_verification_status,
  region_stats,
  name_keys,
  ads_count,
  advertisers_count
FROM chosen
CROSS JOIN UNNEST(creatives)
ORDER BY advertiser_id, last_shown DESC, creative_id`;

/**
 * Standard SQL. It names the table once, because BigQuery reads a table again for each reference. An empty list of regions means all; it is
 * checked as a list because it may also arrive as null. Days are text in the table, `YYYY-MM-DD`, and compare as such.
 */
function queryOf(table: string): string {
  return `
WITH creatives AS (
  SELECT
    advertiser_id,
    creative_id,
    ad_format_type,
    advertiser_disclosed_name,
    advertiser_legal_name,
    advertiser_location,
    advertiser_verification_status,
    ARRAY(
      SELECT AS STRUCT stats.region_code, stats.first_shown, stats.last_shown
      FROM UNNEST(region_stats) AS stats
      WHERE IFNULL(ARRAY_LENGTH(@regions), 0) = 0 OR stats.region_code IN UNNEST(@regions)
    ) AS region_stats,
    ${keysSql}
  FROM \`${table}\`
),
shown AS (
  SELECT *, (SELECT MAX(stats.last_shown) FROM UNNEST(region_stats) AS stats) AS last_shown
  FROM creatives
  WHERE (advertiser_id IN UNNEST(@ids) OR ARRAY_LENGTH(name_keys) > 0)
    AND (IFNULL(ARRAY_LENGTH(@regions), 0) = 0 OR ARRAY_LENGTH(region_stats) > 0)
),
${chosenSql}
`.trim();
}

/** Without repeats and sorted, so that the same parameters give the same job. */
function inOrder(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}

/** The only text that is spliced into the query, because a parameter cannot name a table. */
function parseTable(table: string): string {
  if (/^[\w-]+\.\w+\.\w+$/.test(table)) return table;
  throw new Misconfigured(`The BigQuery table must be project.dataset.table, got ${JSON.stringify(table)}`);
}
