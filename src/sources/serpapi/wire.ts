import { z } from 'zod';
import type { Ad } from '../../core/ads/ad.ts';
import { google, qualifiedId } from '../../core/companies/platform-id.ts';
import type { AdvertiserDetails } from '../../core/ads/ad-details.ts';
import { detailsOf } from '../../core/ads/known-details.ts';
import { previewUrlOf } from '../../core/ads/preview-url.ts';
import type { SearchWay } from '../../core/sources/search-ways.ts';
import { adAddress } from '../ads/ad-address.ts';
import type { AdsPage } from '../calls/collect-pages.ts';
import { formatLabel } from '../ads/format-label.ts';
import { imageVariant } from '../ads/image-variant.ts';
import { tellsNone, type Remarks } from './empty-result.ts';
import { rejectRenamed } from '../replies/renamed-keys.ts';
import {
  beside,
  count,
  dayOfSeconds,
  id,
  readReply,
  size,
  text,
  unreadableAt,
  webAddress,
} from '../replies/wire-fields.ts';

/** Maximum number of ads on a page of SerpApi. Every page costs one search, however many ads it has. */
const pageSize = 100;

/** An ad, as `ad_creatives` has it. A video has neither picture nor size; some pictures come without a size. */
const row = z.looseObject({
  advertiser_id: id,
  advertiser: text,
  ad_creative_id: id,
  format: text,
  first_shown: dayOfSeconds,
  last_shown: dayOfSeconds,
  image: webAddress.optional(),
  height: size.optional(),
  width: size.optional(),
  details_link: text.optional(),
  total_days_shown: beside(count),
  /** Only in a search by domain. */
  target_domain: beside(text),
  /** URL of a preview. */
  link: beside(text),
});
type Row = z.infer<typeof row>;

/** Political ads have ranges of views and of spending as well. */
const rowKeys = [
  ...Object.keys(row.shape),
  'serpapi_details_link',
  ...['minimum_views_count', 'maximum_views_count', 'minimum_budget_spent', 'maximum_budget_spent'],
];
const pageKeys = [
  'ad_creatives',
  'advertiser',
  'error',
  'search_information',
  'search_metadata',
  'search_parameters',
  'serpapi_pagination',
];

/** Advertiser of a search by one advertiser. */
const advertiser = z.object({ id, legal_name: beside(text), country_code: beside(text) });

/** A page (serpapi.com/google-ads-transparency-center-api). A page without ads has other keys than one with ads. */
const page = z
  .looseObject({
    search_metadata: z.object({ status: z.literal('Success') }),
    search_information: z.looseObject({ total_results: z.int().min(0).optional() }).default({}),
    ad_creatives: z.array(row).default([]),
    advertiser: beside(advertiser),
    serpapi_pagination: z.object({ next_page_token: z.string().min(1) }).optional(),
    error: text.optional(),
  })
  .refine(({ ad_creatives: ads, ...rest }) => (ads.length > 0 ? tellsTotal(rest) : tellsNone(rest)), {
    path: ['search_information'],
    message: 'neither ads with a total, nor a statement that there are none',
  });

function tellsTotal({ error, search_information: information }: Remarks): boolean {
  return error === undefined && information['total_results'] !== undefined;
}

/** A search in SerpApi's terms. */
export interface PageQuestion {
  readonly way: Extract<SearchWay, { readonly by: 'mapping' | 'domain' }>;
  /** Google's number of the region; null: anywhere. */
  readonly geoTarget: number | null;
  /** Name of the surface; null: any. */
  readonly surface: string | null;
  /** `AdsPage.next` of the previous page; null for the first. */
  readonly token: string | null;
}

/** Query of a search, including the secret key. */
export function toQuery({ way, geoTarget, surface, token }: PageQuestion, key: string): URLSearchParams {
  return new URLSearchParams({
    engine: 'google_ads_transparency_center',
    api_key: key,
    ...(way.by === 'domain' ? { text: way.domain } : { advertiser_id: way.advertiserIds.join(',') }),
    num: String(pageSize),
    ...(geoTarget === null ? {} : { region: String(geoTarget) }),
    ...(surface === null ? {} : { platform: surface }),
    ...(token === null ? {} : { next_page_token: token }),
  });
}

/**
 * Parses a page. The ads keep their order; a picture becomes an `<img>` element, and an ad without one has no variants, but a
 * preview in its details. The estimate is Google's own rounded number: one advertiser with 627 ads was reported with 700.
 *
 * @throws SourceUnreadable that names the path of the first invalid field, such as `ad_creatives[3].image`; also for an empty
 * page that does not state so, and for a page that lacks a usual key.
 */
export function parsePage(reply: string, pageNumber: number): AdsPage {
  const read = readReply('serpapi', page, reply);
  const isContradiction = pageNumber === 1 && read.ad_creatives.length === 0 && hasTotal(read);
  if (isContradiction)
    throw unreadableAt('serpapi', 'search_information.total_results', 'counts ads, and there are none');
  rejectLosses(read, pageNumber);
  const { ad_creatives: rows, search_information: information, serpapi_pagination: pagination } = read;
  const { total_results: total } = information;
  return {
    ads: rows.map((each) => toAd(each, advertiserIn(read, each))),
    next: pagination?.next_page_token ?? null,
    estimate: total === undefined ? null : { low: total, high: total },
  };
}

function hasTotal({ search_information: { total_results: total = 0 } }: z.infer<typeof page>): boolean {
  return total > 0;
}

/** Keys that may be missing, but whose loss would matter: pictures and their sizes, and the next page. */
function rejectLosses(read: z.infer<typeof page>, pageNumber: number): void {
  const { ad_creatives: rows, search_information: information } = read;
  rejectRenamed('serpapi', rows.filter(canHaveImage), { known: rowKeys, usual: ['image'] });
  rejectRenamed('serpapi', rows.filter(hasImage), { known: rowKeys, usual: ['height', 'width'] });
  const seen = (pageNumber - 1) * pageSize + rows.length;
  const isLast = seen >= (information.total_results ?? 0);
  if (!isLast) rejectRenamed('serpapi', [read], { known: pageKeys, usual: ['serpapi_pagination'] });
}

/** A row has a picture or the URL of a preview, not both: nearly all previews are of videos, which have no picture. */
function canHaveImage(ad: Row): boolean {
  return ad.link === undefined;
}

function hasImage(ad: Row): boolean {
  return ad.image !== undefined;
}

/** Details of the advertiser of a row from the page; null if it has none. */
function advertiserIn({ advertiser: given }: z.infer<typeof page>, ad: Row): AdvertiserDetails | null {
  if (given?.id !== ad.advertiser_id) return null;
  const { legal_name: legalName = null, country_code: location = null } = given;
  return legalName === null && location === null ? null : { legalName, location, verification: null };
}

function toAd(ad: Row, named: AdvertiserDetails | null): Ad {
  const {
    advertiser_id: advertiserId,
    ad_creative_id: creativeId,
    image: url,
    height = null,
    width = null,
  } = ad;
  return {
    advertiserId: qualifiedId(google, advertiserId),
    creativeId: qualifiedId(google, creativeId),
    advertiserName: ad.advertiser,
    format: formatLabel(ad.format),
    originalUrl: adAddress(advertiserId, creativeId, ad.details_link ?? null),
    variants: url === undefined ? [] : [imageVariant({ url, height, width })],
    start: ad.first_shown,
    lastSeen: ad.last_shown,
    text: null,
    ...detailsOf({
      daysShown: ad.total_days_shown ?? null,
      targetDomain: ad.target_domain ?? null,
      previewUrl: previewUrlOf(ad.link),
      advertiser: named,
    }),
  };
}
