import type pg from 'pg';
import type { SnapshotLoad, SnapshotRow } from '../../../src/core/sources/snapshot-store.ts';
import { noDetails } from '../../../src/core/ads/ad-details.ts';
import { withDatabase } from '../../connection/client.ts';
import { copyText } from '../../../src/core/sql/copy-text.ts';
import { copyIn } from '../sql/copy-in.ts';
import { packDetails, packRemoval } from './pack-details.ts';

/** Number and content of staged rows. */
export interface StagedRows {
  readonly load: Pick<SnapshotLoad, 'rows' | 'duplicates' | 'ads' | 'advertisers' | 'removedAds'>;
  readonly content: StagedContent;
}

/**
 * Copies rows into temporary tables of the client's session: `staged_ads`, one line per ad, with the ids for a new ad and a new version of
 * it, in key order; `staged_advertisers`, one per advertiser; `staged_details`, one per ad with details; and `staged_removed`, one per removed
 * ad. Each has its newest row. Errors of `rows` are rethrown unchanged.
 */
export async function stageRows(
  client: pg.PoolClient,
  rows: AsyncIterable<readonly SnapshotRow[]>,
): Promise<StagedRows> {
  await withDatabase(() => client.query(prepareSession));
  const { copied, removed, content } = await copyRows(client, rows);
  return withDatabase(async () => {
    const ads = (await client.query(stageAds)).rowCount ?? 0;
    const advertisers = (await client.query(stageAdvertisers)).rowCount ?? 0;
    await client.query(stageDetails('staged_details', 'NOT n.is_removed AND n.details IS NOT NULL'));
    const removedAds = (await client.query(stageDetails('staged_removed', 'n.is_removed'))).rowCount ?? 0;
    await client.query(
      `DROP TABLE pg_temp.staged_rows; ANALYZE pg_temp.staged_ads; ANALYZE pg_temp.staged_advertisers;
        ANALYZE pg_temp.staged_details (advertiser_id, creative_id); ANALYZE pg_temp.staged_removed (advertiser_id, creative_id)`,
    );
    const duplicates = copied - removed - ads;
    return { load: { rows: copied, duplicates, ads, advertisers, removedAds }, content };
  });
}

/** The session belongs to the load and ends with it, and so do its settings. The memory is per sort or join, not in total. */
const prepareSession = `
  SET temp_buffers = '128MB';
  SET work_mem = '256MB';
  CREATE TEMPORARY TABLE staged_rows (row_no bigint, advertiser_id text, creative_id text, disclosed_name text,
    legal_name text, advertiser_name text, location text, format text, start date, last_seen date, is_removed boolean, details text, content jsonb)`;

/**
 * Sorted by bytes ("C") instead of a language's rules: several times faster, and the same order for ids. Ids that are known before the rows
 * are stored spare the search for them afterwards; those of ads that turn out to be known are never used.
 */
const stageAds = `
  CREATE TEMPORARY TABLE staged_ads AS
  SELECT nextval('nightshift.ads_id_seq') AS new_ad_id, nextval('nightshift.ad_versions_id_seq') AS new_version_id, o.*
  FROM (
    SELECT DISTINCT ON (r.advertiser_id COLLATE "C", r.creative_id COLLATE "C") r.row_no, r.advertiser_id, r.creative_id,
      r.disclosed_name, r.legal_name, r.advertiser_name, r.location, r.format, r.first_start AS start, r.last_seen, r.content
    FROM (
      SELECT row_no, advertiser_id, creative_id, disclosed_name, legal_name, advertiser_name, location, format, last_seen, content,
        min(start) OVER (PARTITION BY advertiser_id COLLATE "C", creative_id COLLATE "C") AS first_start
      FROM pg_temp.staged_rows WHERE NOT is_removed
    ) r
    ORDER BY r.advertiser_id COLLATE "C", r.creative_id COLLATE "C", r.last_seen DESC NULLS LAST, r.row_no DESC
  ) o`;

const stageAdvertisers = `
  CREATE TEMPORARY TABLE staged_advertisers AS
  SELECT DISTINCT ON (advertiser_id COLLATE "C") advertiser_id, disclosed_name, legal_name, location, last_seen
  FROM pg_temp.staged_ads
  ORDER BY advertiser_id COLLATE "C", last_seen DESC NULLS LAST, row_no DESC`;

/** The details of each ad that has any, and the removed ads: those of its newest row. Ids and row are sorted without the wide column. */
function stageDetails(table: 'staged_details' | 'staged_removed', chosen: string): string {
  return `
  CREATE TEMPORARY TABLE ${table} AS
  SELECT r.advertiser_id, r.creative_id, nightshift.details_hash(r.details) AS content_hash, r.details
  FROM (
    SELECT o.advertiser_id, o.creative_id, o.details::jsonb AS details FROM pg_temp.staged_rows o
    WHERE o.row_no IN (
      SELECT DISTINCT ON (n.advertiser_id COLLATE "C", n.creative_id COLLATE "C") n.row_no
      FROM pg_temp.staged_rows n WHERE ${chosen}
      ORDER BY n.advertiser_id COLLATE "C", n.creative_id COLLATE "C", n.last_seen DESC NULLS LAST, n.row_no DESC
    )
  ) r`;
}

/** Contents of the rows of a load. */
export interface StagedContent {
  readonly hasAds: boolean;
  readonly hasRegions: boolean;
  readonly hasSurfaces: boolean;
  /** True if a row has texts or renderings. */
  readonly hasContent: boolean;
}

async function copyRows(
  client: pg.PoolClient,
  rows: AsyncIterable<readonly SnapshotRow[]>,
): Promise<{ readonly copied: number; readonly removed: number; readonly content: StagedContent }> {
  let copied = 0;
  let removed = 0;
  let hasRegions = false;
  let hasSurfaces = false;
  let hasContent = false;
  const refusals: unknown[] = [];

  async function* pieces(): AsyncGenerator<string> {
    try {
      for await (const block of rows) {
        let text = '';
        for (const row of block) {
          text += copyLine(row, (copied += 1));
          hasContent ||= row.content !== undefined;
          if (row.disapprovals !== null) removed += 1;
          else if (row.details !== null && row.details.regions.length > 0) {
            hasRegions = true;
            hasSurfaces ||= row.details.regions.some(({ surfaces }) => surfaces.length > 0);
          }
        }
        // A stream ends at an empty string, which a block without rows would produce.
        if (text !== '') yield text;
      }
    } catch (error) {
      refusals.push(error);
      throw error;
    }
  }

  try {
    await withDatabase(() => copyIn(client, 'COPY pg_temp.staged_rows FROM STDIN', pieces()));
  } catch (error) {
    throw refusals.length > 0 ? refusals[0] : error;
  }
  return { copied, removed, content: { hasAds: copied > removed, hasRegions, hasSurfaces, hasContent } };
}

/** In the order of the table's columns. */
function copyLine(row: SnapshotRow, rowNo: number): string {
  const names = `${copyText(row.disclosedName)}\t${copyText(row.legalName)}\t${copyText(row.advertiserName)}`;
  const observation = `${copyText(row.location)}\t${copyText(row.format)}\t${row.start ?? '\\N'}\t${row.lastSeen ?? '\\N'}`;
  const rest = `${row.disapprovals !== null}\t${copyText(detailsText(row))}\t${copyText(contentText(row))}`;
  return `${rowNo}\t${row.advertiserId}\t${row.creativeId}\t${names}\t${observation}\t${rest}\n`;
}

/** Texts and renderings as JSON, in the form that `nightshift.store_ads` reads. */
function contentText({ content }: SnapshotRow): string | null {
  if (content === undefined) return null;
  const { text, variants } = content;
  return JSON.stringify({
    headline: text?.headline ?? null,
    description: text?.description ?? null,
    display_url: text?.displayUrl ?? null,
    final_url: text?.finalUrl ?? null,
    ad_type: text?.adType ?? null,
    variants,
  });
}

/** Details, or those of a removed ad, as JSON. */
function detailsText(row: SnapshotRow): string | null {
  const { details, disapprovals } = row;
  if (disapprovals !== null) return JSON.stringify(packRemoval(disapprovals, details ?? noDetails));
  return details === null ? null : JSON.stringify(packDetails(details, row));
}
