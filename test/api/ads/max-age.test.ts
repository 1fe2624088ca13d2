import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { flatFile, loadContents, loadCreatives } from '../../support/sources/snapshots.ts';
import { codesOf, openTestApi, type TestApi } from '../../support/api/test-api.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const path = '/v1/batches';
const rows = [{ company_domain: 'acme.com' }, { company_domain: 'quiet.com' }];

describe('batch with max_age', () => {
  let api: TestApi;
  let source: SourceStandIn;
  let key: string;

  beforeAll(async () => {
    source = await openSourceStandIn({
      ads: (company) => (company === 'acme.com' ? generateAds(company, 4) : []),
    });
    const settings = {
      NIGHTSHIFT_SOURCES: 'upstream',
      NIGHTSHIFT_UPSTREAM_URL: source.url,
      NIGHTSHIFT_UPSTREAM_KEY: source.key,
    };
    api = await openTestApi({ settings, workers: true });
    key = await api.createKey();
  });
  afterAll(async () => {
    await api.close();
    await source.close();
  });

  /** Uploads a batch and waits for its end. */
  async function enrich(json: object, as = key): Promise<{ readonly id: string }> {
    const answer = await api.call('POST', path, { key: as, json });
    expect(answer.status, answer.text).toBe(201);
    const { id } = answer.json() as { readonly id: string };
    return vi.waitFor(
      async () => {
        const batch = (await api.call('GET', `${path}/${id}`, { key: as })).json();
        expect(batch).toMatchObject({ state: 'finished' });
        return batch as { readonly id: string };
      },
      { timeout: waitMsMax, interval: 50 },
    );
  }

  async function lookupsOf(id: string) {
    const found = await api.database.owner.pool.query<Record<string, unknown>>(
      `SELECT company_domain, outcome, from_cache, date_trunc('milliseconds', observed_at) AS observed_at
        FROM reports.lookups WHERE batch = $1 ORDER BY company_domain`,
      [id],
    );
    return found.rows;
  }

  test('reuses answers of the account, free and without a call', async () => {
    const first = await enrich({ rows });
    expect(first).toMatchObject({ lookups: { found: 1, none: 1 }, credits: { charged: 0.2 } });
    expect(source.log).toHaveLength(2);
    const again = await enrich({ rows, max_age: '7d' });
    expect(again).toMatchObject({ lookups: { found: 1, none: 1 }, credits: { charged: 0 } });
    expect(source.log).toHaveLength(2);
    const before = await lookupsOf(first.id);
    expect(await lookupsOf(again.id)).toEqual(before.map((each) => ({ ...each, from_cache: true })));
    expect(await api.findings()).toEqual([]);
  });

  test('does not reuse answers of another account', async () => {
    const calls = source.log.length;
    await api.createAccount('stranger', 10n);
    const stranger = await api.createKey({ account: 'stranger' });
    expect(await enrich({ rows, max_age: '7d' }, stranger)).toMatchObject({ credits: { charged: 0.2 } });
    expect(source.log).toHaveLength(calls + 2);
  });

  test.each([
    ['max_age', 'soon'],
    ['region', 'Atlantis'],
    ['surface', 'BILLBOARD'],
    ['max_ads', 0],
    ['own_only', 'yes'],
  ])('rejects an invalid search option: %s %j', async (field, value) => {
    const before = await api.countRows();
    const answer = await api.call('POST', path, { key, json: { rows, [field]: value } });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(answer.text).toContain(field);
    expect(await api.countRows()).toEqual(before);
  });

  test('rejects a region if a source does not support regions', async () => {
    const answer = await api.call('POST', path, { key, json: { rows, region: 'DE' } });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(answer.text).toContain('upstream');
  });

  test('rejects a surface if a source does not support surfaces, and names those that do', async () => {
    const answer = await api.call('POST', path, { key, json: { rows, surface: 'maps' } });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(answer.text).toContain('surface: the source upstream cannot search by surface');
    expect(answer.text).toContain('snapshot, sample, serpapi');
  });

  test('rejects a place of which the snapshot knows nothing, until an export says where its ads were shown', async () => {
    const ask = (json: object) =>
      api.call('POST', path, { key, json: { rows, source: ['snapshot'], dry_run: true, ...json } });
    await loadContents(api.database, { 'flat.csv': flatFile([{ advertiser: 1, creative: 1 }]) });
    const rejected = await ask({ region: 'DE' });
    expect([rejected.status, codesOf(rejected)]).toEqual([400, ['validation_error']]);
    expect(rejected.text).toContain('Load an export with the column region_stats, or omit the region');
    await loadCreatives(api.database, [{ advertiser: 1, creative: 1 }]);
    expect((await ask({ region: 'DE' })).status).toBe(200);
    expect((await ask({ surface: 'MAPS' })).text).toContain('does not know the surfaces of its ads');
    expect((await ask({ source: ['sample'], region: 'DE', surface: 'maps' })).status).toBe(200);
  });

  test('rejects a region of which a source has no ads', async () => {
    const answer = await api.call('POST', path, { key, json: { rows, source: ['bigquery'], region: 'US' } });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(answer.text).toContain('only those shown in the EEA and Türkiye');
  });

  test('applies max_ads, also for a file in CSV', async () => {
    const headers = { 'Content-Type': 'text/csv' };
    const body = 'domain\nacme.com\n';
    const answer = await api.call('POST', `${path}?max_ads=1&own_only=false`, { key, headers, body });
    const { id } = answer.json() as { readonly id: string };
    await vi.waitFor(
      async () => {
        const found = await api.database.owner.pool.query(
          'SELECT outcome, ads_count, truncated FROM reports.lookups WHERE batch = $1',
          [id],
        );
        expect(found.rows).toEqual([{ outcome: 'found', ads_count: 1, truncated: true }]);
      },
      { timeout: waitMsMax, interval: 50 },
    );
  });
});
