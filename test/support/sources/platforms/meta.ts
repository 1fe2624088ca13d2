import { z } from 'zod';
import { adsOfAdvertiser, advertisersNamed, daysOf, type PlatformRow } from './platform-rows.ts';
import {
  openStandInServer,
  type SeenCall,
  type StandInReply,
  type StandInServer,
} from '../stand-in-server.ts';
import type { VendorFixture } from '../vendor-fixture.ts';

export const key = 'EAAsecret-of-meta';

const fields = [
  ...['id', 'page_id', 'page_name', 'ad_delivery_start_time', 'ad_delivery_stop_time'],
  ...['bodies', 'link_titles', 'link_captions', 'link_descriptions'].map((name) => `ad_creative_${name}`),
  ...['beneficiary_payers', 'age_country_gender_reach_breakdown', 'ad_snapshot_url', 'eu_total_reach'],
];
const countries = /^\["([A-Z]{2}|ALL)"\]$/;
const common = {
  ad_reached_countries: z.string().regex(countries),
  ad_type: z.literal('ALL'),
  ad_active_status: z.enum(['ALL', 'ACTIVE', 'INACTIVE']),
  fields: z.string().refine((text) => text.split(',').every((field) => fields.includes(field))),
  limit: z.string().regex(/^[1-9]\d{0,3}$/),
  after: z
    .string()
    .regex(/^after-\d+$/)
    .optional(),
};
/** The ids are a list of at most ten whole numbers. */
const byPage = z.strictObject({
  ...common,
  search_page_ids: z.string().regex(/^\[\d{5,20}(,\d{5,20}){0,9}\]$/),
});
const byTerms = z.strictObject({
  ...common,
  search_terms: z.string().min(1).max(100),
  search_type: z.enum(['KEYWORD_EXACT_PHRASE', 'KEYWORD_UNORDERED']),
});

/**
 * Meta's Ad Library API (`ads_archive`), as its reference and public clients describe it: a list of countries is required, ids are texts,
 * days have no time, an absent field is left out, and the address of the next page holds the token that was sent.
 *
 * Differences: all data is synthetic; a search by words compares the name of the page only.
 */
export async function openMeta(fixture: VendorFixture): Promise<StandInServer> {
  return openStandInServer((call) => {
    if (call.method !== 'GET' || call.path !== '/ads_archive') return failure(404, 803);
    if (call.headers.authorization !== `Bearer ${key}`) return failure(400, 190);
    const given = Object.fromEntries(call.query);
    const pages = byPage.safeParse(given);
    const terms = byTerms.safeParse(given);
    if (pages.success) return answer(call, adsOfPages(fixture, pages.data.search_page_ids));
    return terms.success
      ? { status: 200, json: { data: pagesNamed(fixture, terms.data) } }
      : failure(400, 100);
  });
}

function adsOfPages(fixture: VendorFixture, ids: string): readonly PlatformRow[] {
  return (ids.match(/\d+/g) ?? []).flatMap((id) => adsOfAdvertiser(fixture, id));
}

/** A page is named with every ad. */
function pagesNamed(
  fixture: VendorFixture,
  { search_terms: name }: z.infer<typeof byTerms>,
): readonly object[] {
  return advertisersNamed(fixture, name).flatMap(({ id, name: page }) =>
    [1, 2].map(() => ({ page_id: id, page_name: page })),
  );
}

function answer({ query }: SeenCall, rows: readonly PlatformRow[]): StandInReply {
  const from = Number(query.get('after')?.replace(/\D/g, '') ?? 0);
  const to = from + Number(query.get('limit'));
  return { status: 200, json: replyAbout(rows.slice(from, to), to < rows.length ? `after-${to}` : null) };
}

/** A complete reply; `next` null: the last page. */
export function replyAbout(
  rows: readonly PlatformRow[],
  next: string | null,
): { readonly data: readonly unknown[] } {
  const address = `https://graph.facebook.com/v26.0/ads_archive?access_token=${key}&fields=id&limit=25&after=${next ?? ''}`;
  return {
    data: rows.map(toAd),
    ...(next === null ? {} : { paging: { cursors: { after: next }, next: address } }),
  };
}

function toAd(row: PlatformRow, n: number): object {
  const { first, last } = daysOf(row);
  return {
    id: row.platformAdId,
    page_id: row.platformAdvertiserId,
    page_name: row.advertiserName,
    ad_delivery_start_time: first,
    ...(n % 3 === 0 ? {} : { ad_delivery_stop_time: last }),
    ...(n % 5 === 4
      ? {}
      : {
          ad_creative_bodies: ['All of Acme, half the price.', 'All of Acme.'],
          ad_creative_link_titles: ['Acme'],
        }),
    ad_creative_link_captions: ['acme.com'],
    ad_creative_link_descriptions: ['While stocks last'],
    beneficiary_payers: [
      { beneficiary: 'Acme', payer: 'Acme Retail BV', current: true },
      { beneficiary: 'Acme', payer: 'Agency SL', current: false },
    ],
    age_country_gender_reach_breakdown: [
      { country: 'DE', age_gender_breakdowns: [{ age_range: '18-24', male: 12, female: 7, unknown: 1 }] },
      { country: 'Unknown', age_gender_breakdowns: [] },
    ],
  };
}

/** An error as the Graph API writes it. */
export function errorBody(code: number): object {
  return {
    error: {
      message: `(#${code}) As the stand-in wants it.`,
      type: 'OAuthException',
      code,
      fbtrace_id: 'A1',
    },
  };
}

function failure(status: number, code: number): StandInReply {
  return { status, json: errorBody(code) };
}
