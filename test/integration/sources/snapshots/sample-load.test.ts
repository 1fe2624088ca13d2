import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createSnapshotStore } from '../../../../db/stores/ads/snapshots.ts';
import { sampleRows } from '../../../../src/core/sample/sample-ads.ts';
import { addDays } from '../../../../src/core/time/day.ts';
import { importSample } from '../../../../src/sources/snapshot/import-sample.ts';
import { importSnapshot } from '../../../../src/sources/snapshot/import.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/db/database.ts';
import { dumpStore } from '../../../support/sources/snapshots.ts';

const exported = new URL('../../../../examples/sample-snapshot.ndjson', import.meta.url).pathname;

async function openSample() {
  const database = await openTestDatabase();
  const store = createSnapshotStore(database.app);
  const today = await store.today();
  return { database, store, today, yesterday: addDays(today, -1) };
}

/** The loaded sample with its texts, by creative. */
async function readSample({ owner }: TestDatabase) {
  const { rows } = await owner.sql.execute<{ creative_id: string; content: unknown }>(
    sql`SELECT v.creative_id, jsonb_build_object('start', s.start, 'lastSeen', s.last_seen, 'headline', v.headline,
        'description', v.description, 'finalUrl', v.final_url, 'format', v.format, 'variants', v.variants_count) AS content
      FROM nightshift.snapshot_ads s JOIN nightshift.ad_contents v ON v.id = s.version_id ORDER BY v.creative_id`,
  );
  return rows.map(({ creative_id: id, content }) => [id, content]);
}

function generated(day: string) {
  return sampleRows(day)
    .map(({ creativeId, start, lastSeen, format, content }) => {
      const { headline, description, finalUrl } = content?.text ?? {};
      const variants = content?.variants.length ?? 0;
      return [creativeId, { start, lastSeen, headline, description, finalUrl, format, variants }] as const;
    })
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

test('a load of the sample stores its ads with their texts, and the same load again changes nothing', async () => {
  const { database, store, today } = await openSample();
  const load = await importSample({ store, day: today });
  expect(load).toMatchObject({
    rows: 1372,
    duplicates: 0,
    ads: 1372,
    adsNew: 1372,
    advertisers: 122,
    asOf: today,
  });
  expect(await store.find('sample')).toMatchObject({ asOf: today, hasRegions: true, hasSurfaces: true });
  expect(await readSample(database)).toEqual(generated(today));
  const before = await dumpStore(database);
  expect(await importSample({ store, day: today })).toMatchObject({ adsNew: 0, adsChanged: 0 });
  expect(await dumpStore(database)).toEqual(before);
});

test('the sample of the next day replaces it: ads that left are no longer found, and their record stays', async () => {
  const { database, store, today, yesterday } = await openSample();
  await importSample({ store, day: yesterday });
  const ads = async () =>
    (await database.owner.pool.query<{ n: number }>('SELECT count(*)::integer AS n FROM nightshift.ads'))
      .rows[0]?.n ?? 0;
  const { adsNew, adsChanged } = await importSample({ store, day: today });
  expect(adsChanged).toBeGreaterThan(500);
  expect(await readSample(database)).toEqual(generated(today));
  expect(await ads()).toBe(1372 + adsNew);
  await expect(importSample({ store, day: yesterday })).rejects.toThrow('newer than this one');
});

test('the sample replaces the ads of an earlier release, which came from a file', async () => {
  const { database, store, today, yesterday } = await openSample();
  await importSnapshot({ store, name: 'sample', files: [exported], asOf: yesterday });
  await importSample({ store, day: today });
  expect(await readSample(database)).toEqual(generated(today));
});
