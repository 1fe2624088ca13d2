import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../support/db/database.ts';
import { advertiserId, creativeId, loadCreatives, readSnapshot } from '../../../support/sources/snapshots.ts';

describe('concurrent snapshot loads', () => {
  test('of one data set run one after another, with both results', async () => {
    const database = await openTestDatabase();
    const creatives = Array.from({ length: 500 }, (_, i) => ({ advertiser: i % 50, creative: i }));
    await Promise.all([
      loadCreatives(database, creatives),
      loadCreatives(database, creatives.toReversed()),
      loadCreatives(database, [...creatives, { advertiser: 1, creative: 1_000 }]),
    ]);
    expect((await readSnapshot(database)).ads).toHaveLength(501);
    expect(await count(database, 'ad_versions')).toBe(501);
  });

  test('and a live source store a shared ad once', async () => {
    const database = await openTestDatabase();
    const live = await database.owner.pool.connect();
    await live.query('BEGIN');
    await live.query('SELECT nightshift.store_ads($1)', [JSON.stringify([storedAd(1, 1)])]);
    const loading = loadCreatives(database, [
      { advertiser: 1, creative: 1 },
      { advertiser: 1, creative: 2 },
    ]);
    await waitForLock(database);
    await live.query('COMMIT');
    live.release();
    expect(await loading).toMatchObject({ adsNew: 2 });
    expect((await readSnapshot(database)).ads).toHaveLength(2);
    expect(await count(database, 'ads')).toBe(2);
  });
});

describe('snapshot load beside live sources', () => {
  test('refers to the ads that one of them stores while the load repeats for another', async () => {
    const database = await openTestDatabase();
    const [first, second] = [await storeLive(database, 1), await storeLive(database, 2)];
    const loading = loadCreatives(
      database,
      [1, 2, 3].map((creative) => ({ advertiser: 1, creative })),
    );
    for (const live of [first, second]) {
      await waitForLock(database);
      await live.commit();
    }
    expect(await loading).toMatchObject({ adsNew: 3 });
    expect((await readSnapshot(database)).ads).toHaveLength(3);
    expect(await count(database, 'ads')).toBe(3);
    expect(await countDangling(database)).toBe(0);
  });
});

/** Stores an ad of the first advertiser in a transaction that is left open. */
async function storeLive(database: TestDatabase, creative: number) {
  const live = await database.owner.pool.connect();
  await live.query('BEGIN');
  await live.query('SELECT nightshift.store_ads($1)', [JSON.stringify([storedAd(1, creative)])]);
  return {
    commit: async () => {
      await live.query('COMMIT');
      live.release();
    },
  };
}

/** Versions of ads, of the snapshot and of answers, that do not exist. */
async function countDangling({ owner }: TestDatabase): Promise<number> {
  const found = await owner.sql.execute<{ n: number }>(
    sql`SELECT count(*)::integer AS n
      FROM (
        SELECT version_id FROM nightshift.snapshot_ads
        UNION ALL SELECT unnest(versions) FROM nightshift.answers
      ) u
      LEFT JOIN nightshift.ad_versions v ON v.id = u.version_id
      LEFT JOIN nightshift.ads a ON a.id = v.ad_id
      WHERE a.id IS NULL`,
  );
  return found.rows[0]?.n ?? -1;
}

function storedAd(advertiser: number, creative: number) {
  return {
    ord: 1,
    advertiser_id: advertiserId(advertiser),
    creative_id: creativeId(creative),
    format: 'Text',
    variants: [],
  };
}

async function count({ owner }: TestDatabase, table: string): Promise<number> {
  const result = await owner.pool.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM nightshift.${table}`,
  );
  return result.rows[0]?.n ?? 0;
}

/** Waits until the load waits for the live source's transaction: polled, because Postgres does not notify when a session starts to wait. */
async function waitForLock({ owner }: TestDatabase): Promise<void> {
  await expect
    .poll(async () => {
      const waiting = await owner.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.rowCount;
    })
    .toBe(1);
}
