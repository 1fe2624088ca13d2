import { describe, expect, test } from 'vitest';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { createSnapshotStore } from '../../../db/stores/ads/snapshots.ts';
import { noDetails, type AdDetails } from '../../../src/core/ads/ad-details.ts';
import type { Ad } from '../../../src/core/ads/ad.ts';
import { fullId, platformId } from '../../../src/core/companies/platform-id.ts';
import { ValidationError } from '../../../src/core/errors.ts';
import { importSnapshot } from '../../../src/sources/snapshot/import.ts';
import { createSnapshotSource } from '../../../src/sources/snapshot/source.ts';
import { claimWork } from '../../support/queue/claimed-work.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { listFindings } from '../../support/db/findings.ts';
import { questionAbout } from '../../support/sources/plain-exchange.ts';
import { advertiserId, company, creativeId, flatFile, writeFiles } from '../../support/sources/snapshots.ts';

const never = new AbortController().signal;

/** A line of an export. */
type Line = Readonly<Record<string, unknown>>;

async function load({ app }: TestDatabase, lines: readonly Line[], asOf: string | null = null) {
  const files = await writeFiles({ 'export.ndjson': lines.map((line) => JSON.stringify(line)).join('\n') });
  return importSnapshot({ store: createSnapshotStore(app), name: 'snapshot', files, asOf });
}

async function rows({ owner }: TestDatabase, query: string): Promise<readonly Record<string, unknown>[]> {
  return (await owner.pool.query<Record<string, unknown>>(query)).rows;
}

function line(advertiser: number, creative: number, columns: Line = {}): Line {
  return {
    advertiser_id: advertiserId(advertiser),
    creative_id: creativeId(creative),
    advertiser_disclosed_name: `Advertiser ${advertiser}`,
    ...columns,
  };
}

/** Id of a creative as the views have it. */
const shownId = (creative: number) => fullId(creativeId(creative));

function region(code: string, first: string, last: string, ...surfaces: readonly string[]) {
  const surface_serving_stats = { surface_serving_stats: surfaces.map((surface) => ({ surface })) };
  return { region_code: code, first_shown: first, last_shown: last, surface_serving_stats };
}

describe('details of a snapshot', () => {
  const days = `SELECT creative_id, valid_from::text, valid_to::text, topic FROM reports.ad_details ORDER BY 1, 2`;

  test('have a row per period in which they were the same, and none for a day that was replaced', async () => {
    const database = await openTestDatabase();
    await load(database, [line(1, 1, { topic: 'Health' }), line(1, 2, { topic: 'Food' })], '2026-01-01');
    await load(database, [line(1, 1, { topic: 'Health' })], '2026-01-02');
    await load(database, [line(1, 1, { topic: 'Wrong' }), line(1, 2)], '2026-01-03');
    await load(database, [line(1, 1, { topic: 'Travel' })], '2026-01-03');
    expect(await rows(database, days)).toEqual([
      { creative_id: shownId(1), valid_from: '2026-01-01', valid_to: '2026-01-03', topic: 'Health' },
      { creative_id: shownId(1), valid_from: '2026-01-03', valid_to: null, topic: 'Travel' },
      { creative_id: shownId(2), valid_from: '2026-01-01', valid_to: null, topic: 'Food' },
    ]);
    expect(await rows(database, 'SELECT FROM nightshift.ad_details')).toHaveLength(4);
    expect(await listFindings(database)).toEqual([]);
  });

  test.each([
    [
      'older than the newest one',
      '2026-01-01',
      /has an export of 2026-01-02.*Load exports in the order of their days/,
    ],
    ['in the future', '2999-01-01', /2999-01-01, is in the future/],
  ])('of an export %s are rejected, before anything of it is kept', async (_, asOf, message) => {
    const database = await openTestDatabase();
    await load(database, [line(1, 1)], '2026-01-02');
    await expect(load(database, [line(1, 2)], asOf)).rejects.toThrow(message);
    await expect(load(database, [line(1, 2)], asOf)).rejects.toThrow(ValidationError);
    expect(await rows(database, 'SELECT FROM nightshift.ads')).toHaveLength(1);
    expect(await load(database, [line(1, 2)], '2026-01-02')).toMatchObject({ adsNew: 1, asOf: '2026-01-02' });
  });

  test('cannot be changed', async () => {
    const database = await openTestDatabase();
    await load(database, [line(1, 1, { topic: 'Health' }), { ...line(1, 2), disapproval: [] }]);
    for (const table of ['ad_details', 'removed_ads']) {
      for (const change of [`UPDATE nightshift.${table} SET source = 'x'`, `DELETE FROM nightshift.${table}`])
        await expect(database.owner.pool.query(change)).rejects.toThrow('append-only');
    }
  });
});

describe('removed ads', () => {
  const removed = {
    creative_page_url: `https://adstransparency.google.com/advertiser/${advertiserId(1)}/creative/${creativeId(9)}`,
    region_stats: [region('DE', '2025-01-01', '2025-02-02', 'MAPS')],
    disapproval: [
      { removal_reason: 'POLICY', use_of_automated_means: 'true', removal_location: 'GLOBAL' },
      { removal_reason: 'LAW', decision_type: 'REMOVED' },
    ],
  };

  test('are recorded with their reasons, and are no ads of the snapshot', async () => {
    const database = await openTestDatabase();
    const store = createSnapshotStore(database.app);
    expect(await load(database, [removed], '2026-01-01')).toMatchObject({
      ads: 0,
      removedAds: 1,
      rowsWithoutDates: 0,
    });
    expect(await store.find('snapshot')).toBeNull();
    expect(await load(database, [line(1, 1), removed, removed], '2026-01-02')).toMatchObject({
      ads: 1,
      duplicates: 0,
    });
    expect(await store.find('snapshot')).toMatchObject({ hasRegions: false });
    expect(
      await rows(
        database,
        `SELECT creative_id, valid_from::text, valid_to, position::integer, removal_reason, is_automated, removal_location, decision_type, regions, surfaces
          FROM reports.removed_ads ORDER BY position`,
      ),
    ).toEqual([
      {
        creative_id: shownId(9),
        valid_from: '2026-01-01',
        valid_to: null,
        position: 1,
        removal_reason: 'POLICY',
        is_automated: true,
        removal_location: 'GLOBAL',
        decision_type: null,
        regions: ['DE'],
        surfaces: ['MAPS'],
      },
      expect.objectContaining({ position: 2, removal_reason: 'LAW', decision_type: 'REMOVED' }),
    ]);
    expect(await rows(database, 'SELECT FROM nightshift.ads')).toHaveLength(1);
  });
});

describe('a search of the snapshot', () => {
  async function openRegions() {
    const database = await openTestDatabase();
    const regions = (...region_stats: readonly object[]) => ({ region_stats });
    const { snapshotId } = await load(database, [
      line(
        1,
        1,
        regions(
          region('EEA', '2024-01-01', '2025-01-01', 'SEARCH', 'YOUTUBE'),
          region('DE', '2024-03-03', '2024-04-04', 'SEARCH'),
          region('FR', '2024-01-01', '2025-01-01', 'YOUTUBE'),
        ),
      ),
      line(1, 2, regions(region('DE', '2024-05-05', '2024-06-06'))),
      line(1, 3),
      line(2, 4, regions(region('FR', '2024-01-01', '2024-02-02', 'MAPS'))),
    ]);
    const source = createSnapshotSource({
      store: createSnapshotStore(database.app),
      name: 'snapshot',
      snapshotId,
    });
    /** The ads of a company named so, as a lookup stores them. */
    const search = async (name: string, place: { region?: string; surface?: string }) => {
      const asked = questionAbout(company({ name }), { region: null, ...place });
      const [answer] = await source.findAds([asked], never);
      if (answer === null || answer === undefined || answer.kind !== 'stored') return answer?.kind;
      const { claims } = await claimWork(database.app, ['a.com'], { fileName: JSON.stringify(place) });
      const [claim] = claims;
      const lookupId = claim?.lookups[0]?.lookupId ?? 0n;
      if (claim === undefined) throw new Error('Nothing was claimed.');
      await createOutcomeStore(database.app.sql).commit(claim, [{ lookupId, source: 'snapshot', answer }]);
      const found = await rows(
        database,
        `SELECT creative_id, start::text, last_seen::text FROM reports.ads WHERE lookup_id = ${lookupId} ORDER BY position`,
      );
      return found.map((ad) => [Number(platformId(String(ad.creative_id)).slice(2)), ad.start, ad.last_seen]);
    };
    return { database, source, search };
  }

  test('in a region has the ads shown there, with their days there', async () => {
    const { search } = await openRegions();
    expect(await search('Advertiser 1', { region: 'DE' })).toEqual([
      [2, '2024-05-05', '2024-06-06'],
      [1, '2024-03-03', '2024-04-04'],
    ]);
    expect(await search('Advertiser 2', { region: 'DE' })).toBe('none');
    expect(await search('Advertiser 3', { region: 'DE' })).toBe('no_match');
  });

  test('on a surface has the days of the regions with that surface, also in one of them', async () => {
    const { search } = await openRegions();
    expect(await search('Advertiser 1', { surface: 'SEARCH' })).toEqual([[1, '2024-03-03', '2024-04-04']]);
    expect(await search('Advertiser 1', { surface: 'YOUTUBE', region: 'FR' })).toEqual([
      [1, '2024-01-01', '2025-01-01'],
    ]);
    expect(await search('Advertiser 1', { surface: 'YOUTUBE', region: 'DE' })).toBe('none');
  });

  test('by region or surface is rejected if the exports did not have any', async () => {
    const database = await openTestDatabase();
    const files = await writeFiles({ 'flat.csv': flatFile([{ advertiser: 1, creative: 1 }]) });
    const store = createSnapshotStore(database.app);
    const { snapshotId } = await importSnapshot({ store, name: 'snapshot', files });
    const source = createSnapshotSource({ store, name: 'snapshot', snapshotId });
    const ask = (place: { region?: string; surface?: string }) =>
      source.findAds([questionAbout(company({ name: 'Advertiser 1' }), place)], never);
    await expect(ask({ region: 'DE' })).rejects.toThrow(
      'Load an export with the column region_stats, or omit the region',
    );
    await expect(ask({ surface: 'MAPS' })).rejects.toThrow('does not know the surfaces of its ads');
    await load(database, [line(1, 1, { region_stats: [region('DE', '2024-01-01', '2024-01-01')] })]);
    expect(await ask({ region: 'DE' })).toMatchObject([{ kind: 'stored' }]);
    await expect(ask({ surface: 'MAPS' })).rejects.toThrow('with its surfaces, or omit the surface');
  });
});

describe('details of a live source', () => {
  async function openWork() {
    const database = await openTestDatabase();
    const { claims } = await claimWork(database.app, ['a.com', 'b.com', 'c.com', 'd.com']);
    const [claim] = claims;
    if (claim === undefined) throw new Error('Nothing was claimed.');
    /** Commits an answer with these ads for a lookup. */
    const commit = (n: number, ...ads: readonly Ad[]) =>
      createOutcomeStore(database.app.sql).commit(claim, [
        {
          lookupId: claim.lookups[n]?.lookupId ?? 0n,
          source: 'serpapi',
          answer: { kind: 'found', ads, matchedBy: 'domain' },
        },
      ]);
    return { database, claim, commit };
  }
  const ad = (creative: number, lastSeen: string, details?: Partial<AdDetails>): Ad => ({
    advertiserId: fullId(advertiserId(1)),
    creativeId: fullId(creativeId(creative)),
    advertiserName: 'Acme Inc.',
    format: 'Text',
    originalUrl: null,
    variants: [],
    start: '2024-01-01',
    lastSeen,
    text: null,
    ...(details === undefined ? {} : { details: { ...noDetails, ...details } }),
  });
  const shown =
    'SELECT creative_id, days_shown, target_domain, payer FROM reports.ads ORDER BY lookup_id, position';

  test('are shown as of each lookup, and stored again only when they differ', async () => {
    const { database, commit } = await openWork();
    const advertiser = { legalName: 'Acme Incorporated', location: 'US', verification: 'VERIFIED' };
    await commit(
      0,
      ad(1, '2024-01-10', { daysShown: 8, targetDomain: 'a.com', advertiser }),
      ad(2, '2024-01-10'),
    );
    // The ad ran on: ten days more, all of them shown.
    await commit(1, ad(1, '2024-01-20', { daysShown: 18, targetDomain: 'a.com', advertiser }));
    expect(await rows(database, 'SELECT FROM nightshift.ad_details')).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 2));
    await commit(
      2,
      ad(1, '2024-01-20', { daysShown: 18, targetDomain: 'b.com\0' }),
      ad(2, '2024-01-20', { payer: 'Pay\ud800er' }),
    );
    expect(await rows(database, shown)).toEqual([
      { creative_id: shownId(1), days_shown: 8, target_domain: 'a.com', payer: null },
      { creative_id: shownId(2), days_shown: null, target_domain: null, payer: null },
      { creative_id: shownId(1), days_shown: 18, target_domain: 'a.com', payer: null },
      { creative_id: shownId(1), days_shown: 18, target_domain: 'b.com ', payer: null },
      { creative_id: shownId(2), days_shown: null, target_domain: null, payer: 'Pay er' },
    ]);
    expect(
      await rows(
        database,
        'SELECT advertiser_id, advertiser_name, legal_name, location, verification, relation, ads FROM reports.advertisers ORDER BY lookup_id',
      ),
    ).toMatchObject([
      { legal_name: 'Acme Incorporated', location: 'US', verification: 'VERIFIED', relation: 'own', ads: 2 },
      { advertiser_id: fullId(advertiserId(1)), advertiser_name: 'Acme Inc.', ads: 1 },
      { legal_name: 'Acme Incorporated', ads: 2 },
    ]);
    expect(await listFindings(database)).toEqual([]);
  });

  test('are of an ad without ids, too', async () => {
    const { database, commit } = await openWork();
    const text = { headline: 'Buy', description: null, displayUrl: null, finalUrl: null, adType: null };
    await commit(0, {
      ...ad(1, '2024-01-10', { payer: 'Acme' }),
      advertiserId: null,
      creativeId: null,
      text,
    });
    expect(await rows(database, shown)).toMatchObject([{ payer: 'Acme' }]);
  });
});
