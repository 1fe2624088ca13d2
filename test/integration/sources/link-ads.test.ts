import { describe, expect, test } from 'vitest';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { adPageUrl } from '../../../src/core/ads/ad.ts';
import type { FoundAds, StoredAdvertiser } from '../../../src/core/ads/ads-answer.ts';
import type { AdvertiserMatch } from '../../../src/core/companies/match/evaluate-advertiser.ts';
import type { AskedSource, LookupResult } from '../../../src/core/work/outcomes.ts';
import { claimWork } from '../../support/queue/claimed-work.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { advertiserId, loadCreatives } from '../../support/sources/snapshots.ts';
import { found } from '../../support/db/fixture.ts';
import { listFindings } from '../../support/db/findings.ts';

describe('linked ads of the snapshot', () => {
  test('are newest first up to the maximum of each lookup, and marked as truncated', async () => {
    const { database, commit, readLinks, readOutcomes } = await openWork(3);
    const advertisers = await loadAdvertisers(database);
    await commit([
      { answer: stored(advertisers, 2) },
      { answer: stored(advertisers, 3) },
      { answer: stored(advertisers, null) },
    ]);
    const all = ['2024-05-01', '2024-04-01', '2024-03-01'];
    expect(await readLinks('last_seen::text')).toEqual([all.slice(0, 2), all, all]);
    expect(await readOutcomes()).toMatchObject([
      { ads_count: 2, truncated: true },
      { ads_count: 3, truncated: false },
      { ads_count: 3, truncated: false },
    ]);
    expect(await listFindings(database)).toEqual([]);
  });

  test('are own ads unless the operator mapped their advertiser as a third party', async () => {
    const { database, commit, readLinks } = await openWork(2);
    const [one, two] = await loadAdvertisers(database);
    if (one === undefined || two === undefined) throw new Error('No advertisers were loaded.');
    const agency = { ...two, relation: 'third_party' as const };
    await commit([{ answer: stored([one, agency], null) }, { answer: stored([one, two], null) }]);
    expect(await readLinks('relation')).toEqual([
      [null, 'third_party', null],
      [null, null, null],
    ]);
    const { rows } = await database.app.pool.query(
      'SELECT relation, count(*)::integer AS ads FROM reports.ads GROUP BY relation ORDER BY relation',
    );
    expect(rows).toEqual([
      { relation: 'own', ads: 5 },
      { relation: 'third_party', ads: 1 },
    ]);
  });
});

describe('linked ads of a live source', () => {
  test('have their relation by advertiser', async () => {
    const { commit, readLinks } = await openWork(3);
    const ads = liveAds();
    await commit([
      { answer: ads },
      { answer: { ...ads, relations: new Map([['google:AR-1', 'third_party']]) } },
      { answer: { ...ads, relations: new Map([['google:AR-1', 'unknown']]) } },
    ]);
    expect(await readLinks('relation')).toEqual([
      [null, null],
      ['third_party', 'third_party'],
      ['unknown', 'unknown'],
    ]);
  });

  test('have the evaluation of their advertiser, stored once for all that share it', async () => {
    const { database, commit, readLinks } = await openWork(4);
    const ads = liveAds();
    const [first, second] = ads.ads;
    if (first === undefined || second === undefined) throw new Error('Two ads were expected.');
    const own: AdvertiserMatch = {
      relation: 'own',
      confidence: 0.9767,
      reasons: ['name_equal', 'verified'],
    };
    const unknown: AdvertiserMatch = {
      relation: 'unknown',
      confidence: 0.004,
      reasons: ['no_advertiser_name'],
    };
    const two = [first, { ...second, advertiserId: 'google:AR-2' }];
    await commit([
      { answer: { ...ads, matches: new Map([['google:AR-1', own]]) } },
      {
        answer: {
          ...ads,
          ads: two,
          relations: new Map([['google:AR-2', 'unknown']]),
          matches: new Map([
            ['google:AR-1', { ...own }],
            ['google:AR-2', unknown],
          ]),
        },
      },
      { answer: { ...ads, ads: two, matches: new Map([['google:AR-2', own]]) } },
      { answer: ads },
    ]);
    const { rows } = await database.app.pool.query<Record<string, unknown>>(
      `SELECT lookup_id, position, relation, confidence, relation_reasons FROM reports.ads ORDER BY lookup_id, position`,
    );
    const ownRow = { relation: 'own', confidence: '0.98', relation_reasons: ['name_equal', 'verified'] };
    const nothing = { relation: 'own', confidence: null, relation_reasons: null };
    expect(rows).toMatchObject([
      ownRow,
      ownRow,
      ownRow,
      { relation: 'unknown', confidence: '0.01', relation_reasons: ['no_advertiser_name'] },
      nothing,
      ownRow,
      nothing,
      nothing,
    ]);
    const stored = await database.app.pool.query(
      `SELECT cardinality(matches) AS matches FROM nightshift.lookups ORDER BY id`,
    );
    expect(stored.rows).toEqual([{ matches: 1 }, { matches: 2 }, { matches: 2 }, { matches: null }]);
    expect((await database.app.pool.query('SELECT FROM nightshift.advertiser_matches')).rowCount).toBe(2);
    expect(await readLinks('relation')).toHaveLength(4);
    expect(await listFindings(database)).toEqual([]);
  });

  test('of several advertisers of the snapshot have an evaluation each, up to the maximum', async () => {
    const { database, commit } = await openWork(2);
    const [one, two] = await loadAdvertisers(database);
    if (one === undefined || two === undefined) throw new Error('No advertisers were loaded.');
    const match = (reasons: AdvertiserMatch['reasons']): AdvertiserMatch => ({
      relation: 'own',
      confidence: 0.95,
      reasons,
    });
    const both = [
      { ...one, match: match(['name_equal']) },
      { ...two, match: match(['name_within', 'adds_place']) },
    ];
    await commit([{ answer: stored(both, null) }, { answer: stored(both.slice(0, 1), 1) }]);
    const { rows } = await database.app.pool.query<{ reasons: readonly string[] }>(
      'SELECT relation_reasons AS reasons FROM reports.ads ORDER BY lookup_id, position',
    );
    expect(rows.map(({ reasons }) => reasons.join(' '))).toEqual([
      'name_equal',
      'name_within adds_place',
      'name_equal',
      'name_equal',
    ]);
  });

  test('have a subject from their advertiser, or from their text without one', async () => {
    const { database, commit } = await openWork(2);
    const [one, two] = liveAds().ads;
    if (one === undefined || two === undefined) throw new Error('Two ads were expected.');
    const text = { ...one, advertiserId: null, creativeId: null };
    const other = {
      ...text,
      text: { headline: 'x', description: null, displayUrl: null, finalUrl: null, adType: null },
    };
    const answers = [
      [one, two],
      [text, { ...two, advertiserId: 'google:AR-2' }, other, text],
    ];
    await commit(answers.map((ads) => ({ answer: { ...liveAds(), ads } })));
    const { rows } = await database.app.pool.query<{ subjects: readonly string[] }>(
      'SELECT array_agg(subject ORDER BY subject) AS subjects FROM nightshift.lookup_advertisers GROUP BY lookup_id ORDER BY lookup_id',
    );
    const hash = expect.stringMatching(/^[0-9a-f]{32}$/) as string;
    expect(rows.map(({ subjects }) => subjects)).toEqual([['AR-1'], [hash, hash, 'AR-2']]);
    expect(await listFindings(database)).toEqual([]);
  });

  test('keep their URL; that of the page of an ad is not stored but derived from its ids', async () => {
    const { database, commit } = await openWork(1);
    const [one] = liveAds().ads;
    if (one === undefined) throw new Error('An ad was expected.');
    const urls = [adPageUrl('AR-1', 'CR-0'), adPageUrl('AR-1', 'CR-0'), 'https://example.com/ad', null];
    const ads = urls.map((originalUrl, n) => ({ ...one, creativeId: `CR-${n}`, originalUrl }));
    await commit([{ answer: { ...liveAds(), ads } }]);
    const read = async (query: string) =>
      (await database.owner.pool.query<{ original_url: string | null }>(query)).rows.map(
        (row) => row.original_url,
      );
    expect(await read('SELECT original_url FROM reports.ads ORDER BY position')).toEqual(urls);
    // The second URL names another ad.
    const stored =
      'SELECT original_url FROM nightshift.ad_versions v JOIN nightshift.ads i ON i.id = v.ad_id ORDER BY i.creative_id';
    expect(await read(stored)).toEqual(['', ...urls.slice(1)]);
    expect(await listFindings(database)).toEqual([]);
  });

  test('have the extent of the answer', async () => {
    const { commit, readOutcomes } = await openWork(2);
    const extent = { partial: true, truncated: true, estimate: { low: 1000, high: 3_000_000_000 } };
    await commit([{ answer: { ...liveAds(), extent } }, { answer: liveAds() }]);
    const unknown = { estimate_low: null, estimate_high: null };
    expect(await readOutcomes()).toMatchObject([
      { partial: true, truncated: true, estimate_low: '1000', estimate_high: '3000000000' },
      { partial: false, truncated: false, ...unknown },
    ]);
  });
});

test('results of all sources are stored if the outcome does not imply them', async () => {
  const { database, commit, readOutcomes } = await openWork(3);
  const none: AskedSource = { source: 'snapshot', reported: 'none' };
  const failed: AskedSource = { source: 'serpapi', reported: 'source_unavailable', message: 'it is away' };
  const upstream = (reported: AskedSource['reported']): AskedSource => ({ source: 'upstream', reported });
  const [advertiser] = await loadAdvertisers(database);
  await commit([
    { answer: liveAds(), asked: [none, failed, upstream('found')] },
    { answer: liveAds(), asked: [upstream('found')] },
    {
      answer: stored(advertiser === undefined ? [] : [advertiser], null),
      asked: [failed, upstream('stored')],
    },
  ]);
  expect((await readOutcomes()).map(({ asked }) => asked)).toEqual([
    [none, failed, upstream('found')],
    null,
    [failed, upstream('found')],
  ]);
  const { rows } = await database.app.pool.query(
    `SELECT source, reported, message FROM reports.lookup_sources ORDER BY lookup_id, position`,
  );
  const shown = { message: null };
  expect(rows).toEqual([
    { ...none, ...shown },
    failed,
    { ...upstream('found'), ...shown },
    { ...upstream('found'), ...shown },
    failed,
    { ...upstream('found'), ...shown },
  ]);
});

async function openWork(companies: number) {
  const database = await openTestDatabase();
  const domains = Array.from({ length: companies }, (_, i) => `company-${i}.com`);
  const { claims } = await claimWork(database.app, domains);
  const [claim] = claims;
  if (claim === undefined) throw new Error('Nothing was claimed.');
  /** Commits an answer for each lookup, in order. */
  const commit = (answers: readonly Pick<LookupResult, 'answer' | 'asked'>[]) => {
    const results = claim.lookups.flatMap(({ lookupId }, i): LookupResult[] => {
      const answer = answers[i];
      return answer === undefined ? [] : [{ lookupId, source: 'upstream', ...answer }];
    });
    return createOutcomeStore(database.app.sql).commit(claim, results);
  };
  /** A column of the links, by lookup and position. */
  const readLinks = async (column: string) => {
    const { rows } = await database.app.pool.query<{ values: unknown }>(
      `SELECT array_agg(${column} ORDER BY position) AS values FROM nightshift.lookup_ads GROUP BY lookup_id ORDER BY lookup_id`,
    );
    return rows.map(({ values }) => values);
  };
  const readOutcomes = async () => {
    const { rows } = await database.app.pool.query<Record<string, unknown>>(
      `SELECT ads_count, partial, truncated, estimate_low, estimate_high, source_results AS asked FROM nightshift.all_lookups ORDER BY id`,
    );
    return rows;
  };
  return { database, commit, readLinks, readOutcomes };
}

/** Two advertisers: the first has an ad of March and one of May, the second one of April. */
async function loadAdvertisers(database: TestDatabase): Promise<readonly StoredAdvertiser[]> {
  await loadCreatives(database, [
    { advertiser: 1, creative: 1, lastSeen: '2024-03-01' },
    { advertiser: 1, creative: 2, lastSeen: '2024-05-01' },
    { advertiser: 2, creative: 3, lastSeen: '2024-04-01' },
  ]);
  const { rows } = await database.app.pool.query<{ id: string }>(
    'SELECT id FROM nightshift.advertisers WHERE advertiser_id = ANY ($1) ORDER BY advertiser_id',
    [[advertiserId(1), advertiserId(2)]],
  );
  return rows.map(({ id }) => ({ key: BigInt(id), relation: 'own' }));
}

function stored(advertisers: readonly StoredAdvertiser[], adsMax: number | null): LookupResult['answer'] {
  return { kind: 'stored', advertisers, matchedBy: 'name', adsMax };
}

/** Two ads of the advertiser AR-1. */
function liveAds(): FoundAds {
  const ads = found(['cr-1', 'cr-2']);
  if (ads.kind !== 'found') throw new Error('Nothing was found.');
  return ads;
}
