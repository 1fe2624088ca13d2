import { sql, type SQL } from 'drizzle-orm';
import { searchWordsVersion } from '../../../src/core/companies/match/search-words.ts';
import type { SnapshotLoad, SnapshotName } from '../../../src/core/sources/snapshot-store.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import type { Sql } from '../../connection/client.ts';
import { waitForLock, type OnWait } from '../../locks/wait-for-lock.ts';
import { snapshots } from '../../schema/ads.ts';
import { excluded } from '../sql/excluded.ts';
import { storeRemovedAds, storeStagedDetails, type LoadMoment } from './ad-details.ts';
import { chooseMoment } from './snapshot-day.ts';
import type { StagedContent } from './snapshot-staging.ts';
import { fillWords } from './advertiser-words.ts';
import { mergeAdvertisers } from './snapshot-advertisers.ts';
import { makeAnswers } from './snapshot-answers.ts';

/**
 * Ads that another process stores during the merge. `unexpected`: they fail it, with a duplicate key; plain inserts are a third faster.
 * `expected`: those of the other process are used.
 */
export type Conflicts = 'unexpected' | 'expected';

/** Options of a merge. */
export interface MergeOptions {
  readonly conflicts: Conflicts;
  readonly content: StagedContent;
  /** Day of the export. */
  readonly asOf: string;
  /** `SnapshotLoadOptions.isWhole`. */
  readonly isWhole: boolean;
  readonly onWait: OnWait | undefined;
}

/**
 * Merges the rows of `stageRows` into a data set; for the rules see `SnapshotStore.load`. Run it in a transaction.
 *
 * Rows are sorted by their keys, as in `nightshift.store_ads`, to avoid deadlocks.
 */
export async function mergeStaged(
  db: Sql,
  name: SnapshotName,
  { conflicts, content, asOf, isWhole, onWait }: MergeOptions,
): Promise<Pick<SnapshotLoad, 'snapshotId' | 'adsNew' | 'adsChanged' | 'asOf'>> {
  await waitForTurn(db, name, onWait);
  const moment = await chooseMoment(db, name, asOf);
  const snapshotId = await writeSnapshot(db, name, moment, content);
  await fillWords(db);
  await mergeAdvertisers(db, snapshotId);
  if (content.hasContent) await storeContents(db);
  await locateAds(db, snapshotId);
  await storeIdentities(db, conflicts);
  await storeVersions(db, conflicts);
  const adsChanged = await updateKnownAds(db);
  const adsNew = await insertNewAds(db);
  if (isWhole) await removeMissingAds(db, snapshotId);
  await makeAnswers(db);
  await storeStagedDetails(db, name, moment);
  await storeRemovedAds(db, name, moment);
  await db.execute(sql`SELECT nightshift.analyze_snapshots()`);
  return { snapshotId, adsNew, adsChanged, asOf: moment.asOf };
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

/** A load of removed ads alone makes no data set that could be searched. */
async function writeSnapshot(
  db: Sql,
  name: SnapshotName,
  { asOf }: LoadMoment,
  { hasAds, hasRegions, hasSurfaces }: StagedContent,
): Promise<number> {
  const loadedAt = hasAds ? sql`now()` : null;
  const [written] = await db
    .insert(snapshots)
    .values({
      name,
      isGenerated: name === 'sample',
      loadedAt,
      asOf,
      hasRegions,
      hasSurfaces,
      wordsVersion: searchWordsVersion,
    })
    .onConflictDoUpdate({
      target: snapshots.name,
      set: {
        loadedAt: sql`coalesce(${excluded(snapshots.loadedAt)}, ${snapshots.loadedAt})`,
        asOf: excluded(snapshots.asOf),
        hasRegions: sql`${snapshots.hasRegions} OR ${excluded(snapshots.hasRegions)}`,
        hasSurfaces: sql`${snapshots.hasSurfaces} OR ${excluded(snapshots.hasSurfaces)}`,
      },
    })
    .returning({ id: snapshots.id });
  if (written === undefined) throw new Error(`The row of snapshot ${name} could not be written.`);
  return written.id;
}

/** Stores the ads that have texts or renderings with their versions, which `locateAds` then finds. */
async function storeContents(db: Sql): Promise<void> {
  await db.execute(
    sql`SELECT count(*) FROM nightshift.store_ads((
      SELECT jsonb_agg(u.content || jsonb_build_object('ord', u.row_no, 'advertiser_id', u.advertiser_id, 'creative_id', u.creative_id,
        'advertiser_name', u.advertiser_name, 'format', u.format, 'original_url', nightshift.ad_page_url(u.advertiser_id, u.creative_id)))
      FROM pg_temp.staged_ads u WHERE u.content IS NOT NULL))`,
  );
}

/**
 * Compares the staged ads with the store once: adds their keys, the hash of their content, and what is new. Everything that follows reads the
 * result in the order of the ids.
 */
async function locateAds(db: Sql, snapshotId: number): Promise<void> {
  await db.execute(
    sql`CREATE TEMPORARY TABLE located_ads ON COMMIT DROP AS
      SELECT p.id AS advertiser_key, coalesce(a.id, s.new_ad_id) AS ad_id, coalesce(v.id, s.new_version_id) AS version_id,
        a.id IS NULL AS is_new, v.id IS NULL AS is_new_version, k.ad_id IS NULL AS is_new_here, s.advertiser_id, s.creative_id,
        s.advertiser_name, s.format, s.start, s.last_seen, s.content_hash
      FROM (
        SELECT u.*, CASE WHEN u.content IS NULL
          THEN nightshift.snapshot_ad_hash(u.advertiser_name, u.format, nightshift.ad_page_url(u.advertiser_id, u.creative_id))
          ELSE nightshift.ad_content_hash(u.advertiser_name, u.format, nightshift.ad_page_url(u.advertiser_id, u.creative_id),
            u.content ->> 'headline', u.content ->> 'description', u.content ->> 'display_url', u.content ->> 'final_url',
            u.content ->> 'ad_type', u.content -> 'variants') END AS content_hash
        FROM pg_temp.staged_ads u
      ) s
      JOIN nightshift.advertisers p ON p.snapshot_id = ${snapshotId} AND p.advertiser_id = s.advertiser_id
      LEFT JOIN nightshift.ads a ON a.advertiser_id = s.advertiser_id AND a.creative_id = s.creative_id
      LEFT JOIN nightshift.ad_versions v ON v.ad_id = a.id AND v.content_hash = s.content_hash
      LEFT JOIN nightshift.snapshot_ads k ON k.advertiser_key = p.id AND k.ad_id = a.id`,
  );
  await db.execute(
    sql`ANALYZE pg_temp.located_ads (advertiser_key, ad_id, is_new, is_new_version, is_new_here)`,
  );
}

async function storeIdentities(db: Sql, conflicts: Conflicts): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.ads (id, advertiser_id, creative_id) OVERRIDING SYSTEM VALUE
      SELECT l.ad_id, l.advertiser_id, l.creative_id FROM pg_temp.located_ads l WHERE l.is_new
      ORDER BY l.ad_id ${onConflict(conflicts)}`,
  );
  if (conflicts === 'expected')
    await db.execute(
      sql`UPDATE pg_temp.located_ads l SET ad_id = a.id FROM nightshift.ads a
        WHERE l.is_new AND a.advertiser_id = l.advertiser_id AND a.creative_id = l.creative_id AND a.id <> l.ad_id`,
    );
}

async function storeVersions(db: Sql, conflicts: Conflicts): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.ad_versions (id, ad_id, content_hash, advertiser_name, format, original_url) OVERRIDING SYSTEM VALUE
      SELECT l.version_id, l.ad_id, l.content_hash, l.advertiser_name, l.format, ''
      FROM pg_temp.located_ads l WHERE l.is_new_version
      ORDER BY l.ad_id ${onConflict(conflicts)}`,
  );
  if (conflicts === 'expected')
    await db.execute(
      sql`UPDATE pg_temp.located_ads l SET version_id = v.id FROM nightshift.ad_versions v
        WHERE l.is_new_version AND v.ad_id = l.ad_id AND v.content_hash = l.content_hash AND v.id <> l.version_id`,
    );
}

function onConflict(conflicts: Conflicts): SQL {
  return conflicts === 'expected' ? sql`ON CONFLICT DO NOTHING` : sql``;
}

/** Days widen; the content is that of the row with the latest day, with this load first among equals. */
async function updateKnownAds(db: Sql): Promise<number> {
  const updated = await db.execute(
    sql`UPDATE nightshift.snapshot_ads k
      SET start = n.start, last_seen = n.last_seen, version_id = n.version_id
      FROM (
        SELECT a.advertiser_key, a.ad_id, least(a.start, l.start) AS start, greatest(a.last_seen, l.last_seen) AS last_seen,
          CASE WHEN a.last_seen IS NULL OR l.last_seen >= a.last_seen THEN l.version_id ELSE a.version_id END AS version_id
        FROM pg_temp.located_ads l
        JOIN nightshift.snapshot_ads a ON a.advertiser_key = l.advertiser_key AND a.ad_id = l.ad_id
        WHERE NOT l.is_new_here
      ) n
      WHERE k.advertiser_key = n.advertiser_key AND k.ad_id = n.ad_id
        AND (k.start, k.last_seen, k.version_id) IS DISTINCT FROM (n.start, n.last_seen, n.version_id)`,
  );
  return updated.rowCount ?? 0;
}

async function insertNewAds(db: Sql): Promise<number> {
  const inserted = await db.execute(
    sql`INSERT INTO nightshift.snapshot_ads (advertiser_key, ad_id, version_id, start, last_seen)
      SELECT l.advertiser_key, l.ad_id, l.version_id, l.start, l.last_seen
      FROM pg_temp.located_ads l WHERE l.is_new_here
      ORDER BY l.advertiser_key, l.ad_id`,
  );
  return inserted.rowCount ?? 0;
}

/** Removes the ads that a whole load does not have. They stay in the record of earlier lookups. */
async function removeMissingAds(db: Sql, snapshotId: number): Promise<void> {
  await db.execute(
    sql`DELETE FROM nightshift.snapshot_ads k USING nightshift.advertisers p
      WHERE p.snapshot_id = ${snapshotId} AND k.advertiser_key = p.id
        AND NOT EXISTS (SELECT FROM pg_temp.located_ads l WHERE l.advertiser_key = k.advertiser_key AND l.ad_id = k.ad_id)`,
  );
}
