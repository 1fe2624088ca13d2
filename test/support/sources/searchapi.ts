import { z } from 'zod';
import type { CreativeRow } from './creative-rows.ts';
import { openStandInServer, type StandInReply, type StandInServer } from './stand-in-server.ts';
import type { VendorFixture } from './vendor-fixture.ts';

export const key = 'secret-of-searchapi';

const common = {
  api_key: z.literal(key),
  region: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
};
const adsQuery = z
  .strictObject({
    engine: z.literal('google_ads_transparency_center'),
    domain: z.string().min(1).optional(),
    advertiser_id: z
      .string()
      .regex(/^AR\d{20}$/)
      .optional(),
    num: z.string().regex(/^([1-9]\d?|100)$/),
    next_page_token: z
      .string()
      .regex(/^page\/\d+=$/)
      .optional(),
    ...common,
  })
  .refine((query) => (query.domain === undefined) !== (query.advertiser_id === undefined));
const nameQuery = z.strictObject({
  engine: z.literal('google_ads_transparency_center_advertiser_search'),
  q: z.string().min(1),
  ...common,
});

/**
 * SearchApi's engines for Google's ads, as public callers describe them: one URL for both, the key in the query, ISO codes for
 * regions, `image` only if there is one.
 *
 * Differences: all data is synthetic; an empty answer has an empty list and a total of 0, which is not recorded anywhere; the
 * keys of an image besides `link` are unknown and left out.
 */
export async function openSearchApi(fixture: VendorFixture): Promise<StandInServer> {
  return openStandInServer(({ method, path, query }) => {
    const given = Object.fromEntries(query);
    if (method !== 'GET' || path !== '/api/v1/search') return failure(404);
    if (given['api_key'] !== key) return failure(401);
    const names = nameQuery.safeParse(given);
    if (names.success) return { status: 200, json: { ...success, ...suggestionsFor(fixture, names.data.q) } };
    const ads = adsQuery.safeParse(given);
    return ads.success ? answerAds(ads.data, fixture) : failure(400);
  });
}

const success = {
  search_metadata: { status: 'Success', request_url: 'https://adstransparency.google.com/' },
};

function answerAds(query: z.infer<typeof adsQuery>, fixture: VendorFixture): StandInReply {
  const rows = fixture.ads(query.domain ?? query.advertiser_id ?? '');
  const from = Number(query.next_page_token?.replace(/\D/g, '') ?? 0);
  const to = from + Number(query.num);
  const next = to < rows.length ? `page/${to}=` : null;
  return { status: 200, json: replyAbout(rows.slice(from, to), { total: rows.length, next }) };
}

/** A complete reply; `next` null: the last page. */
export function replyAbout(
  rows: readonly CreativeRow[],
  { total, next }: { readonly total: number; readonly next: string | null },
): unknown {
  return {
    ...success,
    search_information: { total_results: total },
    ad_creatives: rows.map(toCreative),
    ...(next === null ? {} : { pagination: { next_page_token: next } }),
  };
}

function toCreative(row: CreativeRow): object {
  return {
    id: row.creativeId,
    target_domain: 'acme.com',
    advertiser: { id: row.advertiserId, name: row.advertiserName },
    first_shown_datetime: toMoment(row.firstShown),
    last_shown_datetime: toMoment(row.lastShown),
    total_days_shown: 145,
    format: row.format,
    ...(row.image === null ? {} : { image: { link: row.image.url } }),
    details_link: `https://adstransparency.google.com/advertiser/${row.advertiserId}/creative/${row.creativeId}?region=anywhere`,
  };
}

function toMoment(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

function suggestionsFor(fixture: VendorFixture, name: string): object {
  const { advertisers, domains } = fixture.suggestions(name);
  return { advertisers, domains: domains.map((domain) => ({ name: domain })) };
}

function failure(status: number): StandInReply {
  return { status, json: { error: 'As the stand-in wants it.' } };
}
