import { numbersOf } from '../stand-in/stand-in-ads.ts';
import {
  openStandInServer,
  type SeenCall,
  type StandInReply,
  type StandInServer,
} from './stand-in-server.ts';

/** Companies of the stand-in: one with three advertisers, and one without ads. */
const adyntelFixture = {
  domain: 'acme.com',
  quietDomain: 'quiet.com',
  advertisers: [
    { id: 'AR00000000000000000017', name: 'Acme Retail BV' },
    { id: 'AR16735076323512280042', name: 'Acme, Inc.' },
    { id: 'AR09999999999999999999', name: '유한회사 애크미' },
  ],
} as const;

export interface AdyntelStandInOptions {
  readonly key: string;
  readonly email: string;
  readonly rowsPerPage: number;
  /** Form of an answer without ads: an empty list, or a 204 without a body. */
  readonly saysNone: 'list' | '204';
  /** True if the response has a total besides the ads, which the documentation does not mention. */
  readonly givesTotal: boolean;
}

/**
 * A stand-in of Adyntel's `POST /google`, on loopback.
 *
 * Based on Adyntel's documentation (docs.adyntel.com/ad-libraries/google) and, for `total_ad_count` and the 204, on public
 * callers. All ads are synthetic, in the proportions of a page of the Ads Transparency Center: of 40 ads 29 have a picture, and
 * the others a preview with null sizes. The credentials are read only from the body.
 *
 * Differences: Adyntel's rejections are not documented; the stand-in uses common statuses (400, 401, 404, 415), and rejects
 * unknown fields and unknown tokens.
 */
export async function openAdyntelStandIn(options: AdyntelStandInOptions): Promise<StandInServer> {
  return openStandInServer((call) => answerAdyntel(call, options));
}

const knownFields = ['api_key', 'email', 'company_domain', 'media_type', 'continuation_token'];

/** Answer of Adyntel to a request. */
export function answerAdyntel(
  { method, path, headers, body }: Pick<SeenCall, 'method' | 'path' | 'headers' | 'body'>,
  options: AdyntelStandInOptions,
): StandInReply {
  if (method !== 'POST' || path !== '/google') return reject(404, 'not found');
  if (headers['content-type'] !== 'application/json') return reject(415, 'expected JSON');
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null ? Object.entries(body) : [],
  );
  if (fields.get('api_key') !== options.key || fields.get('email') !== options.email)
    return reject(401, 'wrong api_key or email');
  if ([...fields.keys()].some((name) => !knownFields.includes(name))) return reject(400, 'unknown field');
  const domain = fields.get('company_domain');
  if (typeof domain !== 'string' || !/^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
    return reject(400, 'company_domain must look like company.com');
  if (domain !== adyntelFixture.domain) return saysNone(options);
  const start = fields.has('continuation_token') ? readToken(fields.get('continuation_token')) : 0;
  return start === null ? reject(400, 'unknown continuation_token') : foundPage(start, options);
}

function saysNone({ saysNone }: AdyntelStandInOptions): StandInReply {
  if (saysNone === '204') return { status: 204, json: null };
  return { status: 200, json: { ads: [], continuation_token: null, country_code: 'anywhere' } };
}

function foundPage(start: number, { rowsPerPage, givesTotal }: AdyntelStandInOptions): StandInReply {
  const ads = acmeAds();
  const end = start + rowsPerPage;
  const json = {
    ads: ads.slice(start, end),
    // The next page starts with the last ad of this one, as if an ad had been added in between.
    continuation_token: end < ads.length ? tokenFor(end - 1) : null,
    country_code: 'anywhere',
    ...(givesTotal ? { total_ad_count: 2_000 } : {}),
  };
  return { status: 200, json };
}

/** 40 ads, most recently seen first. */
function acmeAds(): readonly Record<string, unknown>[] {
  const [retail, inc, korea] = adyntelFixture.advertisers;
  const random = numbersOf('adyntel');
  return Array.from({ length: 40 }, (_, n) => {
    const rarely = n === 20 ? korea : retail;
    const advertiser = n % 8 === 3 ? inc : rarely;
    const creativeId = `CR${String(random(1_000_000)).padStart(20, '0')}`;
    const hasPreview = n % 4 === 1 || n === 39;
    const format = hasPreview && n < 12 ? 'Image' : 'Text';
    return {
      advertiser_id: advertiser.id,
      advertiser_name: advertiser.name,
      creative_id: creativeId,
      format: n === 39 ? 'Video' : format,
      last_seen: `2026-07-${String(30 - (n % 30)).padStart(2, '0')}`,
      original_url: `https://adstransparency.google.com/advertiser/${advertiser.id}/creative/${creativeId}?region=anywhere&domain=acme.com`,
      start: '2023-11-17',
      variants: [hasPreview ? previewOf(random) : pictureOf(random)],
    };
  });
}

function pictureOf(random: (below: number) => number): Record<string, unknown> {
  const [height, width] = [100 + random(400), 300 + random(100)];
  const image = `https://tpc.googlesyndication.com/archive/simgad/${random(4_000_000_000)}`;
  return { content: `<img src="${image}" height="${height}" width="${width}">`, height, width };
}

function previewOf(random: (below: number) => number): Record<string, unknown> {
  const address = 'https://displayads-formats.googleusercontent.com/ads/preview/content.js';
  return { content: `${address}?creativeId=${random(1_000_000)}`, height: null, width: null };
}

function tokenFor(start: number): string {
  return Buffer.from(`from ${start}`).toString('base64');
}

function readToken(token: unknown): number | null {
  const start = Number(
    Buffer.from(String(token), 'base64')
      .toString()
      .replace(/^from /, ''),
  );
  return token === tokenFor(start) ? start : null;
}

function reject(status: number, error: string): StandInReply {
  return { status, json: { error } };
}
