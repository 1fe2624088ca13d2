import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestConsole, type TestConsole } from '../../support/browser/test-console.ts';
import {
  addDetails,
  fewDetails,
  fullDetails,
  runDetailedBatch,
} from '../../support/reports/detailed-batch.ts';
import { readParquet } from '../../support/reports/read-parquet.ts';
import { readXlsx } from '../../support/reports/read-xlsx.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';

const oldColumns =
  'website ads_outcome ads_reason ads_matched_by ads_source ads_from_cache ads_observed_at ads_partial ads_count ads_truncated ads_estimate_low ads_estimate_high ads_credits_consumed ads_warning ads_partial_reason ads_uncertain_advertisers input_line advertiser_id creative_id advertiser_name format original_url start last_seen headline description display_url final_url ad_type variants_count relation relation_confidence relation_reasons'.split(
    ' ',
  );
const newColumns =
  'platform payer topic days_shown times_shown_lower times_shown_upper regions surfaces target_domain preview_url advertiser_legal_name advertiser_location advertiser_verification'.split(
    ' ',
  );
const full = [
  ...['google', '=Payer SE', 'Health', 12, 3_000_001_000, 4_000_002_000, 'FR DE', 'MAPS YOUTUBE'],
  ...['shop.example', 'https://preview.example/ad.html', 'Shop Societas', 'DE', 'VERIFIED'],
];
const none = ['google', ...Array.from({ length: 12 }, () => null)];
const few = none.map((value, i) => (newColumns[i] === 'days_shown' ? 20 : value));

const ads = generateAds('acme.com', 4);
let service: TestConsole;
let key: string;
let batch: string;

beforeAll(async () => {
  service = await openTestConsole({ ads: () => addDetails(ads) });
  key = await service.createKey();
  batch = await runDetailedBatch(service, key);
});
afterAll(() => service.close());

type Json = Readonly<Record<string, unknown>>;

async function download(query: string): Promise<Buffer> {
  const response = await fetch(`${service.url}/v1/batches/${batch}/export?${query}`, {
    headers: { 'X-API-Key': key },
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

async function linesOf(query: string): Promise<readonly Json[]> {
  const text = (await download(`format=ndjson&${query}`)).toString();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
}

test.each([
  ['ads', []],
  ['variants', ['variant_content', 'variant_height', 'variant_width']],
])('a line of an export by %s has the details after the columns of before', async (shape, last) => {
  const lines = await linesOf(`shape=${shape}`);
  expect(ads.length).toBeGreaterThan(2);
  expect(Object.keys(lines[0] ?? {})).toEqual([...oldColumns, ...newColumns, ...last]);
  const details = lines.map((line) => newColumns.map((name) => line[name]));
  expect(details[0]).toEqual(full);
  expect(details[1]).toEqual(few);
  expect(details.at(-1)).toEqual(none);
});

test('an export by rows has the columns of before', async () => {
  const [line = {}] = await linesOf('shape=rows');
  expect(Object.keys(line)).toEqual(oldColumns.slice(0, oldColumns.indexOf('advertiser_id')));
});

test('the columns of before have the values of the ads', async () => {
  const lines = await linesOf('shape=ads');
  const known = ['headline', 'description', 'display_url', 'final_url', 'start', 'last_seen', 'original_url'];
  const pick = (one: Json) => known.map((name) => one[name]);
  expect(lines.map(pick)).toEqual(ads.map((ad) => pick({ ...ad })));
});

test('CSV has the details as text, with formulas escaped', async () => {
  const [header = '', first = ''] = (await download('shape=ads')).toString().split('\n');
  expect(header.split(',').slice(-newColumns.length)).toEqual(newColumns);
  expect(first.endsWith(`,${full.join(',').replace('=Payer', "'=Payer")}`)).toBe(true);
});

test('Parquet and XLSX have the values of NDJSON, and Parquet holds large numbers', async () => {
  const expected = (await linesOf('shape=ads')).map((line) => Object.values(line));
  const parquet = await readParquet(await download('format=parquet&shape=ads'));
  expect(parquet.lines).toEqual(expected);
  const typeOf = (name: string) => parquet.types[parquet.names.indexOf(name)];
  expect(['days_shown', 'times_shown_lower', 'regions'].map(typeOf)).toEqual(['INT32', 'INT64', 'STRING']);
  expect(readXlsx(await download('format=xlsx&shape=ads')).lines).toEqual(expected);
});

test('SQL has the same values', async () => {
  const { rows } = await service.database.owner.pool.query<Json>(
    `SELECT platform, payer, topic, days_shown, times_shown_lower::float, times_shown_upper::float, array_to_string(regions, ' ') AS regions,
       array_to_string(surfaces, ' ') AS surfaces, target_domain, preview_url FROM reports.ads ORDER BY position`,
  );
  const names = newColumns.slice(0, 10);
  const lines = await linesOf('shape=ads');
  expect(rows.map((row) => names.map((name) => row[name]))).toEqual(
    lines.map((line) => names.map((name) => line[name])),
  );
});

test('the list of ads has the details, of one batch and of all', async () => {
  for (const query of [`?batch=${batch}`, '']) {
    const answer = await service.call('GET', `/v1/ads${query}`, { key });
    const listed = (answer.json() as { readonly ads: readonly Json[] }).ads;
    expect(listed.map(({ details }) => details)).toEqual([
      fullDetails,
      fewDetails,
      ...ads.slice(2).map(() => undefined),
    ]);
  }
});

test('charts and reports rank the ads by reach and by days, and show payer and preview', async () => {
  const charts = (await service.call('GET', `/v1/batches/${batch}/charts`, { key })).json() as Charts;
  const [first, second] = ads.map(({ creative_id: id }) => `google:${id}`);
  expect(charts.largest_reach).toMatchObject([
    { creative_id: first, times_shown_lower: 3_000_001_000, times_shown_upper: 4_000_002_000 },
  ]);
  expect(charts.longest_shown).toMatchObject([
    { creative_id: second, days_shown: 20 },
    { creative_id: first, days_shown: 12 },
  ]);
  const html = (await service.call('GET', `/v1/batches/${batch}/report`, { key })).text;
  for (const text of ['Ads with the largest reach', '3,000,001,000 to 4,000,002,000', 'Longest really shown'])
    expect(html).toContain(text);
  expect(html).toContain('paid by =Payer SE');
  expect(html).toContain(
    '<a href="https://preview.example/ad.html" rel="noreferrer noopener" target="_blank">',
  );
  const markdown = (await service.call('GET', `/v1/batches/${batch}/report?format=md`, { key })).text;
  expect(markdown).toContain('## Ads with the largest reach');
  expect(markdown).toContain('## Longest really shown');
});

test('a batch without details has no rankings', async () => {
  const plain = await openTestConsole({ ads: () => ads });
  try {
    const plainKey = await plain.createKey();
    const id = await runDetailedBatch(plain, plainKey);
    const call = async (path: string) => plain.call('GET', `/v1/batches/${id}/${path}`, { key: plainKey });
    expect((await call('charts')).json()).toMatchObject({ largest_reach: [], longest_shown: [] });
    const html = (await call('report')).text;
    expect(html).toContain('Longest running');
    expect(html).not.toContain('Longest really shown');
  } finally {
    await plain.close();
  }
});

interface Charts {
  readonly largest_reach: readonly Json[];
  readonly longest_shown: readonly Json[];
}
