import { google, qualifiedId } from '../../core/companies/platform-id.ts';
import { z } from 'zod';
import type { Ad } from '../../core/ads/ad.ts';
import { verificationOf, type AdvertiserDetails } from '../../core/ads/ad-details.ts';
import type { Suggestions } from '../../core/sources/choose-advertisers.ts';
import { previewUrlOf } from '../../core/ads/preview-url.ts';
import { creativeAd } from '../ads/creative-ad.ts';
import { dayOfMoment } from '../replies/day-of-moment.ts';
import { imageVariant } from '../ads/image-variant.ts';
import { beside, count, id, readReply, size, text, webAddress } from '../replies/wire-fields.ts';
import { noResults, ok } from './envelope.ts';

/** Cost of the task, USD. */
const cost = z.number().min(0).nullish();

/**
 * A reply to one task: its items and its cost. An empty list is accepted only if the count beside it is 0; otherwise the shape
 * has changed. Other keys are ignored, here and below.
 */
function replyWith<T extends z.ZodType>(item: T) {
  const result = z
    .object({
      items: z.array(item).nullable(),
      items_count: z.int().min(0).optional(),
      /** Total number of ads. */
      se_results_count: z.int().min(0).nullish(),
    })
    .refine(({ items, se_results_count: total }) => (items ?? []).length > 0 || (total ?? 0) === 0, {
      path: ['items'],
      message: 'is empty, and se_results_count is above 0',
    })
    .refine(({ items, items_count: count }) => (items ?? []).length > 0 || count === 0, {
      path: ['items'],
      message: 'is empty, and items_count does not say 0',
    });
  const answered = z.object({ status_code: z.literal(ok), cost, result: z.tuple([result]) });
  const empty = z.object({ status_code: z.literal(noResults), cost });
  const envelope = z.object({
    status_code: z.literal(ok),
    tasks: z.tuple([z.discriminatedUnion('status_code', [answered, empty])]),
  });
  return envelope.transform(({ tasks: [task] }) => ({
    items: task.status_code === ok ? (task.result[0].items ?? []) : [],
    charged: task.cost ?? null,
  }));
}

/** Every key except `url` must be present; a missing key means a changed shape. DataForSEO writes null without data. */
const adItem = z.object({
  type: z.literal('ads_search'),
  advertiser_id: id,
  creative_id: id,
  /** Name of the advertiser. */
  title: text.nullable(),
  format: text.nullable(),
  url: text.nullable().optional(),
  verified: beside(z.boolean()),
  preview_url: beside(text),
  preview_image: z
    .object({ url: webAddress.nullable(), height: size.nullable(), width: size.nullable() })
    .nullable(),
  first_shown: dayOfMoment.nullable(),
  last_shown: dayOfMoment.nullable(),
});

const location = text.nullable();
/** Evidence for choosing among advertisers. */
const evidence = { verified: beside(z.boolean()), approx_ads_count: beside(count) };
const single = z.object({
  type: z.literal('ads_advertiser'),
  advertiser_id: id,
  title: text,
  location,
  ...evidence,
});
/** Accounts that share one name. */
const multiple = z.object({
  /** Country of all of them. */
  location: beside(text),
  type: z.literal('ads_multi_account_advertiser'),
  title: text,
  advertisers: z.array(z.object({ advertiser_id: id, location, ...evidence })),
});
const website = z.object({ type: z.literal('ads_domain'), domain: text });

const adsReply = replyWith(adItem);
const advertisersReply = replyWith(z.discriminatedUnion('type', [single, multiple, website]));

/** The ads of a reply, and its cost. */
export interface AdsReply {
  readonly ads: readonly Ad[];
  /** USD; null if not reported. */
  readonly charged: number | null;
}

/**
 * Parses the reply of the ads search, in the given order.
 *
 * @throws SourceUnreadable that names the path of the first invalid field, `tasks[0].result[0].items[3].first_shown`.
 */
export function readAds(reply: string): AdsReply {
  const { items, charged } = readReply('dataforseo', adsReply, reply);
  return { ads: items.map(toAd), charged };
}

/** Candidates for a name, and the cost of the reply. */
export interface AdvertisersReply {
  readonly suggestions: Suggestions;
  /** USD; null if not reported. */
  readonly charged: number | null;
}

/**
 * Parses the reply of the advertiser search; accounts that share a name are separate advertisers.
 *
 * @throws SourceUnreadable as `readAds` does.
 */
export function readAdvertisers(reply: string): AdvertisersReply {
  const { items, charged } = readReply('dataforseo', advertisersReply, reply);
  const advertisers = items.flatMap(toAdvertisers);
  const domains = items.flatMap((item) => (item.type === 'ads_domain' ? [item.domain] : []));
  return { suggestions: { advertisers, domains }, charged };
}

function toAd(item: z.infer<typeof adItem>): Ad {
  const { url = null, height = null, width = null } = item.preview_image ?? {};
  return creativeAd({
    advertiserId: item.advertiser_id,
    creativeId: item.creative_id,
    advertiserName: item.title,
    format: item.format,
    variants: url === null ? [] : [imageVariant({ url, height, width })],
    start: item.first_shown,
    lastSeen: item.last_shown,
    link: item.url ?? null,
    beside: { previewUrl: previewUrlOf(item.preview_url), advertiser: advertiserOf(item) },
  });
}

function advertiserOf({ verified }: z.infer<typeof adItem>): AdvertiserDetails | null {
  if (verified === undefined) return null;
  return { legalName: null, location: null, verification: verificationOf(verified) };
}

function toAdvertisers(
  item: z.infer<typeof single> | z.infer<typeof multiple> | z.infer<typeof website>,
): Suggestions['advertisers'] {
  if (item.type === 'ads_domain') return [];
  const accounts = item.type === 'ads_advertiser' ? [item] : item.advertisers;
  return accounts.map((account) => ({
    id: qualifiedId(google, account.advertiser_id),
    name: item.title,
    country: account.location ?? item.location ?? null,
    verified: account.verified ?? null,
    adsCount: account.approx_ads_count ?? null,
  }));
}
