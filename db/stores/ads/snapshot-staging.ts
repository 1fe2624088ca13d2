import type pg from 'pg';
import type { SnapshotLoad, SnapshotRow } from '../../../src/core/sources/snapshot-store.ts';
import { withDatabase } from '../../connection/client.ts';
import { copyText } from '../../../src/core/sql/copy-text.ts';
import { copyIn } from '../sql/copy-in.ts';

/**
 * Copies rows into temporary tables of the client's session: `staged_ads`, one line per ad, with the ids for a new ad and a new version of
 * it, in key order; and `staged_advertisers`, one per advertiser. Each has its newest row. Errors of `rows` are rethrown unchanged.
 */
export async function stageRows(
  client: pg.PoolClient,
  rows: AsyncIterable<readonly SnapshotRow[]>,
): Promise<Pick<SnapshotLoad, 'rows' | 'duplicates' | 'ads' | 'advertisers'>> {
  await withDatabase(() => client.query(prepareSession));
  const copied = await copyRows(client, rows);
  return withDatabase(async () => {
    const ads = (await client.query(stageAds)).rowCount ?? 0;
    const advertisers = (await client.query(stageAdvertisers)).rowCount ?? 0;
    await client.query(
      'DROP TABLE pg_temp.staged_rows; ANALYZE pg_temp.staged_ads; ANALYZE pg_temp.staged_advertisers',
    );
    return { rows: copied, duplicates: copied - ads, ads, advertisers };
  });
}

/** The session belongs to the load and ends with it, and so do its settings. The memory is per sort or join, not in total. */
const prepareSession = `
  SET temp_buffers = '128MB';
  SET work_mem = '256MB';
  CREATE TEMPORARY TABLE staged_rows (row_no bigint, advertiser_id text, creative_id text, disclosed_name text,
    legal_name text, advertiser_name text, location text, format text, start date, last_seen date)`;

/**
 * Sorted by bytes ("C") instead of a language's rules: several times faster, and the same order for ids. Ids that are known before the rows
 * are stored spare the search for them afterwards; those of ads that turn out to be known are never used.
 */
const stageAds = `
  CREATE TEMPORARY TABLE staged_ads AS
  SELECT nextval('nightshift.ads_id_seq') AS new_ad_id, nextval('nightshift.ad_versions_id_seq') AS new_version_id, o.*
  FROM (
    SELECT DISTINCT ON (r.advertiser_id COLLATE "C", r.creative_id COLLATE "C") r.row_no, r.advertiser_id, r.creative_id,
      r.disclosed_name, r.legal_name, r.advertiser_name, r.location, r.format, r.first_start AS start, r.last_seen
    FROM (
      SELECT *, min(start) OVER (PARTITION BY advertiser_id COLLATE "C", creative_id COLLATE "C") AS first_start
      FROM pg_temp.staged_rows
    ) r
    ORDER BY r.advertiser_id COLLATE "C", r.creative_id COLLATE "C", r.last_seen DESC NULLS LAST, r.row_no DESC
  ) o`;

const stageAdvertisers = `
  CREATE TEMPORARY TABLE staged_advertisers AS
  SELECT DISTINCT ON (advertiser_id COLLATE "C") advertiser_id, disclosed_name, legal_name, location, last_seen
  FROM pg_temp.staged_ads
  ORDER BY advertiser_id COLLATE "C", last_seen DESC NULLS LAST, row_no DESC`;

async function copyRows(client: pg.PoolClient, rows: AsyncIterable<readonly SnapshotRow[]>): Promise<number> {
  let copied = 0;
  const refusals: unknown[] = [];

  async function* pieces(): AsyncGenerator<string> {
    try {
      for await (const block of rows) {
        let text = '';
        for (const row of block) text += copyLine(row, (copied += 1));
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
  return copied;
}

/** In the order of the table's columns. */
function copyLine(row: SnapshotRow, rowNo: number): string {
  const names = `${copyText(row.disclosedName)}\t${copyText(row.legalName)}\t${copyText(row.advertiserName)}`;
  const observation = `${copyText(row.location)}\t${copyText(row.format)}\t${row.start ?? '\\N'}\t${row.lastSeen ?? '\\N'}`;
  return `${rowNo}\t${row.advertiserId}\t${row.creativeId}\t${names}\t${observation}\n`;
}
