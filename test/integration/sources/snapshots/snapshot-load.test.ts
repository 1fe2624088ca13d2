import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createSnapshotStore } from '../../../../db/stores/ads/snapshots.ts';
import { importSnapshot } from '../../../../src/sources/snapshot/import.ts';
import { adPageUrl } from '../../../../src/core/ads/ad.ts';
import type { SnapshotRow } from '../../../../src/core/sources/snapshot-store.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/db/database.ts';
import {
  advertiserId,
  creativeId,
  dumpStore,
  loadContents,
  loadCreatives,
  nestedFile,
  readSnapshot,
} from '../../../support/sources/snapshots.ts';

const sample = new URL('../../../../examples/sample-snapshot.ndjson', import.meta.url).pathname;

describe('snapshot load', () => {
  test('stores ads, versions, dates, advertisers and their keys', async () => {
    const database = await openTestDatabase();
    const load = await loadCreatives(database, [
      {
        advertiser: 7,
        creative: 1,
        name: 'Müller & Söhne GmbH',
        legal: 'Mueller Holding AG',
        location: 'DE',
      },
      {
        advertiser: 7,
        creative: 2,
        name: 'Müller & Söhne GmbH',
        legal: 'Mueller Holding AG',
        format: 'VIDEO',
        location: 'DE',
        start: null,
      },
    ]);
    expect(load).toMatchObject({ rows: 2, duplicates: 0, ads: 2, adsNew: 2, adsChanged: 0, advertisers: 1 });
    const ad = {
      advertiser_id: advertiserId(7),
      advertiser_name: 'Müller & Söhne GmbH',
      format: 'Text',
      start: '2024-01-01',
      last_seen: '2024-06-30',
    };
    expect(await readSnapshot(database)).toEqual({
      ads: [
        { ...ad, creative_id: creativeId(1), original_url: adPageUrl(advertiserId(7), creativeId(1)) },
        {
          ...ad,
          creative_id: creativeId(2),
          original_url: adPageUrl(advertiserId(7), creativeId(2)),
          format: 'Video',
          start: null,
        },
      ],
      advertisers: [
        {
          advertiser_id: advertiserId(7),
          disclosed_name: 'Müller & Söhne GmbH',
          legal_name: 'Mueller Holding AG',
          location: 'DE',
          keys: ['mueller and soehne', 'mueller holding', 'muller and sohne'],
        },
      ],
    });
  });

  test('of the bundled sample stores its ads, and counts its duplicate rows', async () => {
    const database = await openTestDatabase();
    const store = createSnapshotStore(database.app);
    const load = await importSnapshot({ store, name: 'sample', files: [sample] });
    expect(load).toMatchObject({ rows: 1380, duplicates: 8, ads: 1372, adsNew: 1372 });
    const found = await store.find('sample');
    expect(found).toMatchObject({ id: load.snapshotId, name: 'sample', isGenerated: true });
    expect(found?.loadedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect(await store.find('snapshot')).toBeNull();
  });

  test('of the same file again changes nothing', async () => {
    const database = await openTestDatabase();
    const store = createSnapshotStore(database.app);
    await importSnapshot({ store, name: 'sample', files: [sample] });
    const before = await dumpStore(database);
    const again = await importSnapshot({ store, name: 'sample', files: [sample] });
    expect(again).toMatchObject({ rows: 1380, ads: 1372, adsNew: 0, adsChanged: 0 });
    expect(await dumpStore(database)).toEqual(before);
  });

  test('keeps texts with any characters unchanged', async () => {
    const database = await openTestDatabase();
    const names = [
      '\\N',
      'back\\slash',
      'quote "x", comma',
      "it's 100% $1",
      '株式会社ナイキ',
      '🏃 Run',
      '\\.',
      'NULL',
    ];
    await loadCreatives(
      database,
      names.map((name, i) => ({ advertiser: i, creative: i, name })),
    );
    const { advertisers } = await readSnapshot(database);
    expect(advertisers.map((row) => row['disclosed_name'])).toEqual(names);
    const hashes = await database.owner.sql.execute<{ is_same: boolean }>(
      sql`SELECT v.content_hash = nightshift.ad_content_hash(v.advertiser_name, v.format, v.original_url, NULL, NULL, NULL, NULL,
          NULL, '[]') AS is_same
        FROM nightshift.ad_contents v`,
    );
    expect(hashes.rows).toEqual(names.map(() => ({ is_same: true })));
  });

  test('merges rows of an ad: earliest and latest date, and the content of the latest or last row', async () => {
    const database = await openTestDatabase();
    const load = await loadCreatives(database, [
      { advertiser: 1, creative: 1, name: 'New', lastSeen: '2024-09-09', start: '2024-05-05' },
      { advertiser: 1, creative: 1, name: 'Old', lastSeen: '2024-08-08', start: '2024-02-02' },
      { advertiser: 2, creative: 2, name: 'First', start: null },
      { advertiser: 2, creative: 2, name: 'Second' },
    ]);
    expect(load).toMatchObject({ rows: 4, duplicates: 2, ads: 2, advertisers: 2 });
    const { ads, advertisers } = await readSnapshot(database);
    expect(ads).toMatchObject([
      { advertiser_name: 'New', start: '2024-02-02', last_seen: '2024-09-09' },
      { advertiser_name: 'Second', start: '2024-01-01', last_seen: '2024-06-30' },
    ]);
    expect(advertisers.map((row) => row['disclosed_name'])).toEqual(['New', 'Second']);
  });

  test('of several files is one load', async () => {
    const database = await openTestDatabase();
    const load = await loadContents(database, {
      'a.ndjson': nestedFile([{ advertiser: 1, creative: 1, start: '2024-03-03' }]),
      'empty.ndjson': '',
      'b.ndjson': nestedFile([
        { advertiser: 1, creative: 1, start: '2024-02-02' },
        { advertiser: 1, creative: 2 },
      ]),
    });
    expect(load).toMatchObject({ rows: 3, duplicates: 1, ads: 2, advertisers: 1 });
  });

  test('keeps the two data sets separate, with shared ads', async () => {
    const database = await openTestDatabase();
    const store = createSnapshotStore(database.app);
    await loadCreatives(database, [{ advertiser: 1, creative: 1, name: 'Real' }]);
    await store.load('sample', rowsOf([row(1, 1, 'Generated'), row(1, 2, 'Generated')]));
    expect((await readSnapshot(database)).ads).toMatchObject([{ advertiser_name: 'Real' }]);
    expect((await readSnapshot(database, 'sample')).ads).toHaveLength(2);
    expect(await count(database, 'ads')).toBe(2);
  });
});

describe('later snapshot load', () => {
  test('adds ads, extends dates and updates content, and keeps missing ads', async () => {
    const database = await openTestDatabase();
    await loadCreatives(database, [
      { advertiser: 1, creative: 1, name: 'Nike', start: '2024-02-02', lastSeen: '2024-03-03' },
      { advertiser: 1, creative: 2, name: 'Nike' },
    ]);
    const load = await loadCreatives(database, [
      {
        advertiser: 1,
        creative: 1,
        name: 'Nike',
        format: 'IMAGE',
        start: '2024-02-20',
        lastSeen: '2024-04-04',
      },
      { advertiser: 1, creative: 3, name: 'Nike' },
    ]);
    expect(load).toMatchObject({ ads: 2, adsNew: 1, adsChanged: 1 });
    expect((await readSnapshot(database)).ads).toMatchObject([
      { creative_id: creativeId(1), format: 'Image', start: '2024-02-02', last_seen: '2024-04-04' },
      { creative_id: creativeId(2), format: 'Text' },
      { creative_id: creativeId(3), format: 'Text' },
    ]);
    expect(await count(database, 'ad_versions')).toBe(4);
  });

  test('replaces the names of an advertiser', async () => {
    const database = await openTestDatabase();
    await loadCreatives(database, [
      { advertiser: 1, creative: 1, name: 'Facebook, Inc.', legal: 'Facebook Ireland Ltd' },
    ]);
    await loadCreatives(database, [
      { advertiser: 1, creative: 1, name: 'Meta Platforms, Inc.', lastSeen: '2024-07-01' },
    ]);
    expect((await readSnapshot(database)).advertisers).toMatchObject([
      { disclosed_name: 'Meta Platforms, Inc.', legal_name: null, keys: ['meta platforms'] },
    ]);
  });

  test('of an older shard changes the first day only', async () => {
    const database = await openTestDatabase();
    await loadCreatives(database, [{ advertiser: 1, creative: 1, name: 'New', lastSeen: '2024-07-01' }]);
    await loadCreatives(database, [{ advertiser: 1, creative: 1, name: 'New', lastSeen: '2024-09-01' }]);
    await loadCreatives(database, [
      { advertiser: 1, creative: 1, name: 'Old', lastSeen: '2024-08-01', start: '2023-03-01' },
    ]);
    const { ads, advertisers } = await readSnapshot(database);
    expect(ads).toMatchObject([{ advertiser_name: 'New', start: '2023-03-01', last_seen: '2024-09-01' }]);
    expect(advertisers).toMatchObject([{ disclosed_name: 'New', keys: ['new'] }]);
  });

  test('replaces a row of the same day', async () => {
    const database = await openTestDatabase();
    await loadCreatives(database, [{ advertiser: 1, creative: 1, name: 'Wrong' }]);
    await loadCreatives(database, [{ advertiser: 1, creative: 1, name: 'Right' }]);
    const { ads, advertisers } = await readSnapshot(database);
    expect(ads).toMatchObject([{ advertiser_name: 'Right' }]);
    expect(advertisers).toMatchObject([{ disclosed_name: 'Right', keys: ['right'] }]);
  });

  test('does not change ads of an earlier lookup', async () => {
    const database = await openTestDatabase();
    await loadCreatives(database, [{ advertiser: 1, creative: 1, name: 'Before' }]);
    await database.app.sql.execute(
      sql`INSERT INTO nightshift.lookups (id, account_id, request_id, operation, subject_key, outcome, ads_count, ended_at, answer_id, newest_day)
        SELECT 1, 1, 'req_1', 'ads_search', 'n:before', 'found', 1, now(), answer_id, newest_day FROM nightshift.advertisers`,
    );
    await loadCreatives(database, [{ advertiser: 1, creative: 1, name: 'After', lastSeen: '2024-12-31' }]);
    const seen = await database.owner.sql.execute(
      sql`SELECT v.advertiser_name, l.last_seen::text FROM nightshift.lookup_ads l
        JOIN nightshift.ad_versions v ON v.id = l.version_id`,
    );
    expect(seen.rows).toEqual([{ advertiser_name: 'Before', last_seen: '2024-06-30' }]);
  });

  test('in shards has the same result in any order', async () => {
    const shards = [
      [
        { advertiser: 1, creative: 1, name: 'A', lastSeen: '2024-07-01' },
        { advertiser: 2, creative: 2, name: 'B', start: '2023-05-05' },
      ],
      [{ advertiser: 1, creative: 1, name: 'A2', lastSeen: '2024-08-01', start: '2024-05-01' }],
      [{ advertiser: 2, creative: 2, name: 'B2', lastSeen: '2024-05-01' }],
    ];
    const forwards = await openTestDatabase();
    for (const shard of shards) await loadCreatives(forwards, shard);
    const backwards = await openTestDatabase();
    for (const shard of shards.toReversed()) await loadCreatives(backwards, shard);
    const together = await openTestDatabase();
    await loadCreatives(together, shards.flat());
    expect(await readSnapshot(backwards)).toEqual(await readSnapshot(forwards));
    expect(await readSnapshot(together)).toEqual(await readSnapshot(forwards));
  });
});

describe('snapshot load that fails', () => {
  test('changes nothing, and the next one succeeds', async () => {
    const database = await openTestDatabase();
    const store = createSnapshotStore(database.app);
    await store.load('snapshot', rowsOf([row(1, 1, 'Kept')]));
    const before = await dumpStore(database);
    const broken = store.load(
      'snapshot',
      rowsOf([row(1, 1, 'Lost'), row(2, 2, 'Lost')], new Error('the disk is gone')),
    );
    await expect(broken).rejects.toThrow('the disk is gone');
    expect(await dumpStore(database)).toEqual(before);
    expect(await store.load('snapshot', rowsOf([row(2, 2, 'Next')]))).toMatchObject({ adsNew: 1 });
  });

  test('does not create the data set', async () => {
    const database = await openTestDatabase();
    const store = createSnapshotStore(database.app);
    await expect(store.load('snapshot', rowsOf([row(1, 1, 'Lost')], new Error('gone')))).rejects.toThrow(
      'gone',
    );
    expect(await store.find('snapshot')).toBeNull();
  });
});

async function* rowsOf(rows: readonly SnapshotRow[], error?: Error): AsyncGenerator<readonly SnapshotRow[]> {
  for (const each of rows) yield [each];
  if (error !== undefined) throw error;
}

function row(advertiser: number, creative: number, name: string): SnapshotRow {
  return {
    advertiserId: advertiserId(advertiser),
    creativeId: creativeId(creative),
    advertiserName: name,
    disclosedName: name,
    legalName: null,
    location: null,
    format: 'Text',
    start: '2024-01-01',
    lastSeen: '2024-06-30',
    details: null,
    disapprovals: null,
  };
}

async function count({ owner }: TestDatabase, table: string): Promise<number> {
  const result = await owner.pool.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM nightshift.${table}`,
  );
  return result.rows[0]?.n ?? 0;
}
