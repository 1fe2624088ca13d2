import { z } from 'zod';
import type { CreativeRow } from './creative-rows.ts';
import {
  openStandInServer,
  type SeenCall,
  type StandInReply,
  type StandInServer,
} from './stand-in-server.ts';
import type { VendorFixture } from './vendor-fixture.ts';

export const key = 'secret-of-scrapecreators';

const adsQuery = z
  .strictObject({
    domain: z.string().min(1).optional(),
    advertiser_id: z
      .string()
      .regex(/^AR\d{20}$/)
      .optional(),
    topic: z.literal('all'),
    region: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional(),
    get_ad_details: z.literal('false'),
    cursor: z
      .string()
      .regex(/^page\/\d+=$/)
      .optional(),
  })
  .refine((query) => (query.domain === undefined) !== (query.advertiser_id === undefined));
const nameQuery = z.strictObject({ query: z.string().min(1) });

/** Ads per page: our choice, the page size of Google's own site. */
const pageSize = 40;

/**
 * ScrapeCreators' search of Google's ads and of its advertisers, as its tutorial and public callers describe them: the key in
 * `x-api-key`, no sizes, pictures for some ads, and a percent-encoded cursor.
 *
 * Differences: all data is synthetic; an empty answer is an empty list without a cursor, which is not recorded anywhere.
 */
export async function openScrapeCreators(fixture: VendorFixture): Promise<StandInServer> {
  return openStandInServer((call) => {
    if (call.method !== 'GET') return failure(404);
    if (call.headers['x-api-key'] !== key) return failure(401);
    if (call.path === '/v1/google/company/ads') return answerAds(call, fixture);
    return call.path === '/v1/google/adLibrary/advertisers/search'
      ? answerNames(call, fixture)
      : failure(404);
  });
}

function answerAds({ query }: SeenCall, fixture: VendorFixture): StandInReply {
  const parsed = adsQuery.safeParse(Object.fromEntries(query));
  if (!parsed.success) return failure(400);
  const { domain, advertiser_id: advertiserId, cursor } = parsed.data;
  const rows = fixture.ads(domain ?? advertiserId ?? '');
  const from = Number(cursor?.replace(/\D/g, '') ?? 0);
  const to = from + pageSize;
  const next = to < rows.length ? `page/${to}=` : null;
  return { status: 200, json: replyAbout(rows.slice(from, to), next) };
}

/** A complete reply; `next` null: the last page. */
export function replyAbout(rows: readonly CreativeRow[], next: string | null): unknown {
  return {
    ads: rows.map(toAd),
    ...(next === null ? {} : { cursor: encodeURIComponent(next) }),
  };
}

function toAd(row: CreativeRow): object {
  return {
    advertiserId: row.advertiserId,
    creativeId: row.creativeId,
    format: row.format,
    adUrl: `https://adstransparency.google.com/advertiser/${row.advertiserId}/creative/${row.creativeId}`,
    advertiserName: row.advertiserName,
    domain: 'acme.com',
    ...(row.image === null ? {} : { imageUrl: row.image.url }),
    firstShown: new Date(row.firstShown * 1000).toISOString(),
    lastShown: new Date(row.lastShown * 1000).toISOString(),
  };
}

function answerNames({ query }: SeenCall, fixture: VendorFixture): StandInReply {
  const parsed = nameQuery.safeParse(Object.fromEntries(query));
  if (!parsed.success) return failure(400);
  const { advertisers, domains } = fixture.suggestions(parsed.data.query);
  return {
    status: 200,
    json: {
      advertisers: advertisers.map(({ id, name }) => ({
        name,
        advertiser_id: id,
        region: 'US',
        number_of_ads_estimate: 49,
      })),
      websites: domains.map((domain) => ({ domain })),
    },
  };
}

function failure(status: number): StandInReply {
  return { status, json: { success: false, statusCode: status } };
}
