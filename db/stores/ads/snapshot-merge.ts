import { sql, type SQL } from 'drizzle-orm';
import { adPageUrl } from '../../../src/core/ads/ad.ts';
import type { SnapshotLoad, SnapshotName } from '../../../src/core/sources/snapshot-store.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import type { Sql } from '../../connection/client.ts';
import { waitForLock, type OnWait } from '../../locks/wait-for-lock.ts';
import { snapshots } from '../../schema/ads.ts';
import { excluded } from '../sql/excluded.ts';
import { mergeAdvertisers } from './snapshot-advertisers.ts';

/**
 * Merges the rows of `stageRows` into a data set; for the rules see `SnapshotStore.load`. Run it in a transaction.
 *
 * Rows are sorted by their keys, as in `nightshift.store_ads`, to avoid deadlocks. `onConflict` handles an ad that another
 * process stores meanwhile.
 */
export async function mergeStaged(
  db: Sql,
  name: SnapshotName,
  { onConflict, onWait }: { readonly onConflict: SQL; readonly onWait: OnWait | undefined },
): Promise<Pick<SnapshotLoad, 'snapshotId' | 'adsNew' | 'adsChanged'>> {
  await waitForTurn(db, name, onWait);
  const snapshotId = await writeSnapshot(db, name);
  await mergeAdvertisers(db, snapshotId);
  await storeIdentities(db, onConflict);
  await locateAds(db, snapshotId);
  await storeVersions(db, onConflict);
  const adsChanged = await updateKnownAds(db);
  const adsNew = await insertNewAds(db);
  await makeAnswers(db);
  await db.execute(sql`SELECT nightshift.analyze_snapshots()`);
  return { snapshotId, adsNew, adsChanged };
}

/** Until the transaction ends, no other load merges into the data set, and no purge deletes versions of ads. */
async function waitForTurn(db: Sql, name: SnapshotName, onWait: OnWait | undefined): Promise<void> {
  await waitForLock(db, [advisoryLocks.snapshotLoad, name === 'sample' ? 1 : 2], {
    lasts: 'transaction',
    reason: `another load of the ${name === 'sample' ? 'sample' : 'snapshot'} is being stored`,
    onWait,
  });
  await waitForLock(db, [advisoryLocks.adVersions], {
    lasts: 'transaction',
    isShared: true,
    reason: 'a purge is deleting unused ads',
    onWait,
  });
}

async function writeSnapshot(db: Sql, name: SnapshotName): Promise<number> {
  const [written] = await db
    .insert(snapshots)
    .values({ name, isGenerated: name === 'sample', loadedAt: sql`now()` })
    .onConflictDoUpdate({ target: snapshots.name, set: { loadedAt: excluded(snapshots.loadedAt) } })
    .returning({ id: snapshots.id });
  if (written === undefined) throw new Error(`The row of snapshot ${name} could not be written.`);
  return written.id;
}

async function storeIdentities(db: Sql, onConflict: SQL): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.ads (advertiser_id, creative_id)
      SELECT s.advertiser_id, s.creative_id FROM pg_temp.staged_ads s
      WHERE NOT EXISTS (
        SELECT FROM nightshift.ads a WHERE a.advertiser_id = s.advertiser_id AND a.creative_id = s.creative_id)
      ORDER BY s.ad_no ${onConflict}`,
  );
}

/** Adds the keys of the store, and the content hash, to the staged ads. */
async function locateAds(db: Sql, snapshotId: number): Promise<void> {
  const [head, middle, tail] = adPageUrl('|', '|').split('|');
  await db.execute(
    sql`CREATE TEMPORARY TABLE located_ads ON COMMIT DROP AS
      SELECT p.id AS advertiser_key, a.id AS ad_id, s.advertiser_name, s.format, s.original_url, s.start, s.last_seen,
        nightshift.ad_content_hash(s.advertiser_name, s.format, s.original_url, NULL, NULL, NULL, NULL, NULL, '[]')
          AS content_hash
      FROM (
        SELECT *, ${head}::text || advertiser_id || ${middle}::text || creative_id || ${tail}::text AS original_url
        FROM pg_temp.staged_ads
      ) s
      JOIN nightshift.ads a ON a.advertiser_id = s.advertiser_id AND a.creative_id = s.creative_id
      JOIN nightshift.advertisers p ON p.snapshot_id = ${snapshotId} AND p.advertiser_id = s.advertiser_id`,
  );
  await db.execute(sql`ANALYZE pg_temp.located_ads`);
}

async function storeVersions(db: Sql, onConflict: SQL): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.ad_versions (ad_id, content_hash, advertiser_name, format, original_url)
      SELECT l.ad_id, l.content_hash, l.advertiser_name, l.format, l.original_url FROM pg_temp.located_ads l
      WHERE NOT EXISTS (
        SELECT FROM nightshift.ad_versions v WHERE v.ad_id = l.ad_id AND v.content_hash = l.content_hash)
      ORDER BY l.ad_id ${onConflict}`,
  );
}

/** Days widen; the content is that of the row with the latest day, with this load first among equals. */
async function updateKnownAds(db: Sql): Promise<number> {
  const updated = await db.execute(
    sql`UPDATE nightshift.snapshot_ads k
      SET start = n.start, last_seen = n.last_seen, version_id = n.version_id
      FROM (
        SELECT a.advertiser_key, a.ad_id, least(a.start, l.start) AS start, greatest(a.last_seen, l.last_seen) AS last_seen,
          CASE WHEN a.last_seen IS NULL OR l.last_seen >= a.last_seen THEN v.id ELSE a.version_id END AS version_id
        FROM pg_temp.located_ads l
        JOIN nightshift.snapshot_ads a ON a.advertiser_key = l.advertiser_key AND a.ad_id = l.ad_id
        JOIN nightshift.ad_versions v ON v.ad_id = l.ad_id AND v.content_hash = l.content_hash
      ) n
      WHERE k.advertiser_key = n.advertiser_key AND k.ad_id = n.ad_id
        AND (k.start, k.last_seen, k.version_id) IS DISTINCT FROM (n.start, n.last_seen, n.version_id)`,
  );
  return updated.rowCount ?? 0;
}

async function insertNewAds(db: Sql): Promise<number> {
  const inserted = await db.execute(
    sql`INSERT INTO nightshift.snapshot_ads (advertiser_key, ad_id, version_id, start, last_seen)
      SELECT l.advertiser_key, l.ad_id, v.id, l.start, l.last_seen
      FROM pg_temp.located_ads l
      JOIN nightshift.ad_versions v ON v.ad_id = l.ad_id AND v.content_hash = l.content_hash
      WHERE NOT EXISTS (
        SELECT FROM nightshift.snapshot_ads a WHERE a.advertiser_key = l.advertiser_key AND a.ad_id = l.ad_id)
      ORDER BY l.advertiser_key, l.ad_id`,
  );
  return inserted.rowCount ?? 0;
}

/** Makes the answers of the advertisers of the load: their ads, newest first. */
async function makeAnswers(db: Sql): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.advertisers d SET answer_id = s.answer_id, newest_day = s.newest_day
      FROM (
        SELECT array_agg(o.advertiser_key) AS keys, array_agg(o.version_id) AS versions, array_agg(o.start) AS starts,
          array_agg(o.last_seen) AS last_days
        FROM (
          SELECT a.* FROM nightshift.snapshot_ads a
          WHERE a.advertiser_key IN (SELECT l.advertiser_key FROM pg_temp.located_ads l)
          ORDER BY a.advertiser_key, a.last_seen DESC NULLS LAST, a.ad_id
        ) o
      ) n
      CROSS JOIN LATERAL nightshift.store_answers(n.keys, n.versions, n.starts, n.last_days) s
      WHERE d.id = s.key AND (d.answer_id, d.newest_day) IS DISTINCT FROM (s.answer_id, s.newest_day)`,
  );
}
