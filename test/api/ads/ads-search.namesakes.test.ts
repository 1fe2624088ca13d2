import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anySearch, type SearchOptions } from '../../../src/core/ads/ads-answer.ts';
import { importSnapshot } from '../../../src/sources/snapshot/import.ts';
import { openTestApi, useTestApi, type TestApi } from '../../support/api/test-api.ts';
import { company, nestedFile, type Creative } from '../../support/sources/snapshots.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds, type StandInAd } from '../../support/stand-in/stand-in-ads.ts';

const path = '/v1/ads/google-ads-search';

/** One ad of each advertiser, by name and country, as Google's public table has them for the EEA. */
const advertisers: readonly (readonly [string, string])[] = [
  ['Nike, Inc.', 'US'],
  ['Nike Retail BV', 'NL'],
  ['NIKE SRL', 'IT'],
  ['Nike Deutschland GmbH', 'DE'],
  ['유한회사 나이키코리아', 'KR'],
  ['nikey', 'BG'],
  ['Jan Nikel', 'CZ'],
  ['Merck KGaA', 'DE'],
  ['Toyota of Orlando', 'US'],
];

const creatives = advertisers.map(([name, location], i): Creative => ({
  advertiser: i + 1,
  creative: i + 1,
  name,
  location,
}));

interface Body {
  readonly ads: readonly { readonly advertiser_name: string }[];
  readonly credits_consumed: number;
  readonly match?: string;
  readonly partial?: boolean;
  readonly partial_reason?: string;
  readonly uncertain_advertisers?: number;
  readonly matched_by?: string;
}

async function searchAt(api: TestApi, json: object): Promise<Body> {
  const answer = await api.call('POST', path, { key: await api.createKey(), json });
  expect(answer.status, answer.text).toBe(200);
  return answer.json() as Body;
}

function namesIn({ ads }: Body): readonly string[] {
  return ads.map((ad) => ad.advertiser_name).sort();
}

async function candidatesIn({ database }: TestApi, companyKey: string) {
  const { rows } = await database.app.pool.query<Record<string, unknown>>(
    `SELECT advertiser_id, name, location, ads_count, source FROM reports.advertiser_candidates WHERE company_key = $1`,
    [companyKey],
  );
  return rows;
}

describe('search in the snapshot', () => {
  const api = useTestApi({ settings: { NIGHTSHIFT_SOURCES: 'snapshot' } });
  let folder = '';
  const own = ['Nike Deutschland GmbH', 'Nike Retail BV', 'Nike, Inc.', '유한회사 나이키코리아'].sort();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nightshift-namesakes-'));
    const file = join(folder, 'export.ndjson');
    await writeFile(file, nestedFile(creatives));
    await importSnapshot({ store: api().app.sources.snapshots, name: 'snapshot', files: [file] });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('finds a company with its subsidiaries by its domain, and says that an advertiser is uncertain', async () => {
    const body = await searchAt(api(), { company_domain: 'nike.com' });
    expect(namesIn(body)).toEqual(own);
    expect(body).toMatchObject({
      credits_consumed: 0.2,
      partial: true,
      partial_reason: 'uncertain_advertisers',
      uncertain_advertisers: 1,
      matched_by: 'domain_label',
    });
    expect(await candidatesIn(api(), 'd:nike.com')).toEqual([
      {
        advertiser_id: 'google:AR00000000000000000003',
        name: 'NIKE SRL',
        location: 'IT',
        ads_count: 1,
        source: 'snapshot',
      },
    ]);
    expect(await api().findings()).toEqual([]);
  });

  test('finds the same by its name', async () => {
    const body = await searchAt(api(), { company_name: 'Nike' });
    expect(namesIn(body)).toEqual(own);
    expect(body.matched_by).toBe('name');
  });

  test.each([
    ['a namesake of the same name', { company_name: 'Merck & Co., Inc.' }, 'Merck KGaA'],
    ['a dealer', { company_name: 'Toyota' }, 'Toyota of Orlando'],
  ])('does not find nor charge a company of which it has only %s', async (_, company, other) => {
    const before = await api().balance();
    const body = await searchAt(api(), company);
    expect(body).toMatchObject({ ads: [], match: 'no_match', credits_consumed: 0 });
    expect(await api().balance()).toEqual(before);
    const { rows } = await api().database.app.pool.query<{ name: string }>(
      "SELECT name FROM reports.advertiser_candidates WHERE company_key NOT IN ('d:nike.com', 'n:nike')",
    );
    expect(rows.map(({ name }) => name)).not.toContain(other);
  });

  test('records the evaluation of each ad', async () => {
    const { rows } = await api().database.app.pool.query<Record<string, unknown>>(
      `SELECT DISTINCT advertiser_name, relation, confidence > 0.88 AS is_sure, relation_reasons IS NOT NULL AS has_reasons
        FROM reports.ads WHERE company_key = 'd:nike.com'`,
    );
    expect(rows.map(({ advertiser_name: name }) => name).sort()).toEqual(own);
    expect(rows).toEqual(
      own.map(
        () => expect.objectContaining({ relation: 'own', is_sure: true, has_reasons: true }) as unknown,
      ),
    );
  });
});

describe('search by name at a live source', () => {
  let source: SourceStandIn;
  let api: TestApi;

  beforeAll(async () => {
    source = await openSourceStandIn({ ads: (company) => adsOf(answers[company] ?? []) });
    const settings = {
      NIGHTSHIFT_SOURCES: 'upstream',
      NIGHTSHIFT_UPSTREAM_URL: source.url,
      NIGHTSHIFT_UPSTREAM_KEY: source.key,
    };
    api = await openTestApi({ settings });
  });
  afterAll(async () => {
    await api.close();
    await source.close();
  });

  /** Advertisers that the source reports for a name. */
  const answers: Readonly<Record<string, readonly string[]>> = {
    'Nike, Inc.': ['Nike Retail BV', 'NIKE SRL', 'nikey'],
    'Merck & Co., Inc.': ['Merck KGaA'],
    Toyota: ['Toyota of Orlando'],
    Swatch: ['Swatch AG', 'Somebody Else'],
    'nike.com': ['Nike, Inc.', 'Nike Vorqubax'],
  };

  test('keeps the ads of the company, and leaves out those of an uncertain advertiser', async () => {
    const body = await searchAt(api, { company_name: 'Nike, Inc.' });
    expect(namesIn(body)).toEqual(['Nike Retail BV']);
    expect(body).toMatchObject({ partial_reason: 'uncertain_advertisers', uncertain_advertisers: 1 });
    expect(await candidatesIn(api, 'n:nike')).toMatchObject([{ name: 'NIKE SRL', source: 'upstream' }]);
  });

  test.each(['Merck & Co., Inc.', 'Toyota'])(
    'is no_match and free if there are only others: %s',
    async (name) => {
      const before = await api.balance();
      const body = await searchAt(api, { company_name: name });
      expect(body).toMatchObject({ ads: [], match: 'no_match', credits_consumed: 0 });
      expect(await api.balance()).toEqual(before);
    },
  );

  test('follows the mapping, whatever the names', async () => {
    const [first, second] = adsOf(answers['Swatch'] ?? []);
    const map = async (advertiserId: string, role: 'allow' | 'deny') =>
      api.app.sources.companies.map(
        await api.app.accounts.store.find('default'),
        [{ companyKey: 'n:swatch', advertiserId: `google:${advertiserId}`, role, note: null }],
        { actor: 'test', address: null },
      );
    await map(first?.advertiser_id ?? '', 'deny');
    await map(second?.advertiser_id ?? '', 'allow');
    expect(namesIn(await searchAt(api, { company_name: 'Swatch' }))).toEqual(['Somebody Else']);
    expect(await candidatesIn(api, 'n:swatch')).toEqual([]);
  });

  /** Searches with options that the contract's endpoint does not have. */
  async function search(input: { name?: string; domain?: string }, options: Partial<SearchOptions>) {
    return api.app.lookups.searchAds({
      accountId: await api.app.accounts.store.find('default'),
      company: company(input),
      sources: ['upstream'],
      search: { ...anySearch, ...options },
      via: [],
      requestId: randomUUID(),
    });
  }

  test('is repeated free of charge, with what is left out', async () => {
    const calls = source.log.length;
    const again = await search({ name: 'Nike, Inc.' }, { ageMsMax: 3_600_000 });
    expect(again).toMatchObject({
      chargedMicro: 0n,
      observedAt: expect.any(Date) as unknown,
      partialReason: 'uncertain_advertisers',
      uncertainAdvertisers: 1,
    });
    expect(source.log).toHaveLength(calls);
    const { rows } = await api.database.app.pool.query(
      `SELECT DISTINCT relation_reasons FROM reports.ads WHERE company_key = 'n:nike'`,
    );
    expect(rows).toHaveLength(1);
    expect(await api.findings()).toEqual([]);
  });

  test('with own_only leaves out an uncertain advertiser of a domain, and says so', async () => {
    const all = await searchAt(api, { company_domain: 'nike.com' });
    expect(namesIn(all)).toEqual(['Nike Vorqubax', 'Nike, Inc.']);
    expect(all.partial).toBeUndefined();
    const own = await search({ domain: 'nike.com' }, { ownOnly: true });
    expect(own.ads.map(({ advertiserName }) => advertiserName)).toEqual(['Nike, Inc.']);
    expect(own).toMatchObject({ partialReason: 'uncertain_advertisers', uncertainAdvertisers: 1 });
  });
});

/** One ad of each advertiser. */
function adsOf(names: readonly string[]): readonly StandInAd[] {
  return names.flatMap((name) => {
    const [ad] = generateAds('acme.com', 4);
    if (ad === undefined) throw new Error('The stand-in has no ads.');
    const id = Buffer.from(name).toString('hex').replaceAll(/[a-f]/g, '7').padEnd(20, '0').slice(0, 20);
    return [{ ...ad, advertiser_id: `AR${id}`, creative_id: `CR${id}`, advertiser_name: name }];
  });
}
