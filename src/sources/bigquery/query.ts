import { Misconfigured } from '../../core/errors.ts';
import { heldRegion } from './held-regions.ts';
import type { Question } from './jobs.ts';

/** Google's public table of the ads shown in the European Economic Area and Türkiye. */
export const creativeStatsTable = 'bigquery-public-data.google_ads_transparency_center.creative_stats';

/** A column that the query reads. */
export interface ReadColumn {
  /** With dots between a record and its member. */
  readonly path: string;
  readonly type: 'STRING' | 'RECORD';
  readonly isRepeated: boolean;
}

/** Everything that the query reads of the table, and so everything that it costs: BigQuery bills by column. */
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
  /** Names of advertisers, disclosed or legal; compared whole, without regard to case and outer blanks. Blank ones are not. */
  readonly names: readonly string[];
  /** ISO codes of countries; an ad that was shown in none of them is left out. Null for everywhere. */
  readonly regions: readonly string[] | null;
  /** The most ads of one advertiser, the last shown first. */
  readonly adsPerAdvertiserMax: number;
}

/**
 * The one question for a whole window of companies: the scan costs the same for one advertiser as for thousands.
 *
 * Rows come by advertiser, the last shown first; `ads_count` is the number of ads that the advertiser has, also beyond the
 * cap. The same wants in another order are the same question.
 *
 * @throws ValidationError for a region that is no country of the table: `EEA` in it is a sum over countries.
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

/** A name as the query compares it: the same as `LOWER(TRIM(…))` there. */
export function nameParameter(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * Standard SQL. An empty list of regions stands for all, and is asked for so that it may also arrive as null. Days are text
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

/** Without repeats and in one order, so that the same wants make the same job. */
function inOrder(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}

/** The one thing that is spliced into the query: no parameter can name a table. */
function parseTable(table: string): string {
  if (/^[\w-]+\.\w+\.\w+$/.test(table)) return table;
  throw new Misconfigured(`The BigQuery table must be project.dataset.table, got ${JSON.stringify(table)}`);
}
