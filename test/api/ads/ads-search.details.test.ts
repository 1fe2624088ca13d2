import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../support/api/test-api.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';
import { noDetails } from '../../../src/core/ads/ad-details.ts';
import { toDetailsJson } from '../../../src/core/ads/ad-details-json.ts';

const path = '/v1/ads/google-ads-search';
const details = toDetailsJson({
  ...noDetails,
  daysShown: 12,
  previewUrl: 'https://a.example/x.js',
  payer: 'Acme',
});
let api: TestApi;
let source: SourceStandIn;
let key: string;

type AdJson = Readonly<Record<string, unknown>>;

beforeAll(async () => {
  source = await openSourceStandIn({ ads: (company) => generateAds(company, 4), shape: 'union' });
  const settings = {
    NIGHTSHIFT_SOURCES: 'upstream',
    NIGHTSHIFT_UPSTREAM_URL: source.url,
    NIGHTSHIFT_UPSTREAM_KEY: source.key,
  };
  api = await openTestApi({ settings });
  key = await api.createKey();
});
afterAll(async () => {
  await api.close();
  await source.close();
});

async function search(headers: Readonly<Record<string, string>> = {}): Promise<readonly AdJson[]> {
  const answer = await api.call('POST', path, { key, json: { company_domain: 'acme.com' }, headers });
  expect(answer.status, answer.text).toBe(200);
  return (answer.json() as { readonly ads: readonly AdJson[] }).ads;
}

test('the details of a Nightshift behind this one are passed on, and the other keys stay the same', async () => {
  const plain = await search();
  expect(plain.length).toBeGreaterThan(1);
  source.setBehaviour(() => ({
    kind: 'change',
    change: ({ ads, ...rest }) => ({
      ...rest,
      ads: (ads as readonly AdJson[]).map((ad, i) => (i === 0 ? { ...ad, details } : ad)),
    }),
  }));
  const repeatKey = { 'idempotency-key': 'with-details' };
  const detailed = await search(repeatKey);
  expect(detailed).toEqual(plain.map((ad, i) => (i === 0 ? { ...ad, details } : ad)));
  expect(await search(repeatKey)).toEqual(detailed);
});
