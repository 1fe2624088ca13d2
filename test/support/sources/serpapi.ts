import { numbersOf } from '../stand-in/stand-in-ads.ts';
import {
  openStandInServer,
  type SeenCall,
  type StandInReply,
  type StandInServer,
} from './stand-in-server.ts';

/** Companies of the stand-in: one with ads of three advertisers, and one without ads. */
export const serpapiFixture = {
  domain: 'acme.com',
  quietDomain: 'quiet.com',
  advertisers: [
    { id: 'AR00000000000000000017', name: 'Acme Retail BV' },
    { id: 'AR16735076323512280042', name: 'Acme, Inc.' },
    { id: 'AR09999999999999999999', name: '유한회사 애크미' },
  ],
} as const;

export interface SerpapiStandInOptions {
  readonly key: string;
  /** Maximum number of rows per page, regardless of `num`: Google may return fewer than requested. */
  readonly rowsPerPage: number;
  /** True if the account has used up its searches. */
  readonly isSpent: boolean;
}

/**
 * A stand-in of SerpApi's engine `google_ads_transparency_center`, on loopback.
 *
 * Based on SerpApi's documentation (serpapi.com/google-ads-transparency-center-api, /api-status-and-error-codes,
 * /search-errors) and on published notes on live calls; all rows are synthetic, in the proportions of one advertiser's 627. It
 * validates what SerpApi validates: path, key, `num`, the number of the region. Like SerpApi, it echoes parameters as text,
 * rounds totals, puts a new nonce into preview links, lets pages overlap, and finds nothing for a domain with `www.` before it,
 * for a name, and for an unknown advertiser.
 *
 * Differences: it rejects unknown parameters, and tokens of other searches; it knows four regions; it has no filters but the
 * platform; and repeats are never free.
 */
export async function openSerpapiStandIn(options: SerpapiStandInOptions): Promise<StandInServer> {
  return openStandInServer((call) => answerSerpapi(call, options));
}

const knownParameters = [
  'engine',
  'api_key',
  'text',
  'advertiser_id',
  'num',
  'region',
  'platform',
  'next_page_token',
];
const knownPlatforms = ['PLAY', 'MAPS', 'SEARCH', 'SHOPPING', 'YOUTUBE'];
const knownRegions = ['2276', '2826', '2840', '20277'];

/** Answer of SerpApi to a request. */
export function answerSerpapi(
  { method, path, query }: Pick<SeenCall, 'method' | 'path' | 'query'>,
  { key, rowsPerPage, isSpent }: SerpapiStandInOptions,
): StandInReply {
  if (method !== 'GET' || !['/search.json', '/account.json'].includes(path)) return reject(404, 'Not found.');
  if (query.get('api_key') !== key)
    return reject(401, 'Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key');
  if (path === '/account.json') return { status: 200, json: accountOf(key, isSpent ? 0 : 4_900) };
  if (isSpent) return reject(429, 'Your account has run out of searches.');
  if (query.get('engine') === 'google_ads_transparency_center_ad_details') return answerDetail(query);
  const complaint = complaintAbout(query);
  if (complaint !== null) return reject(400, complaint);
  const rows = findRows(query);
  if (rows.length === 0) return { status: 200, json: emptyPage(query) };
  const start = readToken(query);
  if (start === null) return reject(400, 'Unsupported `next_page_token` parameter.');
  const end = start + Math.min(Number(query.get('num') ?? '40'), rowsPerPage);
  // The next page starts with the last row of this one, as if an ad had been added in between.
  const next = end < rows.length ? tokenFor(query, end - 1) : null;
  return { status: 200, json: foundPage(query, rows.slice(start, end), rows.length, next) };
}

/**
 * Details of an ad, as live calls returned them: a text ad is a picture without its texts, a video has texts and a landing page; days are
 * digits in some regions and seconds in others.
 */
function answerDetail(query: URLSearchParams): StandInReply {
  const unknown = [...query.keys()].find(
    (name) => !['engine', 'api_key', 'advertiser_id', 'creative_id'].includes(name),
  );
  if (unknown !== undefined) return reject(400, `Unsupported \`${unknown}\` parameter.`);
  const row = acmeRows().find(
    (each) =>
      each['ad_creative_id'] === query.get('creative_id') &&
      each['advertiser_id'] === query.get('advertiser_id'),
  );
  return { status: 200, json: row === undefined ? emptyPage(query) : detailOf(query, row) };
}

function detailOf(query: URLSearchParams, row: Record<string, unknown>): Record<string, unknown> {
  const picture = { image: `https://tpc.googlesyndication.com/archive/simgad/${Number(row['first_shown'])}` };
  const texts = {
    headline: 'Run global payroll',
    snippet: 'In minutes',
    visible_link: 'acme.com',
    link: 'https://www.acme.com/payroll',
    call_to_action: 'Learn more',
    video_link: 'https://www.youtube.com/watch?v=acme',
    video_duration: '0:23',
    long_headline: null,
  };
  const isVideo = row['format'] === 'video';
  return {
    ...envelope(query),
    search_information: {
      format: row['format'],
      last_shown: row['last_shown'],
      region_name: 'anywhere',
      ad_funded_by: row['advertiser'],
      more_ads_by_advertiser: 'https://adstransparency.google.com/',
      regions: [
        { region: 2840, region_name: 'United States', last_shown: 20_260_903, times_shown: '1,000 - 2,000' },
        { region: 2276, region_name: 'Germany', first_shown: 1_703_376_000, last_shown: 1_755_820_800 },
        { region: 9_999, region_name: 'Nowhere', last_shown: 20_260_903 },
      ],
    },
    ad_creatives: isVideo
      ? [
          { ...texts, ...picture },
          { ...texts, ...picture, headline: 'Other' },
        ]
      : [picture],
  };
}

/** Account as serpapi.com/account-api documents it. */
function accountOf(key: string, searchesLeft: number): object {
  return {
    account_id: '5ac54d6adefb2f1dba1663f5',
    api_key: key,
    account_email: 'operator@acme.example',
    account_status: 'Active',
    plan_id: 'bigdata',
    plan_name: 'Big Data Plan',
    plan_monthly_price: 250,
    searches_per_month: 30_000,
    plan_searches_left: searchesLeft,
    extra_credits: 0,
    total_searches_left: searchesLeft,
    this_month_usage: 30_000 - searchesLeft,
    this_hour_searches: 42,
    last_hour_searches: 42,
    account_rate_limit_per_hour: 6_000,
  };
}

function complaintAbout(query: URLSearchParams): string | null {
  const unknown = [...query.keys()].find((name) => !knownParameters.includes(name));
  if (unknown !== undefined) return `Unsupported \`${unknown}\` parameter.`;
  const engine = query.get('engine') ?? '';
  if (engine !== 'google_ads_transparency_center') return `Unsupported \`${engine}\` search engine.`;
  if (query.has('text') === query.has('advertiser_id')) return 'Missing query `advertiser_id` parameter.';
  const num = query.get('num') ?? '40';
  if (!/^\d+$/.test(num) || Number(num) < 1 || Number(num) > 100)
    return '`num` parameter must be an integer between 1 and 100.';
  const region = query.get('region');
  if (region !== null && !knownRegions.includes(region)) return `Unsupported \`${region}\` region parameter.`;
  const platform = query.get('platform');
  if (platform !== null && !knownPlatforms.includes(platform))
    return `Unsupported \`${platform}\` platform parameter.`;
  return null;
}

function findRows(query: URLSearchParams): readonly Record<string, unknown>[] {
  const ids = query.get('advertiser_id')?.split(',');
  const isAsked = (row: Record<string, unknown>) =>
    ids === undefined
      ? query.get('text') === row['target_domain']
      : ids.includes(String(row['advertiser_id']));
  const found = acmeRows().filter(isAsked);
  const inRegion = query.get('region') === '2276' ? found.filter((_, n) => n % 2 === 0) : found;
  const onPlatform = query.get('platform') === 'MAPS' ? inRegion.slice(0, 3) : inRegion;
  return onPlatform.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => ids === undefined || name !== 'target_domain')),
  );
}

function foundPage(
  query: URLSearchParams,
  rows: readonly Record<string, unknown>[],
  count: number,
  next: string | null,
): Record<string, unknown> {
  const pagination = {
    next_page_token: next,
    next: `https://serpapi.com/search.json?next_page_token=${encodeURIComponent(next ?? '')}`,
  };
  return {
    ...envelope(query),
    // Rounded up to the next fifty: not a count.
    search_information: { total_results: Math.ceil((count + 1) / 50) * 50 },
    ad_creatives: rows,
    ...(next === null ? {} : { serpapi_pagination: pagination }),
  };
}

function emptyPage(query: URLSearchParams): Record<string, unknown> {
  return {
    ...envelope(query),
    search_information: { results_state: 'Fully empty' },
    error: "Google Ads Transparency Center hasn't returned any results for this search.",
  };
}

function envelope(query: URLSearchParams): Record<string, unknown> {
  return {
    search_metadata: {
      id: '6aaa0a10ab28c664cc000000',
      status: 'Success',
      json_endpoint: 'https://serpapi.com/searches/0/6aaa0a10ab28c664cc000000.json',
      markdown_endpoint: 'https://serpapi.com/searches/0/6aaa0a10ab28c664cc000000.md',
      created_at: '2026-09-16 03:16:32 UTC',
      processed_at: '2026-09-16 03:16:32 UTC',
      google_ads_transparency_center_url: 'https://adstransparency.google.com?region=anywhere',
      total_time_taken: 4.32,
    },
    search_parameters: Object.fromEntries([...query].filter(([name]) => name !== 'api_key')),
  };
}

/** 40 rows, most recently seen first: 26 of format text, 2 image (one without a size), 12 video. */
function acmeRows(): readonly Record<string, unknown>[] {
  const random = numbersOf('serpapi');
  return Array.from({ length: 40 }, (_, n) => {
    const format = n === 5 || n === 25 ? 'image' : 'text';
    return acmeRow(n, n % 10 < 3 ? 'video' : format, random);
  });
}

function acmeRow(n: number, format: string, random: (below: number) => number): Record<string, unknown> {
  const [retail, inc, korea] = serpapiFixture.advertisers;
  const rarely = n === 22 ? korea : retail;
  const advertiser = n % 7 === 3 ? inc : rarely;
  const creativeId = `CR${String(random(1_000_000)).padStart(20, '0')}`;
  const lastShown = 1_789_525_101 - n * 3_601;
  const daysShown = 1 + random(1_500);
  const page = `advertiser/${advertiser.id}/creative/${creativeId}`;
  return {
    advertiser_id: advertiser.id,
    advertiser: advertiser.name,
    ad_creative_id: creativeId,
    format,
    target_domain: serpapiFixture.domain,
    ...(format === 'video' ? { link: previewLink(random) } : pictureOf(n, random)),
    total_days_shown: daysShown,
    first_shown: lastShown - daysShown * 86_400,
    last_shown: lastShown,
    details_link: `https://adstransparency.google.com/${page}?region=anywhere&domain=${serpapiFixture.domain}`,
    serpapi_details_link: `https://serpapi.com/search.json?creative_id=${creativeId}`,
  };
}

function pictureOf(n: number, random: (below: number) => number): Record<string, unknown> {
  const image = `https://tpc.googlesyndication.com/archive/simgad/${random(4_000_000_000)}${random(4_000_000_000)}`;
  const [width, height] = [300 + random(100), 100 + random(400)];
  return n === 25 ? { image } : { image, width, height };
}

let requests = 0;

/** Preview link; two of its parameters are new in every response. */
function previewLink(random: (below: number) => number): string {
  requests += 1;
  const address = 'https://displayads-formats.googleusercontent.com/ads/preview/content.js';
  return `${address}?creativeId=${random(1_000_000)}&htmlParentId=fletch-render-${requests}&responseCallback=fletchCallback${requests}`;
}

/** Page token, valid only for the same search. */
function tokenFor(query: URLSearchParams, start: number): string {
  const search = ['text', 'advertiser_id', 'region', 'platform', 'num'].map((name) => query.get(name) ?? '');
  return Buffer.from(`${start}|${search.join('|')}`).toString('base64');
}

function readToken(query: URLSearchParams): number | null {
  const token = query.get('next_page_token');
  if (token === null) return 0;
  const start = Number(Buffer.from(token, 'base64').toString().split('|')[0]);
  return token === tokenFor(query, start) ? start : null;
}

function reject(status: number, error: string): StandInReply {
  return { status, json: { error } };
}
