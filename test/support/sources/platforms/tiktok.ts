import { z } from 'zod';
import { adsOfAdvertiser, advertisersNamed, daysOf, type PlatformRow } from './platform-rows.ts';
import {
  openStandInServer,
  type SeenCall,
  type StandInReply,
  type StandInServer,
} from '../stand-in-server.ts';
import type { VendorFixture } from '../vendor-fixture.ts';

export const key = 'clt.secret-of-tiktok';

const adFields = ['id', 'first_shown_date', 'last_shown_date', 'status', 'videos', 'image_urls', 'reach'];
const fields = [
  ...adFields.map((name) => `ad.${name}`),
  ...['business_id', 'business_name', 'paid_for_by'].map((name) => `advertiser.${name}`),
];
const day = z.string().regex(/^20\d{6}$/);
/** The ids are numbers, and the days at most a year apart. */
const adsBody = z.strictObject({
  filters: z.strictObject({
    advertiser_business_ids: z.array(z.int()).min(1),
    ad_published_date_range: z
      .strictObject({ min: day, max: day })
      .refine(({ min, max }) => Number(max) - Number(min) <= 10_000 && min < max),
    country_code_list: z.array(z.string().regex(/^[A-Z]{2}$/)).optional(),
  }),
  max_count: z.int().min(1).max(10),
  search_id: z.string().min(1).optional(),
});
const namesBody = z.strictObject({
  search_term: z.string().min(1).max(50),
  max_count: z.int().min(1).max(50),
});

/**
 * TikTok's Commercial Content API, as its documents describe it: a bearer token, the fields in the query, ids and days as numbers, the
 * state of every answer under `error`, and one `search_id` for all pages of a search.
 *
 * Differences: all data is synthetic; the `search_id` holds the number of the next ad.
 */
export async function openTikTok(fixture: VendorFixture): Promise<StandInServer> {
  const offsets = new Map<string, number>();
  return openStandInServer((call) => {
    if (call.method !== 'POST') return failure(404, 'invalid_params');
    if (call.headers.authorization !== `Bearer ${key}`) return failure(401, 'access_token_invalid');
    if (call.path === '/v2/research/adlib/ad/query/') return answerAds(call, fixture, offsets);
    return call.path === '/v2/research/adlib/advertiser/query/'
      ? answerNames(call, fixture)
      : failure(404, 'invalid_params');
  });
}

function answerAds(
  { query, body }: SeenCall,
  fixture: VendorFixture,
  offsets: Map<string, number>,
): StandInReply {
  const parsed = adsBody.safeParse(body);
  const wanted = query.get('fields')?.split(',') ?? [];
  if (!parsed.success || wanted.some((field) => !fields.includes(field)))
    return failure(400, 'invalid_params');
  const { filters, max_count: count, search_id: search } = parsed.data;
  const ids = filters.advertiser_business_ids.map(String);
  const searchId = `search-${ids.join('-')}`;
  if (search !== undefined && search !== searchId) return failure(400, 'invalid_params');
  const from = search === undefined ? 0 : (offsets.get(searchId) ?? 0);
  offsets.set(searchId, from + count);
  const rows = ids.flatMap((id) => adsOfAdvertiser(fixture, id));
  return {
    status: 200,
    json: replyAbout(rows.slice(from, from + count), { hasMore: from + count < rows.length, searchId }),
  };
}

/** A complete reply. */
export function replyAbout(
  rows: readonly PlatformRow[],
  { hasMore, searchId }: { readonly hasMore: boolean; readonly searchId: string },
): unknown {
  return { data: { ads: rows.map(toAd), has_more: hasMore, search_id: searchId }, error: stateOf('ok', 200) };
}

/** Every fourth ad, so that the first page has some. */
function isVideo({ platformAdId }: PlatformRow): boolean {
  return Number(platformAdId) % 4 === 2;
}

function toAd(row: PlatformRow): object {
  const { first, last } = daysOf(row);
  const image = row.image === null ? [] : [`${row.image.url}?x-expires=1&x-signature=abc`];
  const video = {
    url: `https://v16.example.com/${row.platformAdId}/?x-signature=abc`,
    cover_image_url: `https://p16.example.com/${row.platformAdId}.jpeg?x-signature=abc`,
  };
  return {
    ad: {
      id: Number(row.platformAdId),
      first_shown_date: Number(first.replaceAll('-', '')),
      last_shown_date: Number(last.replaceAll('-', '')),
      videos: isVideo(row) ? [video] : [],
      image_urls: isVideo(row) ? [] : image,
    },
    advertiser: {
      business_id: Number(row.platformAdvertiserId),
      business_name: row.advertiserName,
      paid_for_by: 'Acme Retail BV',
    },
  };
}

function answerNames({ query, body }: SeenCall, fixture: VendorFixture): StandInReply {
  const parsed = namesBody.safeParse(body);
  const isKnown = query.get('fields') === 'business_id,business_name,country_code';
  if (!parsed.success || !isKnown) return failure(400, 'invalid_params');
  const advertisers = advertisersNamed(fixture, parsed.data.search_term).map(({ id, name }) => ({
    business_id: Number(id),
    business_name: name,
    country_code: 'NL',
  }));
  return { status: 200, json: { data: { advertisers }, error: stateOf('ok', 200) } };
}

/** The state of an answer. */
export function stateOf(code: string, status: number): object {
  return { code, message: '', log_id: '20261101', http_status_code: status };
}

function failure(status: number, code: string): StandInReply {
  return { status, json: { data: {}, error: stateOf(code, status) } };
}
