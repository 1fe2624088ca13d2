import { Misconfigured } from '../../core/errors.ts';
import { heldRegion } from './held-regions.ts';
import type { Question } from './jobs.ts';

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
  /** Names of advertisers, disclosed or legal; compared whole, case-insensitively and trimmed. Blank names match nothing. */
  readonly names: readonly string[];
  /** ISO codes of countries; ads shown in none of them are left out. Null: everywhere. */
  readonly regions: readonly string[] | null;
  /** Maximum number of ads per advertiser, the most recently shown first. */
  readonly adsPerAdvertiserMax: number;
}

/**
 * Builds one query for a whole window of companies: the scan costs the same for one advertiser as for thousands.
 *
 * Rows are sorted by advertiser, most recently shown first; `ads_count` is the number of ads of the advertiser, including those
 * beyond the cap. The same parameters in another order give the same query.
 *
 * @throws ValidationError for a region that is not a country of the table: its `EEA` is a sum over countries.
 */
export function askForCreatives(wanted: CreativesWanted, table = creativeStatsTable): Question {
  return {
    query: queryOf(parseTable(table)),
    parameters: {
      ids: inOrder(wanted.advertiserIds),
      names: inOrder(wanted.names.map(nameParameter).filter((name) => name !== '')),
      regions: inOrder((wanted.regions ?? []).map(heldRegion)),
      max_ads: wanted.adsPerAdvertiserMax,
    },
  };
}

/** A name in the form that the query compares: the same as `LOWER(TRIM(…))`. */
export function nameParameter(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * Standard SQL. An empty list of regions means all; it is checked as a list because it may also arrive as null. Days are text
 * in the table, `YYYY-MM-DD`, and compare as such.
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
    ARRAY(
      SELECT AS STRUCT stats.region_code, stats.first_shown, stats.last_shown
      FROM UNNEST(region_stats) AS stats
      WHERE IFNULL(ARRAY_LENGTH(@regions), 0) = 0 OR stats.region_code IN UNNEST(@regions)
    ) AS region_stats
  FROM \`${table}\`
  WHERE advertiser_id IN UNNEST(@ids)
    OR LOWER(TRIM(advertiser_disclosed_name)) IN UNNEST(@names)
    OR LOWER(TRIM(advertiser_legal_name)) IN UNNEST(@names)
),
shown AS (
  SELECT *, (SELECT MAX(stats.last_shown) FROM UNNEST(region_stats) AS stats) AS last_shown
  FROM creatives
  WHERE IFNULL(ARRAY_LENGTH(@regions), 0) = 0 OR ARRAY_LENGTH(region_stats) > 0
)
SELECT * EXCEPT (last_shown), COUNT(*) OVER (PARTITION BY advertiser_id) AS ads_count
FROM shown
WHERE TRUE
QUALIFY ROW_NUMBER() OVER (PARTITION BY advertiser_id ORDER BY last_shown DESC, creative_id) <= @max_ads
ORDER BY advertiser_id, last_shown DESC, creative_id
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
